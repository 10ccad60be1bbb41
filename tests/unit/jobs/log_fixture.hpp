// A job directory with a log of any content, for tests of what is shown of it.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "jobs/error.hpp"
#include "platform/unique_fd.hpp"
#include "store/log_reader.hpp"
#include "unit/store/samples.hpp"

namespace bgshell::jobs::test {

template <class T>
T value(Result<T> result) {
    if (!result) FAIL(result.error().text());
    return std::move(*result);
}

class LogFixture {
  public:
    void print(std::string_view bytes) { append("log", bytes); }
    // Bytes of one stream, as the keeper writes them: the mark first.
    void print(keeper::IndexKind stream, std::string_view bytes) {
        append("index", keeper::encode(keeper::IndexEntry{stream, size(), 0}));
        print(bytes);
    }
    void punch(std::uint64_t from, std::uint64_t to) {
        append("index", keeper::encode(keeper::IndexEntry{keeper::IndexKind::hole, from, to}));
    }
    // Makes the log `bytes` longer without writing: zeros, and a hole of the file system.
    void extend(std::uint64_t bytes) { std::filesystem::resize_file(path("log"), size() + bytes); }
    [[nodiscard]] std::uint64_t size() const {
        std::error_code absent;
        const auto bytes = std::filesystem::file_size(path("log"), absent);
        return absent ? 0 : bytes;
    }
    [[nodiscard]] store::LogReader& reader() { return reader_; }
    [[nodiscard]] store::LogReader new_reader() {
        return store::test::value(store::LogReader::open(job_));
    }

  private:
    [[nodiscard]] std::string path(const std::string& name) const {
        return state_.job_path(job_.id()) + "/" + name;
    }
    void append(const std::string& name, std::string_view bytes) {
        const platform::UniqueFd file{
            ::open(path(name).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)};
        REQUIRE(::write(file.get(), bytes.data(), bytes.size()) ==
                static_cast<ssize_t>(bytes.size()));
    }

    store::test::ScratchDirectory scratch_;
    store::StateDirectory state_ =
        store::test::value(store::StateDirectory::open(scratch_ / "state", false));
    store::JobDirectory job_ = store::test::value(store::JobDirectory::create(state_, "true"));
    store::LogReader reader_ = store::test::value(store::LogReader::open(job_));
};

}  // namespace bgshell::jobs::test
