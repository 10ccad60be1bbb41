// OwnersTable: the statements over `owners`.
#pragma once

#include <string>
#include <vector>

#include "store/database.hpp"
#include "store/owner_row.hpp"

namespace bgshell::store {

class OwnersTable {
  public:
    explicit OwnersTable(Database& database) : database_{database} {}

    [[nodiscard]] Result<void> put(const OwnerRow& owner);
    // Oldest first.
    [[nodiscard]] Result<std::vector<OwnerRow>> all();
    // Those of no job, oldest first.
    [[nodiscard]] Result<std::vector<OwnerRow>> without_jobs();
    [[nodiscard]] Result<void> remove(const std::string& id);

  private:
    [[nodiscard]] static Result<std::vector<OwnerRow>> read_all(Cursor cursor);

    Database& database_;
    Statement put_{database_,
                   "INSERT INTO owners (id, client, scope, started) VALUES (?1, ?2, ?3, ?4)"
                   " ON CONFLICT (id) DO UPDATE SET client = ?2, scope = ?3, started = ?4"};
    Statement all_{database_, "SELECT id, client, scope, started FROM owners ORDER BY started, id"};
    Statement without_jobs_{database_,
                            "SELECT id, client, scope, started FROM owners"
                            " WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.owner = owners.id)"
                            " ORDER BY started, id"};
    Statement remove_{database_, "DELETE FROM owners WHERE id = ?1"};
};

}  // namespace bgshell::store
