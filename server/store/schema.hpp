// The registry's schema: numbered forward migrations. The file's user_version is the number of the
// last one that was applied.
#pragma once

#include "store/database.hpp"

namespace bgshell::store {

inline constexpr int kSchemaVersion = 1;

// Brings the database to kSchemaVersion, whoever else does so at the same time, and configures the
// connection. A newer one is refused (ErrorKind::newer) before anything is written.
[[nodiscard]] Result<void> migrate(Database& database, bool network);

}  // namespace bgshell::store
