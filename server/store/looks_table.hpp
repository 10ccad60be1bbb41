// LooksTable: the statements over `looks`: up to where each caller has been shown each job's log.
#pragma once

#include <cstdint>
#include <string>

#include "keeper/job_state.hpp"
#include "store/database.hpp"
#include "store/seen.hpp"

namespace bgshell::store {

class LooksTable {
  public:
    explicit LooksTable(Database& database) : database_{database} {}

    // 0 if never.
    [[nodiscard]] Result<std::uint64_t> find(const std::string& caller, const keeper::JobId& job);
    // Never moves back; nothing for a job that has been removed.
    [[nodiscard]] Result<void> move(const Seen& seen);

  private:
    Database& database_;
    Statement find_{database_, "SELECT offset FROM looks WHERE job = ?1 AND caller = ?2"};
    Statement move_{database_,
                    "INSERT INTO looks (job, caller, offset)"
                    " SELECT id, ?2, ?3 FROM jobs WHERE id = ?1"
                    " ON CONFLICT (job, caller) DO UPDATE SET offset = max(offset, ?3)"};
};

}  // namespace bgshell::store
