#include "keeper/records.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <concepts>
#include <functional>
#include <limits>
#include <utility>

#include "keeper/valid_text.hpp"

namespace bgshell::keeper {
namespace {

namespace json = boost::json;

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMaxCommand = 4096;  // of spec.json
constexpr std::size_t kMaxProcess = 200;   // ProcessName::command
constexpr std::size_t kMaxNamed = 16;      // leftovers of exit.json
constexpr std::size_t kNoBound = std::numeric_limits<std::size_t>::max();
constexpr platform::WallTime kLatestTime{std::chrono::sys_days{std::chrono::year{10'000} / 1 / 1}};

constexpr std::array<std::pair<LeftoverFate, std::string_view>, 3> kFates{{
    {LeftoverFate::exited, "exited"},
    {LeftoverFate::killed, "killed"},
    {LeftoverFate::survived, "survived"},
}};

std::optional<LeftoverFate> parse_fate(std::string_view word) {
    const auto* found = std::ranges::find(kFates, word, &decltype(kFates)::value_type::second);
    if (found == kFates.end()) return std::nullopt;
    return found->first;
}

// ---- writing. Empty strings and false flags are left out.

class ObjectWriter {
  public:
    void text(std::string_view name, std::string_view value, std::size_t max_bytes = kNoBound) {
        if (!value.empty()) object_[name] = valid_text(value, max_bytes);
    }
    void flag(std::string_view name, bool value) {
        if (value) object_[name] = true;
    }
    // A flag that is always written, because true is the ordinary value.
    void either(std::string_view name, bool value) { object_[name] = value; }
    template <std::integral T>
    void number(std::string_view name, T value) {
        object_[name] = value;
    }
    void time(std::string_view name, platform::WallTime value) {
        number(name, std::int64_t{value.time_since_epoch().count()});
    }
    void list(std::string_view name, json::array items) {
        if (!items.empty()) object_[name] = std::move(items);
    }
    [[nodiscard]] json::object take() && { return std::move(object_); }
    [[nodiscard]] std::string serialize() const { return json::serialize(object_); }

  private:
    json::object object_;
};

ObjectWriter begin_record(const JobId& id) {
    ObjectWriter writer;
    writer.number("version", kVersion);
    writer.text("id", id.text());
    return writer;
}

void put_process(ObjectWriter& writer, const ProcessName& process) {
    writer.number("pid", process.pid);
    writer.text("command", process.command, kMaxProcess);
    writer.text("user", process.user);
}

// ---- reading

// Reads the members of one foreign object. After the first one that is absent without leave, of the
// wrong type or out of range, `ok` is false for good. Members that are not asked for are ignored.
class ObjectReader {
  public:
    explicit ObjectReader(const json::value& value) : object_{value.if_object()} {
        ok_ = object_ != nullptr;
    }

    [[nodiscard]] bool has(std::string_view name) const {
        return object_ != nullptr && object_->if_contains(name) != nullptr;
    }
    void text(std::string_view name, std::string& value) {
        const json::value* member = find(name);
        if (member == nullptr) return;
        const json::string* string = member->if_string();
        require(string != nullptr);
        if (string != nullptr) value.assign(string->data(), string->size());
    }
    void flag(std::string_view name, bool& value) {
        const json::value* member = find(name);
        if (member == nullptr) return;
        const bool* flag = member->if_bool();
        require(flag != nullptr);
        if (flag != nullptr) value = *flag;
    }
    template <std::integral T>
    void number(std::string_view name, T& value, T least = 0,
                T most = std::numeric_limits<T>::max()) {
        const json::value* member = find(name);
        require(member != nullptr);
        if (member == nullptr) return;
        if (const std::int64_t* small = member->if_int64()) {
            take(*small, value, least, most);
        } else if (const std::uint64_t* large = member->if_uint64()) {
            take(*large, value, least, most);
        } else {
            require(false);
        }
    }
    void time(std::string_view name, platform::WallTime& value) {
        std::int64_t count = 0;
        number(name, count, std::int64_t{0}, kLatestTime.time_since_epoch().count() - 1);
        value = platform::WallTime{platform::Milliseconds{count}};
    }
    // A word that `parse` knows.
    template <class Parse, class T>
    void word(std::string_view name, Parse parse, T& value) {
        std::string text_value;
        text(name, text_value);
        const auto parsed = parse(text_value);
        require(parsed.has_value());
        if (parsed) value = *parsed;
    }
    // The items of a list, empty if it is absent.
    [[nodiscard]] const json::array& list(std::string_view name) {
        static const json::array kNone;
        const json::value* member = find(name);
        if (member == nullptr) return kNone;
        const json::array* items = member->if_array();
        require(items != nullptr);
        return items != nullptr ? *items : kNone;
    }

    void require(bool holds) noexcept { ok_ = ok_ && holds; }
    [[nodiscard]] bool ok() const noexcept { return ok_; }

  private:
    [[nodiscard]] const json::value* find(std::string_view name) const {
        return object_ != nullptr ? object_->if_contains(name) : nullptr;
    }
    template <class From, class T>
    void take(From from, T& value, T least, T most) {
        const bool in_range =
            std::cmp_greater_equal(from, least) && std::cmp_less_equal(from, most);
        require(in_range);
        if (in_range) value = static_cast<T>(from);
    }

    const json::object* object_;
    bool ok_ = false;
};

void read_head(ObjectReader& reader, JobId& id) {
    std::int64_t version = 0;
    reader.number("version", version, kVersion, kVersion);
    reader.word("id", JobId::parse, id);
}

void read_process(ObjectReader& reader, ProcessName& process) {
    reader.number("pid", process.pid);
    reader.text("command", process.command);
    reader.text("user", process.user);
}

// Calls `read(ObjectReader&)` with the object that `text` holds, unless there is none.
template <class Read>
bool read_record(std::string_view text, Read read) {
    const std::size_t end = text.find_last_not_of(std::string_view{" \t\r\n\0", 5});
    text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    json::error_code error;
    const json::value value = json::parse(text, error);
    if (error) return false;
    ObjectReader reader{value};
    read(reader);
    return reader.ok();
}

std::string serialize_exit(const ExitRecord& record) {
    ObjectWriter writer = begin_record(record.id);
    writer.text("state", to_string(record.state));
    if (record.exit_code) writer.number("exit_code", *record.exit_code);
    if (record.signal) writer.text("signal", signal_name(*record.signal));
    writer.text("error", record.error);
    writer.text("reason", record.reason);
    writer.flag("by_person", record.by_person);
    writer.flag("out_of_memory", record.out_of_memory);
    writer.time("started_ms", record.started);
    writer.time("ended_ms", record.ended);
    writer.number("elapsed_ms", record.elapsed_ms);
    writer.number("bytes_at_end", record.bytes_at_end);
    writer.number("bytes_produced", record.bytes_produced);
    writer.number("bytes_stored", record.bytes_stored);
    writer.either("capture_complete", record.capture_complete);
    writer.text("capture_cause", record.capture_cause);
    writer.number("leftover_count", record.leftover_count);
    json::array leftovers;
    for (const ProcessName& process : record.leftovers) {
        ObjectWriter item;
        put_process(item, process);
        leftovers.emplace_back(std::move(item).take());
    }
    writer.list("leftovers", std::move(leftovers));
    return writer.serialize();
}

}  // namespace

std::string_view to_string(LeftoverFate fate) noexcept {
    const auto* found = std::ranges::find(kFates, fate, &decltype(kFates)::value_type::first);
    return found == kFates.end() ? std::string_view{} : found->second;
}

std::string encode_spec(const JobSpec& spec) {
    ObjectWriter writer = begin_record(spec.id);
    writer.text("title", spec.title);
    writer.text("command", spec.command, kMaxCommand);
    writer.text("cwd", spec.cwd);
    writer.text("shell", spec.shell);
    writer.text("owner", spec.owner);
    writer.text("scope", spec.scope);
    writer.text("client", spec.client);
    writer.text("key", spec.key);
    writer.time("created_ms", spec.created);
    writer.number("runtime_limit_ms", spec.runtime_limit_ms);
    writer.flag("service", spec.service);
    writer.number("output_limit_bytes", spec.output_limit_bytes);
    writer.text("output_limit_mode", to_string(spec.output_limit_mode));
    writer.flag("open_stdin", spec.open_stdin);
    writer.flag("split_stderr", spec.split_stderr);
    return writer.serialize();
}

std::optional<JobSpec> decode_spec(std::string_view text) {
    JobSpec spec;
    const bool valid = read_record(text, [&](ObjectReader& reader) {
        read_head(reader, spec.id);
        reader.text("title", spec.title);
        reader.text("command", spec.command);
        reader.text("cwd", spec.cwd);
        reader.text("shell", spec.shell);
        reader.text("owner", spec.owner);
        reader.text("scope", spec.scope);
        reader.text("client", spec.client);
        reader.text("key", spec.key);
        reader.time("created_ms", spec.created);
        reader.number("runtime_limit_ms", spec.runtime_limit_ms);
        reader.flag("service", spec.service);
        reader.number("output_limit_bytes", spec.output_limit_bytes);
        reader.word("output_limit_mode", parse_output_limit_mode, spec.output_limit_mode);
        reader.flag("open_stdin", spec.open_stdin);
        reader.flag("split_stderr", spec.split_stderr);
    });
    if (!valid) return std::nullopt;
    return spec;
}

std::string encode_exit(const ExitRecord& record) {
    ExitRecord fitting = record;
    if (fitting.leftovers.size() > kMaxNamed) fitting.leftovers.resize(kMaxNamed);
    std::string text = serialize_exit(fitting);
    while (text.size() > kExitRecordBytes) {
        // The names of leftovers are the least of it; of the texts the longest gives.
        if (!fitting.leftovers.empty()) {
            fitting.leftovers.pop_back();
        } else {
            std::string& longest = std::max(
                {std::ref(fitting.error), std::ref(fitting.reason),
                 std::ref(fitting.capture_cause)},
                [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
            longest = valid_text(longest, longest.size() / 2);
        }
        text = serialize_exit(fitting);
    }
    return text;
}

std::optional<ExitRecord> decode_exit(std::string_view text) {
    ExitRecord record;
    if (text.size() > kExitRecordBytes) return std::nullopt;
    const bool valid = read_record(text, [&](ObjectReader& reader) {
        read_head(reader, record.id);
        reader.word("state", parse_job_state, record.state);
        if (reader.has("exit_code")) reader.number("exit_code", record.exit_code.emplace(), 0, 255);
        if (reader.has("signal")) reader.word("signal", parse_signal_name, record.signal.emplace());
        reader.text("error", record.error);
        reader.text("reason", record.reason);
        reader.flag("by_person", record.by_person);
        reader.flag("out_of_memory", record.out_of_memory);
        reader.time("started_ms", record.started);
        reader.time("ended_ms", record.ended);
        reader.number("elapsed_ms", record.elapsed_ms);
        reader.number("bytes_at_end", record.bytes_at_end);
        reader.number("bytes_produced", record.bytes_produced);
        reader.number("bytes_stored", record.bytes_stored);
        reader.flag("capture_complete", record.capture_complete);
        reader.text("capture_cause", record.capture_cause);
        reader.number("leftover_count", record.leftover_count);
        for (const json::value& item : reader.list("leftovers")) {
            ObjectReader member{item};
            read_process(member, record.leftovers.emplace_back());
            reader.require(member.ok());
        }
        const int ends = int{record.exit_code.has_value()} + int{record.signal.has_value()} +
                         int{!record.error.empty()};
        reader.require(ends == 1);
        reader.require(is_ended(record.state) && record.state != JobState::lost);
        reader.require(record.state != JobState::succeeded || record.exit_code == 0);
        reader.require(record.leftovers.size() <= kMaxNamed &&
                       record.leftovers.size() <= record.leftover_count);
    });
    if (!valid) return std::nullopt;
    return record;
}

std::string encode_after(const AfterRecord& record) {
    ObjectWriter writer = begin_record(record.id);
    writer.time("ended_ms", record.ended);
    writer.number("bytes_produced", record.bytes_produced);
    writer.number("bytes_stored", record.bytes_stored);
    writer.either("capture_complete", record.capture_complete);
    writer.text("capture_cause", record.capture_cause);
    writer.text("leftovers_stopped_by", record.leftovers_stopped_by);
    json::array leftovers;
    for (const AfterRecord::Fate& fate : record.leftovers) {
        ObjectWriter item;
        put_process(item, fate.process);
        item.text("fate", to_string(fate.fate));
        leftovers.emplace_back(std::move(item).take());
    }
    writer.list("leftovers", std::move(leftovers));
    return writer.serialize();
}

std::optional<AfterRecord> decode_after(std::string_view text) {
    AfterRecord record;
    const bool valid = read_record(text, [&](ObjectReader& reader) {
        read_head(reader, record.id);
        reader.time("ended_ms", record.ended);
        reader.number("bytes_produced", record.bytes_produced);
        reader.number("bytes_stored", record.bytes_stored);
        reader.flag("capture_complete", record.capture_complete);
        reader.text("capture_cause", record.capture_cause);
        reader.text("leftovers_stopped_by", record.leftovers_stopped_by);
        for (const json::value& item : reader.list("leftovers")) {
            ObjectReader member{item};
            AfterRecord::Fate& fate = record.leftovers.emplace_back();
            read_process(member, fate.process);
            member.word("fate", parse_fate, fate.fate);
            reader.require(member.ok());
        }
    });
    if (!valid) return std::nullopt;
    return record;
}

}  // namespace bgshell::keeper
