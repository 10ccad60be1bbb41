// What the store's tests share: a directory that goes away, and jobs to put into it.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "store/registry.hpp"

namespace bgshell::store::test {

class ScratchDirectory {
  public:
    ScratchDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "bgshell-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~ScratchDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return path_ + "/" + name;
    }

  private:
    std::string path_;
};

inline platform::WallTime at(std::int64_t milliseconds) {
    return platform::WallTime{platform::Milliseconds{milliseconds}};
}

// The value of a result; fails the test with the error's text if there is none.
template <class T>
T value(Result<T> result) {
    if (!result) FAIL(result.error().text());
    return std::move(*result);
}
inline void ok(const Result<void>& result) {
    if (!result) FAIL(result.error().text());
}
// The error of a result that must have one.
template <class T>
Error error_of(const Result<T>& result) {
    REQUIRE(result.has_error());
    return result.error();
}

inline std::unique_ptr<Registry> open_registry(const ScratchDirectory& directory) {
    return value(Registry::open(directory / "registry.db"));
}

inline keeper::JobSpec sample_spec(const std::string& owner = "owner1") {
    keeper::JobSpec spec;
    spec.id = keeper::JobId::random();
    spec.command = "make -j2";
    spec.cwd = "/home/u/project";
    spec.shell = "/bin/bash";
    spec.owner = owner;
    spec.scope = "/home/u/project";
    spec.client = "claude-code";
    spec.created = at(1'000);
    spec.runtime_limit_ms = 1'800'000;
    spec.output_limit_bytes = 1000;
    return spec;
}

inline Admission admission(keeper::JobSpec spec) {
    Admission asked;
    asked.row.spec = std::move(spec);
    asked.row.reserved_bytes = asked.row.spec.output_limit_bytes;
    asked.disk_budget_bytes = 1 << 20;
    asked.least_bytes = 100;
    return asked;
}

// Admits the job; it must fit.
inline keeper::JobId admit(Registry& registry, keeper::JobSpec spec) {
    const auto id = spec.id;
    const auto answer = value(registry.admit(admission(std::move(spec))));
    REQUIRE(std::holds_alternative<Admitted>(answer));
    return id;
}

inline keeper::ExitRecord sample_exit(const keeper::JobId& id, int code = 0) {
    keeper::ExitRecord record;
    record.id = id;
    record.state = code == 0 ? keeper::JobState::succeeded : keeper::JobState::failed;
    record.exit_code = code;
    record.started = at(1'001);
    record.ended = at(5'000);
    record.elapsed_ms = 3'999;
    record.bytes_at_end = 20;
    record.bytes_produced = 20;
    record.bytes_stored = 20;
    return record;
}

inline keeper::AfterRecord sample_after(const keeper::JobId& id) {
    keeper::AfterRecord record;
    record.id = id;
    record.ended = at(5'100);
    record.bytes_produced = 20;
    record.bytes_stored = 20;
    return record;
}

// Ends and settles a job that takes `disk_bytes`.
inline void finish(Registry& registry, const keeper::JobId& id, std::uint64_t disk_bytes,
                   bool notify = false) {
    CHECK(value(registry.record_end(sample_exit(id), notify)));
    CHECK(value(registry.record_after(sample_after(id), disk_bytes, false)));
}

}  // namespace bgshell::store::test
