#include "store/settle.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "store/entry_names.hpp"
#include "store/job_directory.hpp"
#include "store/owner_lock.hpp"

namespace bgshell::store {
namespace {

using namespace std::chrono_literals;

// A start makes its directory and locks it within milliseconds; before that it must be left alone.
constexpr auto kStrayAge = 1min;

Error cannot_settle() {
    return Error{ErrorKind::busy, "A job has to be settled first. Try again."};
}

// Records the end that the directory tells of. Whether it has one.
Result<bool> take_exit(Registry& registry, const JobDirectory& directory) {
    const auto record = directory.read_exit();
    if (!record) return false;
    auto ended = registry.record_end(*record, true);
    if (!ended) return ended.error();
    return true;
}

Result<void> lose(Registry& registry, const JobRow& row, platform::WallTime now) {
    if (keeper::is_ended(row.state)) return {};
    auto lost = registry.record_lost(row.spec.id, now, true);
    if (!lost) return lost.error();
    return {};
}

Result<bool> finish(Registry& registry, const JobDirectory& directory) {
    const auto after = directory.read_after();
    const auto bytes = directory.disk_bytes();
    auto settled = after ? registry.record_after(*after, bytes, !after->leftovers.empty())
                         : registry.record_gone(directory.id(), bytes);
    if (!settled) return settled.error();
    return true;
}

bool has(const JobDirectory& directory, const char* name) {
    struct stat status {};
    return ::fstatat(directory.fd(), name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

// A keeper makes these, in this order, before its shell starts. Where the script is gone as well
// somebody has removed them.
bool never_started(const JobDirectory& directory) {
    return has(directory, "script") && !has(directory, "sock") && !has(directory, "exit.tmp") &&
           !has(directory, "exit.json") && !has(directory, "log");
}

// Forgets a start that was cut off before anything ran, so that its key may start it again. Whether
// it was one: a living owner tells of its own.
Result<bool> forget_start(const StateDirectory& state, Registry& registry, const JobRow& row,
                          JobDirectory& directory) {
    if (!never_started(directory)) return false;
    const auto alive = OwnerLock::is_alive(state, row.spec.owner);
    if (!alive) return alive.error();
    if (*alive) return false;
    if (auto removed = directory.remove(state); !removed) return removed.error();
    if (auto forgotten = registry.remove(row.spec.id); !forgotten) return forgotten.error();
    return true;
}

// Somebody holds the lock: the keeper, which tells its owner everything; a dead owner's job may
// have ended unheard, and only leftovers keep the keeper.
Result<bool> take_over(const StateDirectory& state, Registry& registry, const JobRow& row,
                       const JobDirectory& directory) {
    if (keeper::is_ended(row.state)) return false;
    auto alive = OwnerLock::is_alive(state, row.spec.owner);
    if (!alive) return alive.error();
    if (*alive) return false;
    auto taken = take_exit(registry, directory);
    if (!taken) return taken.error();
    return false;
}

// A start that ended before its admission left it: no spec, and a lock that nobody holds. A spec
// that cannot be read is no sign of that: what it belongs to is kept.
void remove_stray(const StateDirectory& state, JobDirectory& directory, platform::WallTime now) {
    struct stat status {};
    if (has(directory, "spec.json") || ::fstat(directory.fd(), &status) != 0) return;
    const platform::WallTime changed{std::chrono::seconds{status.st_mtim.tv_sec}};
    if (now - changed < kStrayAge) return;
    const auto locked = directory.try_lock();
    // What cannot be removed is in nobody's way; the next opening tries again.
    if (locked && *locked) static_cast<void>(directory.remove(state));
}

}  // namespace

Result<bool> settle_job(const StateDirectory& state, Registry& registry, const JobRow& row,
                        platform::WallTime now) {
    auto directory = JobDirectory::open(state, row.spec.id);
    if (!directory && directory.error().kind() == ErrorKind::not_found) {
        if (auto lost = lose(registry, row, now); !lost) return lost.error();
        if (auto gone = registry.record_gone(row.spec.id, 0); !gone) return gone.error();
        return true;
    }
    if (!directory) return directory.error();
    const auto locked = directory->try_lock();
    if (!locked) return locked.error();
    if (!*locked) return take_over(state, registry, row, *directory);

    if (!keeper::is_ended(row.state)) {
        auto taken = take_exit(registry, *directory);
        if (!taken) return taken.error();
        if (!*taken) {
            const auto forgotten = forget_start(state, registry, row, *directory);
            if (!forgotten) return forgotten.error();
            if (*forgotten) return true;
            if (auto lost = lose(registry, row, now); !lost) return lost.error();
        }
    }
    return finish(registry, *directory);
}

Result<std::vector<keeper::JobId>> settle(const StateDirectory& state, Registry& registry,
                                          platform::WallTime now) {
    auto rows = registry.unsettled();
    if (!rows) return rows.error();
    std::vector<keeper::JobId> settled;
    for (const auto& row : *rows) {
        auto done = settle_job(state, registry, row, now);
        // A directory that cannot be read keeps its slot, and must not keep all others unsettled.
        if (!done && done.error().kind() != ErrorKind::io) return done.error();
        if (done && *done) settled.push_back(row.spec.id);
    }
    return settled;
}

Result<void> settle_others(const StateDirectory& state, Registry& registry,
                           const std::string& owner, platform::WallTime now) {
    auto rows = registry.unsettled_of_others(owner);
    if (!rows) return rows.error();
    if (!rows->empty() && registry.read_only()) return cannot_settle();
    for (const auto& row : *rows) static_cast<void>(settle_job(state, registry, row, now));
    return {};
}

Result<std::optional<JobRow>> find_settled(const StateDirectory& state, Registry& registry,
                                           const keeper::JobId& id, platform::WallTime now) {
    auto row = registry.find(id);
    if (!row || !*row || (*row)->settled) return row;
    if (registry.read_only()) return cannot_settle();
    const auto settled = settle_job(state, registry, **row, now);
    if (!settled) return settled.error();
    return registry.find(id);
}

Result<std::uint32_t> take_in(const StateDirectory& state, Registry& registry,
                              platform::WallTime now) {
    const auto found = entry_names(state.jobs_fd());
    if (!found) {
        return Error{ErrorKind::io,
                     state.path() + "/jobs cannot be read: " + found.error().message() + ".",
                     found.error().value()};
    }
    // Asked after the directories were listed: a row is older than its spec.
    auto known = registry.ids();
    if (!known) return known.error();
    std::uint32_t taken = 0;
    for (const auto& name : *found) {
        const auto id = keeper::JobId::parse(name);
        if (!id || std::binary_search(known->begin(), known->end(), *id)) continue;
        auto directory = JobDirectory::open(state, *id);
        if (!directory) continue;  // removed meanwhile, or not ours to read
        const auto spec = directory->read_spec();
        if (!spec) {
            remove_stray(state, *directory, now);
            continue;
        }
        auto inserted = registry.insert_found(*spec);
        if (!inserted) return inserted.error();
        if (*inserted) ++taken;
    }
    return taken;
}

Result<void> bury_owners(const StateDirectory& state, Registry& registry) {
    auto owners = registry.owners_without_jobs();
    if (!owners) return owners.error();
    for (const auto& owner : *owners) {
        auto alive = OwnerLock::is_alive(state, owner.id);
        if (!alive || *alive || !OwnerLock::remove(state, owner.id)) continue;
        if (auto dropped = registry.drop_owner(owner.id); !dropped) return dropped;
    }
    return {};
}

}  // namespace bgshell::store
