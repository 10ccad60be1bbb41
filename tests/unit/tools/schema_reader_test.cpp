#include "tools/schema_reader.hpp"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>

#include "tools/definitions.hpp"
#include "tools/error_text.hpp"

using namespace bgshell::tools;
namespace json = boost::json;

namespace {

SchemaReader::Reading read(Tool tool, const std::string& arguments) {
    const auto definitions = make_definitions({});
    const SchemaReader reader{definitions.at(static_cast<std::size_t>(tool)).input_schema};
    return reader.read(json::parse(arguments).as_object());
}

// The values as JSON, or the error.
std::string result(Tool tool, const std::string& arguments) {
    const SchemaReader::Reading reading = read(tool, arguments);
    return reading.error.empty() ? json::serialize(reading.values) : reading.error;
}

std::string error_text(Tool tool, const std::string& arguments) {
    return error_answer(tool, Manner{}, read(tool, arguments).error).lines.front();
}

}  // namespace

TEST_CASE("arguments: what clients get wrong is read as what they meant") {
    const struct {
        Tool tool;
        std::string given;
        std::string read;
    } cases[] = {
        {Tool::start, R"({"command":"x"})", R"({"command":"x"})"},
        {Tool::start, R"({"command":"x","runtime_limit_s":"120","service":"true"})",
         R"({"command":"x","runtime_limit_s":120,"service":true})"},
        {Tool::start, R"({"command":"x","service":"False","open_stdin":1,"split_stderr":"0"})",
         R"({"command":"x","service":false,"open_stdin":true,"split_stderr":false})"},
        {Tool::start, R"({"command":"x","title":null,"cwd":null,"tty":null})",
         R"({"command":"x"})"},
        {Tool::start, R"({"command":"x","description":"build","workdir":"/a"})",
         R"({"command":"x","title":"build","cwd":"/a"})"},
        {Tool::start, R"({"command":"x","working_directory":"/a"})",
         R"({"command":"x","cwd":"/a"})"},
        {Tool::start, R"({"command":"x","env":{"A":"1","B":2,"C":true}})",
         R"({"command":"x","env":["A=1","B=2","C=true"]})"},
        {Tool::start, R"({"command":"x","env":{"A":null,"B":"2"}})",
         R"({"command":"x","env":["B=2"]})"},
        {Tool::start, R"({"command":"x","env":"A=1"})", R"({"command":"x","env":["A=1"]})"},
        {Tool::start, R"({"command":"x","env":"{\"A\": \"1\"}"})",
         R"({"command":"x","env":["A=1"]})"},
        {Tool::start, R"({"command":"x","env":"[\"A=1\", \"B=2\"]"})",
         R"({"command":"x","env":["A=1","B=2"]})"},
        {Tool::start, R"({"command":"x","wait_s":"0.5"})", R"({"command":"x","wait_s":5E-1})"},
        {Tool::start, R"({"command":"x","title":7})", R"({"command":"x","title":"7"})"},
        {Tool::start, R"({"command":["x"]})", R"({"command":"x"})"},
        {Tool::await, R"({"id":"a1"})", R"({"ids":["a1"]})"},
        {Tool::await, R"({"ids":"a1"})", R"({"ids":["a1"]})"},
        {Tool::await, R"({"ids":"[\"a1\",\"a2\"]","mode":"ALL"})",
         R"({"ids":["a1","a2"],"mode":"all"})"},
        {Tool::await, R"({"ids":[12345678]})", R"({"ids":["12345678"]})"},
        {Tool::await, R"({"ids":12345678})", R"({"ids":["12345678"]})"},
        {Tool::output, R"({"ids":["a1"]})", R"({"id":"a1"})"},
        {Tool::output, R"({"id":12345678})", R"({"id":"12345678"})"},
        {Tool::output, R"({"id":"a1","from":"4096","tail_lines":20.0})",
         R"({"id":"a1","from":4096,"tail_lines":20})"},
        {Tool::cancel, R"({"id":"a1","signal":"sigint"})", R"({"ids":["a1"],"signal":"INT"})"},
    };
    for (const auto& each : cases) {
        CAPTURE(each.given);
        CHECK(result(each.tool, each.given) == each.read);
        CHECK(read(each.tool, each.given).facts.empty());
    }
}

TEST_CASE("arguments: a number above its maximum is lowered and said") {
    SchemaReader::Reading reading =
        read(Tool::start, R"({"command":"x","runtime_limit_s":1800000,"wait_s":"120"})");
    CHECK(reading.error.empty());
    CHECK(reading.values.at("runtime_limit_s").to_number<int>() == 86400);
    CHECK(reading.values.at("wait_s").to_number<int>() == 50);
    CHECK(reading.facts ==
          std::vector<std::string>{"runtime_limit_s 86400, not 1800000 (the ceiling)",
                                   "wait_s 50, not 120 (the ceiling)"});

    reading = read(Tool::output, R"({"id":"a","max_bytes":1e9})");
    CHECK(reading.facts ==
          std::vector<std::string>{"max_bytes 32000, not 1000000000 (the ceiling)"});
}

TEST_CASE("arguments: the ceiling of runtime_limit_s is the configured one") {
    ToolSettings settings;
    settings.runtime_limit_max = std::chrono::hours{1};
    const SchemaReader reader{make_definitions(settings).at(0).input_schema};
    const auto reading =
        reader.read(json::parse(R"({"command":"x","runtime_limit_s":7200.5})").as_object());
    CHECK(reading.facts ==
          std::vector<std::string>{"runtime_limit_s 3600, not 7200.5 (the ceiling)"});
}

TEST_CASE("arguments: what cannot be meant is refused by field, value, rule") {
    CHECK(error_text(Tool::start, R"({"command":"x","runtime_limit_s":"soon"})") ==
          "start: runtime_limit_s must be a number of seconds from 1 to 86400, got \"soon\". "
          "Nothing was "
          "started.");
    CHECK(error_text(Tool::await, R"({"timeout_ms":5000})") ==
          "await: unknown field timeout_ms. Use wait_s (seconds). Fields: ids, mode, wait_for, "
          "quiet_s, "
          "wait_s.");
    const struct {
        Tool tool;
        std::string given;
        std::string error;
    } cases[] = {
        {Tool::start, R"({"command":"x","runtime_limit_s":0.5})",
         "runtime_limit_s must be a number of seconds from 1 to 86400, got 0.5."},
        {Tool::start, R"({"command":"x","wait_s":-1})",
         "wait_s must be a number of seconds from 0 to 50, got -1."},
        {Tool::start, R"({"command":"x","wait_s":"Infinity"})",
         "wait_s must be a number of seconds from 0 to 50, got \"Infinity\"."},
        {Tool::start, R"({"command":"x","wait_s":"1e3000"})",
         "wait_s must be a number of seconds from 0 to 50, got \"1e3000\"."},
        {Tool::start, R"({"command":"x","wait_s":1e3000})",
         "wait_s must be a number of seconds from 0 to 50, got inf."},
        {Tool::output, R"({"id":"x","from":1e3000})",
         "from must be a whole number of bytes from 0, got inf."},
        {Tool::start, R"({"command":"x","wait_s":true})",
         "wait_s must be a number of seconds from 0 to 50, got true."},
        {Tool::start, R"({"command":"x","service":"maybe"})",
         "service must be true or false, got \"maybe\"."},
        {Tool::start, R"({"command":"x","service":2})", "service must be true or false, got 2."},
        {Tool::start, R"({"command":{"a":1}})", R"(command must be a text, got {"a":1}.)"},
        {Tool::start, R"({"command":["npm","test"]})",
         R"(command must be a text, got ["npm","test"].)"},
        {Tool::start, R"({"command":"x","env":[["A","B"]]})",
         R"(env must be a list of texts, got [["A","B"]].)"},
        {Tool::start, R"({"command":"x","env":{"A":{}}})",
         R"(env must be a list of texts, got {"A":{}}.)"},
        {Tool::start, R"({})", "command is required: give a text."},
        {Tool::start, R"({"command":null})", "command is required: give a text."},
        {Tool::start, R"({"command":"x","title":"a","description":"b"})",
         "title is given twice: description is another name of it. Give one."},
        {Tool::output, R"({"id":"a","from":-1})",
         "from must be a whole number of bytes from 0, got -1."},
        {Tool::output, R"({"id":"a","tail_lines":1.5})",
         "tail_lines must be a whole number from 1 to 10000, got 1.5."},
        {Tool::output, R"({"id":"a","stream":"stdin"})",
         "stream must be one of both, stdout, stderr, got \"stdin\"."},
        {Tool::output, R"({"ids":["a","b"]})", R"(id must be a text, got ["a","b"].)"},
        {Tool::cancel, R"({"ids":["a"],"signal":9})",
         "signal must be one of TERM, INT, HUP, KILL, got 9."},
        {Tool::list, R"({"all\n":1})", "unknown field \"all\\n\". Fields: ids, state, limit."},
        {Tool::start, R"({"command":"x","tty":true})",
         "unknown field tty. Fields: command, title, cwd, env, wait_s, wait_for, runtime_limit_s, "
         "service, "
         "open_stdin, split_stderr, key."},
        {Tool::start, R"({"cmd":"x"})",
         "unknown field cmd. Use command. Fields: command, title, cwd, env, wait_s, wait_for, "
         "runtime_limit_s, service, open_stdin, split_stderr, key."},
    };
    for (const auto& each : cases) {
        CAPTURE(each.given);
        CHECK(read(each.tool, each.given).error == each.error);
    }
}

TEST_CASE("arguments: a long value is not repeated") {
    const std::string long_list = R"({"command":[")" + std::string(5000, 'x') + R"(","y"]})";
    CHECK(read(Tool::start, long_list).error == "command must be a text, got a list.");
    const std::string error =
        read(Tool::start, R"({"command":"x","wait_s":")" + std::string(5000, 'x') + "\"}").error;
    CHECK(error.size() < 300);
}

TEST_CASE("errors: nothing was started is said once, by start only") {
    CHECK(error_answer(Tool::start, Manner{}, "cwd \"/x\" does not exist.").lines.front() ==
          "start: cwd \"/x\" does not exist. Nothing was started.");
    CHECK(error_answer(Tool::start, Manner{}, "key \"k1\" is taken. Nothing was started.")
              .lines.front() == "start: key \"k1\" is taken. Nothing was started.");
    CHECK(error_answer(Tool::output, Manner{}, "no job \"x\".").lines.front() ==
          "output: no job \"x\".");
    Manner manner;
    manner.prefix = "job_";
    const Answer answer = error_answer(Tool::list, manner, "no job \"x\"");
    CHECK(answer.lines.front() == "job_list: no job \"x\".");
    CHECK(answer.is_error);
}
