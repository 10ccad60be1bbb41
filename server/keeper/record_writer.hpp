// RecordWriter: the keeper's two records on disk, exit.json and after.json.
#pragma once

#include <string_view>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

class RecordWriter {
  public:
    // Borrows `directory`, which must outlive this.
    explicit RecordWriter(int directory) noexcept : directory_{directory} {}

    // Takes the space of exit.json on disk, as exit.tmp, so that a disk that fills up later cannot
    // stop the record. Called before the shell starts.
    [[nodiscard]] platform::error_code reserve();
    // Writes exit.json (at most kExitRecordBytes) by renaming exit.tmp, without waiting for the
    // disk. May be tried again after an error. In a directory that was removed nothing is written,
    // and that is no error: nobody can ever read there.
    [[nodiscard]] platform::error_code write_exit(std::string_view text);
    // Waits until exit.json and its name are on the disk.
    [[nodiscard]] platform::error_code sync_exit() const;
    // Writes after.json, without waiting for the disk.
    [[nodiscard]] platform::error_code write_after(std::string_view text) const;

  private:
    int directory_;
    platform::UniqueFd exit_;
};

}  // namespace bgshell::keeper
