#include "store/owners_table.hpp"

namespace bgshell::store {

Result<void> OwnersTable::put(const OwnerRow& owner) {
    auto done =
        put_.run(owner.id, owner.client, owner.scope, owner.started.time_since_epoch().count())
            .drain();
    if (!done) return done.error();
    return {};
}

Result<std::vector<OwnerRow>> OwnersTable::all() {
    return read_all(all_.run());
}

Result<std::vector<OwnerRow>> OwnersTable::without_jobs() {
    return read_all(without_jobs_.run());
}

Result<std::vector<OwnerRow>> OwnersTable::read_all(Cursor cursor) {
    std::vector<OwnerRow> rows;
    while (true) {
        auto row = cursor.step();
        if (!row) return row.error();
        if (!*row) return rows;
        rows.push_back({std::string{cursor.text(0)}, std::string{cursor.text(1)},
                        std::string{cursor.text(2)},
                        platform::WallTime{platform::Milliseconds{cursor.integer(3)}}});
    }
}

Result<void> OwnersTable::remove(const std::string& id) {
    auto done = remove_.run(id).drain();
    if (!done) return done.error();
    return {};
}

}  // namespace bgshell::store
