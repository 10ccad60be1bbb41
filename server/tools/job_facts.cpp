#include "tools/job_facts.hpp"

#include <algorithm>

#include "text/duration.hpp"
#include "text/quote.hpp"
#include "text/utf8.hpp"
#include "tools/job_line.hpp"
#include "tools/structure.hpp"

namespace bgshell::tools {
namespace {

constexpr std::size_t kLongestQuoted = 1000;  // its escapes are escaped once more

}  // namespace

std::string path_text(const std::string& path) {
    const bool plain =
        text::is_valid_utf8(path) && std::none_of(path.begin(), path.end(), [](char c) {
            return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        });
    return plain ? path : text::quote(path, kLongestQuoted);
}

std::optional<std::string> end_fact(const jobs::JobSnapshot& job, bool cut) {
    std::string fact;
    if (is_bad_end(job) && !job.row.cwd_given) fact = "cwd " + path_text(job.row.spec.cwd);
    if (cut) {
        if (!fact.empty()) fact += ", ";
        fact += "log " + path_text(job.log_path);
    }
    if (fact.empty()) return std::nullopt;
    return fact;
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

std::optional<std::string> order_fact(const jobs::JobSnapshot& job, const jobs::OutputView& view) {
    if (!job.row.spec.split_stderr || (view.text.empty() && view.matches.empty()))
        return std::nullopt;
    return "stdout and stderr come by two pipes: the order between them is approximate";
}

std::string mebibytes_text(std::uint64_t bytes) {
    if (bytes % kMebibyte == 0) return std::to_string(bytes / kMebibyte) + " MiB";
    return counted(bytes, "byte", "bytes");
}

void add(std::vector<std::string>& facts, std::optional<std::string> fact) {
    if (fact) facts.push_back(std::move(*fact));
}

}  // namespace bgshell::tools
