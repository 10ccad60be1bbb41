#include "keeper/records.hpp"

#include <doctest/doctest.h>

#include "unit/keeper/truncation.hpp"

namespace {

using namespace bgshell::keeper;
using bgshell::platform::Milliseconds;
using bgshell::platform::WallTime;

const JobId kId = *JobId::parse("k3f9x0ab");

WallTime at(std::int64_t ms) {
    return WallTime{Milliseconds{ms}};
}

JobSpec full_spec() {
    JobSpec spec;
    spec.id = kId;
    spec.title = "build \"it\"";
    spec.command = "make -j2\n# caf\xC3\xA9";
    spec.cwd = "/home/me/project";
    spec.shell = "/bin/bash";
    spec.owner = "f-1";
    spec.scope = "/home/me";
    spec.client = "claude-code";
    spec.key = "nightly";
    spec.created = at(1'700'000'000'123);
    spec.runtime_limit_ms = 1'800'000;
    spec.service = true;
    spec.output_limit_bytes = ~0ULL;
    spec.output_limit_mode = OutputLimitMode::stop;
    spec.open_stdin = true;
    spec.split_stderr = true;
    return spec;
}

ExitRecord full_exit() {
    ExitRecord record;
    record.id = kId;
    record.state = JobState::cancelled;
    record.signal = 15;
    record.reason = "user";
    record.by_person = true;
    record.out_of_memory = true;
    record.started = at(1'700'000'000'000);
    record.ended = at(1'700'000'005'000);
    record.elapsed_ms = 5000;
    record.bytes_at_end = 10;
    record.bytes_produced = 12;
    record.bytes_stored = 11;
    record.capture_complete = false;
    record.capture_cause = "No space left on device";
    record.leftovers = {{12, "sleep 300", ""}, {13, "[kworker/0]", ""}};
    record.leftover_count = 20;
    return record;
}

AfterRecord full_after() {
    AfterRecord record;
    record.id = kId;
    record.ended = at(1'700'000'006'000);
    record.bytes_produced = 5;
    record.bytes_stored = 4;
    record.capture_complete = false;
    record.capture_cause = "Input/output error";
    record.leftovers_stopped_by = "runtime limit";
    record.leftovers = {{{1, "a", ""}, LeftoverFate::exited},
                        {{2, "b", ""}, LeftoverFate::killed},
                        {{3, "c", "root"}, LeftoverFate::survived}};
    return record;
}

// `text` with one member replaced or added: "name":value.
std::string with_member(std::string text, const std::string& name, const std::string& value) {
    const std::size_t start = text.find("\"" + name + "\":");
    if (start != std::string::npos) {
        const std::size_t end = text.find_first_of(",}", start);
        return text.replace(start, end - start, "\"" + name + "\":" + value);
    }
    return "{\"" + name + "\":" + value + "," + text.substr(1);
}

TEST_CASE("spec.json comes back as it was written") {
    const JobSpec spec = full_spec();
    const auto back = decode_spec(encode_spec(spec));
    REQUIRE(back);
    CHECK(back->id == spec.id);
    CHECK(back->title == spec.title);
    CHECK(back->command == spec.command);
    CHECK(back->cwd == spec.cwd);
    CHECK(back->shell == spec.shell);
    CHECK(back->owner == spec.owner);
    CHECK(back->scope == spec.scope);
    CHECK(back->client == spec.client);
    CHECK(back->key == spec.key);
    CHECK(back->created == spec.created);
    CHECK(back->runtime_limit_ms == spec.runtime_limit_ms);
    CHECK(back->service == spec.service);
    CHECK(back->output_limit_bytes == spec.output_limit_bytes);
    CHECK(back->output_limit_mode == spec.output_limit_mode);
    CHECK(back->open_stdin == spec.open_stdin);
    CHECK(back->split_stderr == spec.split_stderr);
}

TEST_CASE("exit.json comes back as it was written") {
    const ExitRecord record = full_exit();
    const auto back = decode_exit(encode_exit(record));
    REQUIRE(back);
    CHECK(back->id == record.id);
    CHECK(back->state == record.state);
    CHECK(back->exit_code == record.exit_code);
    CHECK(back->signal == record.signal);
    CHECK(back->error == record.error);
    CHECK(back->reason == record.reason);
    CHECK(back->by_person == record.by_person);
    CHECK(back->out_of_memory == record.out_of_memory);
    CHECK(back->started == record.started);
    CHECK(back->ended == record.ended);
    CHECK(back->elapsed_ms == record.elapsed_ms);
    CHECK(back->bytes_at_end == record.bytes_at_end);
    CHECK(back->bytes_produced == record.bytes_produced);
    CHECK(back->bytes_stored == record.bytes_stored);
    CHECK(back->capture_complete == record.capture_complete);
    CHECK(back->capture_cause == record.capture_cause);
    CHECK(back->leftovers == record.leftovers);
    CHECK(back->leftover_count == record.leftover_count);
}

TEST_CASE("after.json comes back as it was written") {
    const AfterRecord record = full_after();
    const auto back = decode_after(encode_after(record));
    REQUIRE(back);
    CHECK(back->id == record.id);
    CHECK(back->ended == record.ended);
    CHECK(back->bytes_produced == record.bytes_produced);
    CHECK(back->bytes_stored == record.bytes_stored);
    CHECK(back->capture_complete == record.capture_complete);
    CHECK(back->capture_cause == record.capture_cause);
    CHECK(back->leftovers_stopped_by == record.leftovers_stopped_by);
    REQUIRE(back->leftovers.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(back->leftovers[i].process == record.leftovers[i].process);
        CHECK(back->leftovers[i].fate == record.leftovers[i].fate);
    }
}

TEST_CASE("records with nothing optional come back") {
    JobSpec spec;
    spec.id = kId;
    CHECK(decode_spec(encode_spec(spec)));
    ExitRecord exit;
    exit.id = kId;
    exit.state = JobState::succeeded;
    exit.exit_code = 0;
    const auto back = decode_exit(encode_exit(exit));
    REQUIRE(back);
    CHECK(back->capture_complete);
    CHECK_FALSE(back->signal);
    AfterRecord after;
    after.id = kId;
    CHECK(decode_after(encode_after(after)));
}

TEST_CASE("a shell that could not be executed is recorded with its error") {
    ExitRecord record;
    record.id = kId;
    record.error = "posix_spawn /bin/bash: Exec format error";
    const auto back = decode_exit(encode_exit(record));
    REQUIRE(back);
    CHECK(back->error == record.error);
    CHECK_FALSE(back->exit_code);
}

TEST_CASE("a record of another length is refused") {
    bgshell::test::refuses_other_lengths(encode_spec(full_spec()), decode_spec);
    bgshell::test::refuses_other_lengths(encode_exit(full_exit()), decode_exit);
    bgshell::test::refuses_other_lengths(encode_after(full_after()), decode_after);
}

TEST_CASE("the preallocated exit.json reads with its blanks, and as absent before it is written") {
    std::string file = encode_exit(full_exit());
    file.resize(kExitRecordBytes, ' ');
    CHECK(decode_exit(file));
    file = encode_exit(full_exit()) + "\n";
    file.resize(kExitRecordBytes, '\0');
    CHECK(decode_exit(file));
    CHECK_FALSE(decode_exit(std::string(kExitRecordBytes, ' ')));
    CHECK_FALSE(decode_exit(std::string(kExitRecordBytes, '\0')));
    CHECK_FALSE(decode_exit(""));
}

TEST_CASE("a member of the next release is ignored") {
    CHECK(decode_spec(with_member(encode_spec(full_spec()), "queue", "{\"a\":[1,null]}")));
    CHECK(decode_exit(with_member(encode_exit(full_exit()), "cpu_ms", "12")));
    CHECK(decode_after(with_member(encode_after(full_after()), "cpu_ms", "12")));
}

TEST_CASE("a member of the wrong type, range or word makes a record absent") {
    const std::string spec = encode_spec(full_spec());
    CHECK_FALSE(decode_spec(with_member(spec, "version", "2")));
    CHECK_FALSE(decode_spec(with_member(spec, "id", "\"../../..\"")));
    CHECK_FALSE(decode_spec(with_member(spec, "cwd", "7")));
    CHECK_FALSE(decode_spec(with_member(spec, "service", "1")));
    CHECK_FALSE(decode_spec(with_member(spec, "runtime_limit_ms", "-1")));
    CHECK_FALSE(decode_spec(with_member(spec, "runtime_limit_ms", "1.5")));
    CHECK_FALSE(decode_spec(with_member(spec, "runtime_limit_ms", "18446744073709551615")));
    CHECK_FALSE(decode_spec(with_member(spec, "created_ms", "9223372036854775807")));
    CHECK_FALSE(decode_spec(with_member(spec, "output_limit_mode", "\"grow\"")));
    const std::string exit = encode_exit(full_exit());
    CHECK_FALSE(decode_exit(with_member(exit, "signal", "15")));
    CHECK_FALSE(decode_exit(with_member(exit, "signal", "\"SIGNOTHING\"")));
    CHECK_FALSE(decode_exit(with_member(exit, "bytes_stored", "\"11\"")));
    CHECK_FALSE(decode_exit(with_member(exit, "leftover_count", "1")));
    CHECK_FALSE(decode_exit(with_member(exit, "leftover_count", "4294967296")));
    CHECK_FALSE(decode_after("[1]"));
    CHECK_FALSE(decode_after("null"));
    CHECK_FALSE(decode_after(std::string(100'000, '[')));
}

TEST_CASE("an exit record tells exactly one end that can be") {
    const auto refused = [](const ExitRecord& record) { return !decode_exit(encode_exit(record)); };
    ExitRecord record;
    record.id = kId;
    CHECK(refused(record));  // no end at all
    record.exit_code = 0;
    record.signal = 9;
    CHECK(refused(record));
    record.signal.reset();
    CHECK_FALSE(refused(record));
    record.state = JobState::lost;
    CHECK(refused(record));
    record.state = JobState::running;
    CHECK(refused(record));
    record.state = JobState::succeeded;
    record.exit_code = 1;
    CHECK(refused(record));
    record.exit_code = 256;
    record.state = JobState::failed;
    CHECK(refused(record));
}

TEST_CASE("exit.json never outgrows its 4096 bytes") {
    ExitRecord record = full_exit();
    record.leftovers.assign(40, ProcessName{2'000'000'000, std::string(5000, '"'), ""});
    record.leftover_count = 40;
    SUBCASE("many long names: the last ones are dropped, the count stays") {
        const auto back = decode_exit(encode_exit(record));
        REQUIRE(back);
        CHECK(back->leftover_count == 40);
        REQUIRE(back->leftovers.size() >= 4);
        CHECK(back->leftovers.front().command == std::string(200, '"'));
        CHECK(back->reason == "user");
    }
    SUBCASE("short names: no more than 16") {
        record.leftovers.assign(40, ProcessName{1, "x", ""});
        const auto back = decode_exit(encode_exit(record));
        REQUIRE(back);
        CHECK(back->leftovers.size() == 16);
    }
    SUBCASE("every text is too long, in bytes that take the most room") {
        record.reason.assign(20'000, '\x01');
        record.capture_cause.clear();
        for (int i = 0; i < 9000; ++i) record.capture_cause += "\xE2\x82\xAC";
        record.signal.reset();
        record.error.assign(9000, '\xFF');
        const std::string text = encode_exit(record);
        CHECK(text.size() <= kExitRecordBytes);
        const auto back = decode_exit(text);
        REQUIRE(back);
        CHECK(back->error.size() > 100);
        CHECK(back->reason.size() > 100);
        CHECK(back->capture_cause.size() > 100);
        CHECK(back->leftover_count == 40);
    }
}

TEST_CASE("bytes that are not UTF-8 make a valid record") {
    ExitRecord record = full_exit();
    record.leftovers = {{7, "cat \xFF.txt", ""}};
    const auto back = decode_exit(encode_exit(record));
    REQUIRE(back);
    CHECK(back->leftovers[0].command == "cat \xEF\xBF\xBD.txt");
    JobSpec spec = full_spec();
    spec.command = std::string(4095, 'x') + "\xC3\xA9";
    spec.cwd = "/tmp/\xFE";
    const auto spec_back = decode_spec(encode_spec(spec));
    REQUIRE(spec_back);
    CHECK(spec_back->command == std::string(4095, 'x'));
    CHECK(spec_back->cwd == "/tmp/\xEF\xBF\xBD");
}

TEST_CASE("a record of the first release still reads") {
    const auto exit = decode_exit(
        R"({"version":1,"id":"k3f9x0ab","state":"timed_out","signal":"SIGKILL","started_ms":1700000000000,)"
        R"("ended_ms":1700000001000,"elapsed_ms":1000,"bytes_at_end":5,"bytes_produced":5,)"
        R"("bytes_stored":5,"capture_complete":true,"leftover_count":1,)"
        R"("leftovers":[{"pid":9,"command":"sleep 9"}]})");
    REQUIRE(exit);
    CHECK(exit->state == JobState::timed_out);
    CHECK(exit->signal == 9);
    CHECK(exit->leftovers == std::vector<ProcessName>{{9, "sleep 9", ""}});
}

}  // namespace
