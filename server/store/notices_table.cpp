#include "store/notices_table.hpp"

namespace bgshell::store {

Result<Notice> NoticesTable::add(const keeper::JobId& job, NoticeKind kind, const std::string& text,
                                 platform::WallTime created) {
    auto cursor = add_.run(job.text(), to_string(kind), text, created.time_since_epoch().count());
    auto row = cursor.step();
    if (!row) return row.error();
    if (!*row) return Error{ErrorKind::not_found, "There is no job " + job.text() + "."};
    return read(cursor);
}

Result<std::vector<Notice>> NoticesTable::untold(const std::string& owner) {
    std::vector<Notice> notices;
    auto cursor = untold_.run(owner);
    while (true) {
        auto row = cursor.step();
        if (!row) return row.error();
        if (!*row) return notices;
        auto notice = read(cursor);
        if (!notice) return notice.error();
        notices.push_back(std::move(*notice));
    }
}

Result<void> NoticesTable::mark_told(std::int64_t row) {
    auto done = mark_told_.run(row).drain();
    if (!done) return done.error();
    return {};
}

Result<Notice> NoticesTable::read(const Cursor& cursor) const {
    const auto job = keeper::JobId::parse(cursor.text(1));
    const auto kind = parse_notice_kind(cursor.text(2));
    if (!job || !kind) return database_.damaged("a notice cannot be read");
    Notice notice;
    notice.row = cursor.integer(0);
    notice.job = *job;
    notice.kind = *kind;
    notice.seq = cursor.integer(3);
    notice.text = cursor.text(4);
    notice.owner = cursor.text(5);
    notice.created = platform::WallTime{platform::Milliseconds{cursor.integer(6)}};
    return notice;
}

}  // namespace bgshell::store
