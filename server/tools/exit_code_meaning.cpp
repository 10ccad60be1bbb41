#include "tools/exit_code_meaning.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "keeper/job_state.hpp"

namespace bgshell::tools {
namespace {

// Exit code 1 of these is an answer; their faults end in 2 or more.
constexpr struct {
    std::string_view program;
    std::string_view meaning;
} kAnswers[] = {
    {"grep", "nothing found"},
    {"egrep", "nothing found"},
    {"fgrep", "nothing found"},
    {"zgrep", "nothing found"},
    {"rg", "nothing found"},
    {"ag", "nothing found"},
    {"ack", "nothing found"},
    {"pgrep", "no process found"},
    {"diff", "the files differ"},
    {"cmp", "the files differ"},
    {"test", "false"},
    {"[", "false"},
    {"[[", "false"},
    {"find", "not all could be searched"},
};

// One program call of a command: its words up to the next operator, and that operator.
struct Part {
    std::vector<std::string> words;
    std::string_view then;  // ";" "&&" "||" "|" or empty at the end
};

constexpr std::string_view kBlank = " \t\r";

// What stands between the quotes at the beginning of `text`, escapes kept. nullopt: no end, or a
// substitution in it.
std::optional<std::string_view> quoted_text(std::string_view text) {
    const char mark = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == mark) return text.substr(1, i - 1);
        if (mark == '\'') continue;
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '`' || text.substr(i).starts_with("$("))
            return std::nullopt;
    }
    return std::nullopt;
}

// Splits a plain list of pipelines. nullopt for anything else: substitutions, groups, functions,
// here documents, background parts; what decides the exit code there is not guessed.
std::optional<std::vector<Part>> split(std::string_view text) {
    std::vector<Part> parts(1);
    std::string word;
    bool in_word = false;
    const auto end_word = [&] {
        if (in_word) parts.back().words.push_back(std::move(word));
        word.clear();
        in_word = false;
    };
    const auto end_part = [&](std::string_view operation) {
        end_word();
        parts.back().then = operation;
        parts.emplace_back();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const std::string_view rest = text.substr(i);
        if (kBlank.find(c) != kBlank.npos) {
            end_word();
        } else if (c == '\'' || c == '"') {
            const auto quoted = quoted_text(rest);
            if (!quoted) return std::nullopt;
            word += *quoted;
            in_word = true;
            i += quoted->size() + 1;
        } else if (c == '\\') {
            if (i + 1 == text.size()) return std::nullopt;
            word += text[++i];
            in_word = true;
        } else if (rest.starts_with("&&") || rest.starts_with("||")) {
            end_part(rest.substr(0, 2));
            ++i;
        } else if (c == '|' || c == ';' || c == '\n') {
            end_part(c == '|' ? "|" : ";");
        } else if (c == '#' && !in_word) {
            i = std::min(text.find('\n', i), text.size()) - 1;
        } else if (rest.starts_with(">&") || rest.starts_with("&>")) {
            word += rest.substr(0, 2);
            in_word = true;
            ++i;
        } else if (rest.starts_with("<<") ||
                   std::string_view{"&(){}`!"}.find(c) != std::string_view::npos) {
            return std::nullopt;
        } else {
            word += c;
            in_word = true;
        }
    }
    end_word();
    while (parts.size() > 1 && parts.back().words.empty() && parts[parts.size() - 2].then == ";") {
        parts.pop_back();
        parts.back().then = {};
    }
    return parts;
}

bool is_assignment(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != word.npos && equals > 0 &&
           std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                       [](char c) {
                           return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                                  (c >= 'A' && c <= 'Z');
                       });
}

// The program of a part, without assignments and directory.
std::string_view program(const Part& part) {
    for (const std::string& word : part.words) {
        if (is_assignment(word)) continue;
        return std::string_view{word}.substr(word.rfind('/') + 1);
    }
    return {};
}

bool is_reserved(std::string_view word) {
    constexpr std::string_view kWords[] = {
        "if",   "then", "else", "elif",   "fi",   "for",  "while",    "until",  "do",   "done",
        "case", "esac", "exit", "return", "trap", "exec", "function", "select", "time", "coproc"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

std::optional<std::string> answer_in_exit_code(std::string_view command, int exit_code,
                                               bool printed_nothing) {
    if (exit_code != 1) return std::nullopt;
    const auto parts = split(command);
    if (!parts) return std::nullopt;
    const Part& last = parts->back();
    const auto answer =
        std::find_if(std::begin(kAnswers), std::end(kAnswers),
                     [&](const auto& known) { return known.program == program(last); });
    if (answer == std::end(kAnswers)) return std::nullopt;
    for (std::size_t i = 0; i + 1 < parts->size(); ++i) {
        const Part& part = (*parts)[i];
        const std::string_view name = program(part);
        // `set -e` and `pipefail` let an earlier part decide.
        if (is_reserved(name) || name == "set" || name == "shopt") return std::nullopt;
        // Only what cannot fail in silence may stand before `&&`: then the code is the last one's.
        const bool quiet_preparation = name.empty() || name == "cd" || name == "export";
        if (part.then == "&&" && !(quiet_preparation && printed_nothing)) return std::nullopt;
        if (part.then == "||") return std::nullopt;
    }
    return std::string{answer->program} + ": " + std::string{answer->meaning};
}

std::optional<std::string> signal_in_exit_code(int exit_code) {
    if (exit_code <= 128 || exit_code > 128 + 64) return std::nullopt;
    return "perhaps its last command died by " + keeper::signal_name(exit_code - 128);
}

std::string command_not_found_advice(std::string_view command) {
    const auto parts = split(command);
    const auto calls = [&](std::string_view name) {
        return parts && std::any_of(parts->begin(), parts->end(),
                                    [&](const Part& part) { return program(part) == name; });
    };
    if (calls("nvm")) {
        return "nvm is a shell function: put \". ~/.nvm/nvm.sh &&\" before it (direnv: \"direnv "
               "exec "
               ". CMD\")";
    }
    return "a command was not found: give its full path, or put what your own shell does at its "
           "start "
           "(source, PATH=...) before it";
}

}  // namespace bgshell::tools
