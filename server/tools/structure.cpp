#include "tools/structure.hpp"

#include <array>
#include <chrono>
#include <cstdio>

#include "text/json_size.hpp"
#include "text/utf8.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;

constexpr std::size_t kCommandCharacters = 200;
// Bytes as written.
constexpr std::size_t kPathJson = 4096;  // PATH_MAX; as much is kept of a command
constexpr std::size_t kProcessJson = 400;

void put(json::object& object, std::string_view key, std::string_view text) {
    if (!text.empty()) object[key] = text;
}

// Of a command: up to 200 characters.
std::string beginning(std::string_view command) {
    // No character comes from more than 4 bytes.
    const std::string valid = text::sanitize(command.substr(0, kCommandCharacters * 4));
    return std::string{text::first_characters(valid, kCommandCharacters)};
}

// As long as such a text may be, but not several times that for its escapes.
std::string bounded(std::string_view text, std::size_t most = kPathJson) {
    const std::string valid = text::sanitize(text);
    return std::string{text::cut_to_json_size(valid, most)};
}

void put(json::object& object, std::string_view key, bool flag) {
    if (flag) object[key] = true;
}

void put_end(json::object& object, const jobs::JobSnapshot& job) {
    if (!keeper::is_ended(job.row.state)) return;
    object["ended"] = rfc3339(job.row.ended);
    if (!job.row.exit) return;
    const keeper::ExitRecord& end = *job.row.exit;
    object["started"] = rfc3339(end.started);
    if (end.exit_code) object["exit_code"] = *end.exit_code;
    if (end.signal) object["signal"] = keeper::signal_name(*end.signal);
    put(object, "reason", end.error.empty() ? end.reason : end.error);
    object["bytes_at_end"] = end.bytes_at_end;
    object["capture_complete"] =
        end.capture_complete && (!job.row.after || job.row.after->capture_complete);
}

}  // namespace

std::string rfc3339(platform::WallTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{time - day};
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()),
                  static_cast<int>(clock.subseconds().count()));
    return text.data();
}

json::value seconds(jobs::Milliseconds duration) {
    if (duration.count() % 1000 == 0) return duration.count() / 1000;
    return static_cast<double>(duration.count()) / 1000.0;
}

json::array process_array(const std::vector<jobs::ProcessName>& processes) {
    json::array array;
    for (const jobs::ProcessName& process : processes) {
        if (array.size() == kNamedOfJob) break;
        json::object entry;
        entry["pid"] = process.pid;
        entry["command"] = bounded(process.command, kProcessJson);
        put(entry, "user", process.user);
        array.push_back(std::move(entry));
    }
    return array;
}

json::object job_object(const jobs::JobSnapshot& job, CommandText command) {
    const keeper::JobSpec& spec = job.row.spec;
    json::object object;
    object["id"] = spec.id.text();
    put(object, "title", std::string_view{spec.title});
    object["state"] = keeper::to_string(job.row.state);
    const std::string whole =
        command == CommandText::cut ? beginning(spec.command) : bounded(spec.command);
    put(object, "command", whole);
    put(object, "cwd", bounded(spec.cwd));
    put(object, "shell", bounded(spec.shell));
    put(object, "owner", std::string_view{spec.owner});
    put(object, "scope", bounded(spec.scope));
    if (job.row.pid > 0) object["pid"] = job.row.pid;
    object["created"] = rfc3339(spec.created);
    put_end(object, job);
    object["elapsed_ms"] = job.elapsed.count();
    object["runtime_limit_s"] = seconds(jobs::Milliseconds{spec.runtime_limit_ms});
    object["output_limit_bytes"] = spec.output_limit_bytes;
    object["bytes_produced"] = job.bytes_produced;
    object["bytes_stored"] = job.bytes_stored;
    object["unread_bytes"] = job.unread_bytes;
    if (job.last_output_age && !keeper::is_ended(job.row.state)) {
        object["last_output_age_ms"] = job.last_output_age->count();
    }
    put(object, "ready", job.row.ready && !keeper::is_ended(job.row.state));
    put(object, "service", spec.service);
    put(object, "earlier_session", job.earlier_session);
    if (!job.leftovers.empty()) object["leftovers"] = process_array(job.leftovers);
    put(object, "log_path", bounded(job.log_path));
    put(object, "key", std::string_view{spec.key});
    return object;
}

}  // namespace bgshell::tools
