#include "tools/answer.hpp"

#include <boost/json/value.hpp>
#include <utility>

#include "text/utf8.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;

void append(std::string& text, std::string_view line) {
    if (!text.empty()) text += '\n';
    text += line;
}

// Paths, process names and errors are bytes of any kind; JSON takes UTF-8 only.
void make_valid(json::value& value) {
    if (value.is_string()) {
        json::string& text = value.get_string();
        if (std::string valid = text::sanitize({text.data(), text.size()});
            std::string_view{valid} != std::string_view{text.data(), text.size()}) {
            text = valid;
        }
    } else if (value.is_array()) {
        for (json::value& item : value.get_array()) make_valid(item);
    } else if (value.is_object()) {
        for (json::key_value_pair& member : value.get_object()) make_valid(member.value());
    }
}

}  // namespace

Written compose(Answer answer, const NoticeText& notices, std::string_view tag,
                bool with_structure) {
    std::string summary;
    for (const std::string& line : answer.lines) append(summary, line);
    for (const std::string& fact : answer.facts) append(summary, fact);
    for (const std::string& line : notices.lines) append(summary, line);
    if (answer.hint) append(summary, "next: " + answer.hint->text);
    for (const std::string& quote : answer.quotes) append(summary, quote);
    summary = text::sanitize(summary);

    Written written;
    if (with_structure) {
        written.structure["summary"] = summary;
        for (json::key_value_pair& member : answer.structure) {
            written.structure[member.key()] = std::move(member.value());
        }
        if (!notices.structure.empty()) written.structure["notices"] = notices.structure;
        for (json::key_value_pair& member : written.structure) make_valid(member.value());
    }

    written.text = std::move(summary);
    for (const Answer::Output& output : answer.outputs) {
        std::string header;
        if (answer.several) {
            header = "[" + std::string{tag} + "] " + output.job.text() + " ";
        }
        append(written.text, header + output.block.header + ":");
        std::string_view text = output.block.text;
        if (text.ends_with('\n')) text.remove_suffix(1);
        written.text.reserve(written.text.size() + 1 + text.size());
        append(written.text, {});
        text::append_sanitized(written.text, text);
    }
    return written;
}

}  // namespace bgshell::tools
