#include "store/looks_table.hpp"

namespace bgshell::store {

Result<std::uint64_t> LooksTable::find(const std::string& caller, const keeper::JobId& job) {
    auto cursor = find_.run(job.text(), caller);
    auto row = cursor.step();
    if (!row) return row.error();
    return *row ? static_cast<std::uint64_t>(cursor.integer(0)) : 0;
}

Result<void> LooksTable::move(const Seen& seen) {
    auto done = move_.run(seen.job.text(), seen.caller, seen.offset).drain();
    if (!done) return done.error();
    return {};
}

}  // namespace bgshell::store
