#include "tools/job_facts.hpp"

#include <algorithm>
#include <iterator>

#include "text/duration.hpp"
#include "text/quote.hpp"
#include "text/utf8.hpp"
#include "tools/job_line.hpp"
#include "tools/output_block.hpp"
#include "tools/structure.hpp"

namespace bgshell::tools {
namespace {

constexpr std::size_t kLongestQuoted = 1000;  // its escapes are escaped once more
constexpr std::size_t kNamedRanges = 3;

std::string lost_text(const store::Range& missing) {
    return counted(missing.size(), "byte is", "bytes are") + " missing: the log ends at byte " +
           std::to_string(missing.from) + ", not at " + std::to_string(missing.to);
}

std::string mixed_text(const std::vector<store::Range>& mixed) {
    std::string text = "stdout and stderr could not be told apart in bytes ";
    const std::size_t named = std::min(mixed.size(), kNamedRanges);
    for (std::size_t i = 0; i < named; ++i) text += (i > 0 ? ", " : "") + range_text(mixed[i]);
    if (mixed.size() > named) text += " and " + std::to_string(mixed.size() - named) + " more";
    return text + ": both are shown";
}

}  // namespace

std::string path_text(const std::string& path) {
    const bool plain =
        text::is_valid_utf8(path) && std::none_of(path.begin(), path.end(), [](char c) {
            return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        });
    return plain ? path : text::quote(path, kLongestQuoted);
}

std::string log_fact(const jobs::JobSnapshot& job, const jobs::OutputView* view,
                     const Manner& manner) {
    std::string fact = "log " + path_text(job.log_path);
    const bool outgrown = job.bytes_stored > job.row.spec.output_limit_bytes;
    if (!outgrown && (view == nullptr || !view->rolled)) return fact;
    return fact + " (rolled, with holes: read it with " + manner.tool("output") + ")";
}

std::optional<std::string> cut_fact(const jobs::JobSnapshot& job, const jobs::OutputView* view,
                                    const Manner& manner) {
    if (view == nullptr || !is_cut(*view)) return std::nullopt;
    return log_fact(job, view, manner);
}

std::optional<std::string> end_fact(const jobs::JobSnapshot& job, const jobs::OutputView* view,
                                    const Manner& manner) {
    auto cut = cut_fact(job, view, manner);
    if (!is_bad_end(job) || job.row.cwd_given) return cut;
    return "cwd " + path_text(job.row.spec.cwd) + (cut ? ", " + *cut : "");
}

std::optional<std::string> leftovers_fact(const jobs::JobSnapshot& job) {
    if (job.leftovers.empty()) return std::nullopt;
    std::string fact = "left over: ";
    const std::size_t named = std::min(job.leftovers.size(), kNamedOfJob);
    for (std::size_t i = 0; i < named; ++i) {
        if (i > 0) fact += ", ";
        fact +=
            std::to_string(job.leftovers[i].pid) + " " + text::quote(job.leftovers[i].command, 100);
    }
    if (job.leftover_count > named) {
        fact += " and " + std::to_string(job.leftover_count - named) + " more";
    }
    if (job.unwatched()) {
        return fact + "; the job's keeper is gone: they may still run, and nothing stops them";
    }
    const jobs::Milliseconds limit{job.row.spec.runtime_limit_ms};
    return fact + "; stopped by cancel, with the session or at the limit in " +
           text::format_duration(limit - job.elapsed - job.ended_age);
}

std::vector<std::string> view_facts(const jobs::JobSnapshot& job, const jobs::OutputView& view,
                                    store::Stream stream) {
    std::vector<std::string> facts;
    if (view.missing.size() > 0) facts.push_back(lost_text(view.missing));
    if (!view.mixed.empty()) facts.push_back(mixed_text(view.mixed));
    const bool shows = !view.text.empty() || !view.matches.empty();
    if (job.row.spec.split_stderr && shows && stream == store::Stream::both) {
        facts.emplace_back(
            "stdout and stderr come by two pipes: the order between them is approximate");
    }
    return facts;
}

std::string mebibytes_text(std::uint64_t bytes) {
    if (bytes % kMebibyte == 0) return std::to_string(bytes / kMebibyte) + " MiB";
    return counted(bytes, "byte", "bytes");
}

void add(std::vector<std::string>& facts, std::optional<std::string> fact) {
    if (fact) facts.push_back(std::move(*fact));
}

void add(std::vector<std::string>& facts, std::vector<std::string> more) {
    std::move(more.begin(), more.end(), std::back_inserter(facts));
}

}  // namespace bgshell::tools
