#include "tools/schema_check.hpp"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <string>

#include "tools/definitions.hpp"
#include "tools/embedded.hpp"

using namespace bgshell::tools;
namespace json = boost::json;

namespace {

bool check(const std::string& schema, const std::string& value) {
    return conforms(json::parse(schema).as_object(), json::parse(value));
}

}  // namespace

TEST_CASE("schema check: the keywords") {
    CHECK(check(R"({"type":"integer"})", "1.0"));
    CHECK_FALSE(check(R"({"type":"integer"})", "1.5"));
    CHECK_FALSE(check(R"({"type":"number"})", "true"));
    CHECK(check(R"({"minimum":0})", "\"text\""));
    CHECK(check(R"({"minimum":0,"maximum":5})", "5"));
    CHECK_FALSE(check(R"({"minimum":0,"maximum":5})", "5.01"));
    CHECK_FALSE(check(R"({"minimum":0})", "-1"));
    CHECK(check(R"({"minimum":-5})", "18446744073709551615"));
    CHECK_FALSE(check(R"({"maximum":-5})", "18446744073709551615"));
    CHECK_FALSE(check(R"({"minimum":9223372036854775808})", "9223372036854775807"));
    CHECK(check(R"({"enum":["a","b"]})", "\"b\""));
    CHECK_FALSE(check(R"({"enum":["a","b"]})", "\"c\""));
    CHECK_FALSE(check(R"({"items":{"type":"string"}})", R"(["a",1])"));
    CHECK(check(R"({"items":{"type":"string"}})", "{}"));
    CHECK_FALSE(check(R"({"required":["a"]})", "{}"));
    CHECK(check(R"({"required":["a"]})", "[]"));
    CHECK(check(R"({"properties":{"a":{"type":"string"}}})", R"({"b":1})"));
    CHECK_FALSE(check(R"({"properties":{"a":{"type":"string"}}})", R"({"a":1})"));
    CHECK_FALSE(check(R"({"type":"null"})", "null"));
}

TEST_CASE("schema check: the published schemas stay within the subset") {
    ToolSettings settings;
    settings.structured = StructureMode::on;
    for (const ToolDefinition& definition : make_definitions(settings)) {
        CAPTURE(definition.name);
        CHECK(is_supported_schema(definition.input_schema));
        REQUIRE(definition.output_schema);
        CHECK(is_supported_schema(*definition.output_schema));
    }
    CHECK_FALSE(is_supported_schema(json::parse(R"({"properties":{"a":{"pattern":"x"}}})")));
    CHECK_FALSE(is_supported_schema(json::parse(R"({"enum":[1]})")));
    CHECK_FALSE(is_supported_schema(json::parse(R"({"type":["string","number"]})")));
}
