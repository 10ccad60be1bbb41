#include "tools/error_text.hpp"

namespace bgshell::tools {

std::string_view tool_name(Tool tool) {
    switch (tool) {
        case Tool::start:
            return "start";
        case Tool::await:
            return "await";
        case Tool::output:
            return "output";
        case Tool::send:
            return "send";
        case Tool::cancel:
            return "cancel";
        case Tool::list:
            return "list";
    }
    return {};
}

Answer error_answer(Tool tool, const Manner& manner, std::string_view sentences) {
    constexpr std::string_view kNothingStarted = "Nothing was started.";
    std::string text = manner.tool(tool_name(tool)) + ": " + std::string{sentences};
    if (!text.ends_with('.') && !text.ends_with('\n')) text += '.';
    if (tool == Tool::start && text.find(kNothingStarted) == text.npos) {
        text += ' ';
        text += kNothingStarted;
    }
    Answer answer;
    answer.lines.push_back(std::move(text));
    answer.is_error = true;
    return answer;
}

Answer error_answer(Tool tool, const Manner& manner, const jobs::Error& error) {
    return error_answer(tool, manner, error.text());
}

}  // namespace bgshell::tools
