// LogWriter: the job's `log` and `index`, written within the output limit. Used by one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keeper/index_file.hpp"
#include "keeper/output_limit.hpp"
#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

class LogWriter {
  public:
    // Makes the log (0600) in `directory`, which is borrowed and has neither file yet; the index is
    // made by its first entry, for most jobs have none. Where holes cannot be punched, mode `roll`
    // becomes `stop`: see mode().
    [[nodiscard]] static platform::Outcome<LogWriter> create(int directory, OutputLimitMode mode,
                                                             std::uint64_t limit_bytes);

    // Stores the bytes as far as the limit allows, after noting in the index where a stream begins.
    // `stream` is none for a job that does not split. Never fails: after a failed write nothing
    // more is stored, but counted (capture_cause).
    void append(std::string_view bytes, std::optional<IndexKind> stream);

    [[nodiscard]] OutputLimitMode mode() const noexcept { return mode_; }
    // All that the job printed, whether stored or not.
    [[nodiscard]] std::uint64_t produced() const noexcept { return produced_; }
    // The size of the log, holes counted.
    [[nodiscard]] std::uint64_t stored() const noexcept { return limit_.size(); }
    // Whether the output limit asks for the end of the job.
    [[nodiscard]] bool limit_reached() const noexcept {
        return !failure_ && limit_.reached(produced_);
    }
    // Why output is missing from the log; empty: none is, but for the hole of `roll`.
    [[nodiscard]] std::string capture_cause() const;

  private:
    LogWriter(int directory, platform::UniqueFd log, OutputLimitMode mode,
              std::uint64_t limit_bytes);
    platform::error_code store(std::string_view bytes);
    platform::error_code punch(const LogStep::Hole& hole, std::uint64_t log_size);
    platform::error_code note_stream(IndexKind stream);
    platform::error_code write_index(const IndexEntry& entry);
    platform::error_code write_log(std::string_view bytes);

    int directory_;
    platform::UniqueFd log_;
    platform::UniqueFd index_;
    OutputLimitMode mode_;
    OutputLimit limit_;
    std::uint64_t index_bytes_ = 0;
    std::uint64_t produced_ = 0;
    std::optional<IndexKind> stream_;
    platform::error_code failure_;
};

}  // namespace bgshell::keeper
