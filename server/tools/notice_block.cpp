#include "tools/notice_block.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "text/duration.hpp"
#include "text/quote.hpp"
#include "text/title.hpp"
#include "tools/job_line.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;
using jobs::JobSnapshot;
using jobs::NoticeItem;
using store::NoticeKind;

std::string full_line(const NoticeItem& item, const std::string& send_tool) {
    const JobSnapshot& job = item.job;
    std::string line;
    if (item.again) line += "again: ";
    if (item.earlier_session) line += "from an earlier session: ";
    line += job_name(job);
    switch (item.notice.kind) {
        case NoticeKind::ended:
            line += " " + state_text(job) + news_text(job, Unread::left_out);
            if (is_bad_end(job) && !item.last_line.empty()) {
                line += "; last line (untrusted): " + text::quote(item.last_line);
            }
            break;
        case NoticeKind::limit_near: {
            const jobs::Milliseconds limit{job.row.spec.runtime_limit_ms};
            line += " is stopped in " + text::format_duration(limit - job.elapsed) +
                    " by its limit of " + text::format_duration(limit) + "; " + send_tool +
                    " {\"id\":\"" + job.row.spec.id.text() + "\",\"runtime_limit_s\":N}";
            break;
        }
        case NoticeKind::leftovers_ended:
            line += " leftovers ended";
            if (!item.notice.text.empty()) line += ": " + item.notice.text;
            break;
    }
    return line;
}

std::string short_word(const NoticeItem& item) {
    std::string id = item.job.row.spec.id.text();
    switch (item.notice.kind) {
        case NoticeKind::ended:
            return id + " " + result_word(item.job);
        case NoticeKind::limit_near:
            return id + " near its limit";
        case NoticeKind::leftovers_ended:
            return id + " leftovers ended";
    }
    return id;
}

json::object notice_object(const NoticeItem& item) {
    const JobSnapshot& job = item.job;
    json::object object;
    object["id"] = job.row.spec.id.text();
    object["kind"] = store::to_string(item.notice.kind);
    if (!job.row.spec.title.empty()) object["title"] = job.row.spec.title;
    object["state"] = keeper::to_string(job.row.state);
    if (job.row.exit && job.row.exit->exit_code) object["exit_code"] = *job.row.exit->exit_code;
    if (job.row.exit && job.row.exit->signal) {
        object["signal"] = keeper::signal_name(*job.row.exit->signal);
    }
    if (!item.notice.text.empty()) object["text"] = item.notice.text;
    if (!item.last_line.empty()) object["last_line"] = item.last_line;
    if (item.again) object["again"] = true;
    if (item.earlier_session) object["earlier_session"] = true;
    return object;
}

// A warning of what has meanwhile happened would be false.
bool is_overtaken(const NoticeItem& item) {
    return item.notice.kind == NoticeKind::limit_near && keeper::is_ended(item.job.row.state);
}

}  // namespace

NoticeText notice_text(const jobs::NoticeBlock& notices, const std::vector<jobs::JobId>& stated,
                       const std::string& send_tool, std::size_t limit) {
    NoticeText text;
    std::vector<const NoticeItem*> told;
    bool any_end = false;
    std::size_t bytes = 0;
    for (const NoticeItem& item : notices.items) {
        if (text.rows.size() == limit) break;
        json::object object = notice_object(item);
        bytes += json::serialize(object).size();
        if (bytes > kNoticeBytes) break;
        text.rows.push_back(item.notice.row);
        if (is_overtaken(item)) continue;
        text.structure.push_back(std::move(object));
        const bool is_end = item.notice.kind == NoticeKind::ended;
        if (is_end &&
            std::find(stated.begin(), stated.end(), item.job.row.spec.id) != stated.end()) {
            continue;
        }
        any_end = any_end || is_end;
        told.push_back(&item);
    }
    for (const auto& [job, answered] : notices.lost_starts) {
        if (text.lines.size() == kFullNotices) break;
        const bool ended = keeper::is_ended(job.row.state);
        text.lines.push_back("the start call that was " +
                             std::string{answered ? "answered, then cancelled, " : "cut off "} +
                             (ended ? "ran as " : "runs as ") + job.row.spec.id.text() + ": " +
                             text::title_of(job.row.spec.command));
        json::object object;
        object["id"] = job.row.spec.id.text();
        object["kind"] = "lost_start";
        object["state"] = keeper::to_string(job.row.state);
        text.structure.push_back(std::move(object));
    }
    if (told.empty()) return text;
    text.lines.push_back(any_end ? "also ended since you last looked:"
                                 : "also since you last looked:");
    for (std::size_t i = 0; i < std::min(told.size(), kFullNotices); ++i) {
        text.lines.push_back(full_line(*told[i], send_tool));
    }
    if (told.size() <= kFullNotices) return text;
    std::string rest = "and " + std::to_string(told.size() - kFullNotices) + " more: ";
    for (std::size_t i = kFullNotices; i < told.size(); ++i) {
        if (i > kFullNotices) rest += ", ";
        rest += short_word(*told[i]);
    }
    text.lines.push_back(std::move(rest));
    return text;
}

}  // namespace bgshell::tools
