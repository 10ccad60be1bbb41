// NoticesTable: the statements over `notices`. A notice is written in the transaction of its cause.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/database.hpp"
#include "store/notice.hpp"

namespace bgshell::store {

class NoticesTable {
  public:
    explicit NoticesTable(Database& database) : database_{database} {}

    // Takes the next `seq` and returns the notice with it; ErrorKind::not_found for an unknown job.
    [[nodiscard]] Result<Notice> add(const keeper::JobId& job, NoticeKind kind,
                                     const std::string& text, platform::WallTime created);
    // Oldest first.
    [[nodiscard]] Result<std::vector<Notice>> untold(const std::string& owner);
    [[nodiscard]] Result<void> mark_told(std::int64_t row);

  private:
    [[nodiscard]] Result<Notice> read(const Cursor& cursor) const;

    Database& database_;
    Statement add_{database_,
                   "INSERT INTO notices (job, kind, seq, owner, text, created, told)"
                   " SELECT id, ?2, 1 + coalesce((SELECT max(seq) FROM notices"
                   "                              WHERE job = ?1 AND kind = ?2), 0),"
                   " owner, ?3, ?4, 0 FROM jobs WHERE id = ?1"
                   " RETURNING number, job, kind, seq, text, owner, created"};
    Statement untold_{database_,
                      "SELECT number, job, kind, seq, text, owner, created FROM notices"
                      " WHERE told = 0 AND owner = ?1 ORDER BY number"};
    Statement mark_told_{database_, "UPDATE notices SET told = 1 WHERE number = ?1 AND told = 0"};
};

}  // namespace bgshell::store
