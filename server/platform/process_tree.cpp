#include "platform/process_tree.hpp"

#include <sys/stat.h>

#include <charconv>
#include <unordered_set>
#include <vector>

#include "platform/directory_stream.hpp"
#include "platform/proc_file.hpp"

namespace bgshell::platform {
namespace {

constexpr std::size_t kCommandBytes = 200;

std::string proc_path(pid_t pid, const char* file) {
    return "/proc/" + std::to_string(pid) + "/" + file;
}

// Takes the next blank-separated word off `text`.
std::string_view next_word(std::string_view& text) {
    const auto start = std::min(text.find_first_not_of(" \n"), text.size());
    text.remove_prefix(start);
    const auto word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    return word;
}

template <class Number>
bool parse(std::string_view word, Number& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && end == word.data() + word.size();
}

// The children of every thread of `pid`.
void append_children(pid_t pid, std::vector<pid_t>& children) {
    const std::string tasks = proc_path(pid, "task");
    const DirectoryStream directory{::opendir(tasks.c_str())};
    if (!directory) return;
    while (const dirent* entry = ::readdir(directory.get())) {
        if (entry->d_name[0] == '.') continue;
        const auto list = read_proc_file(tasks + "/" + entry->d_name + "/children");
        if (!list) continue;
        std::string_view rest = *list;
        pid_t child = 0;
        while (parse(next_word(rest), child)) children.push_back(child);
    }
}

// Removes what a cut left of a multi-byte character at the end.
void drop_partial_character(std::string& text) {
    std::size_t tail = 0;
    while (tail < 3 && tail < text.size() &&
           (static_cast<unsigned char>(text[text.size() - 1 - tail]) & 0xC0U) == 0x80U) {
        ++tail;
    }
    if (tail == text.size()) return;
    const auto lead = static_cast<unsigned char>(text[text.size() - 1 - tail]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length > tail + 1) text.resize(text.size() - 1 - tail);
}

}  // namespace

std::optional<ProcessFacts> parse_stat(std::string_view text) {
    // pid (comm) state ppid pgrp session ...: comm may hold blanks and parentheses.
    const auto open = text.find(" (");
    const auto close = text.rfind(") ");
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        return std::nullopt;
    }
    ProcessFacts facts;
    facts.name = text.substr(open + 2, close - open - 2);
    std::string_view rest = text.substr(close + 2);
    const auto state = next_word(rest);
    if (state.size() != 1) return std::nullopt;
    facts.state = state[0];
    bool valid = parse(text.substr(0, open), facts.pid) && parse(next_word(rest), facts.parent) &&
                 parse(next_word(rest), facts.group) && parse(next_word(rest), facts.session);
    for (int field = 7; field < 20; ++field) (void)next_word(rest);
    valid = valid && parse(next_word(rest), facts.threads);  // field 20
    (void)next_word(rest);
    valid = valid && parse(next_word(rest), facts.start_ticks);  // field 22
    if (!valid) return std::nullopt;
    return facts;
}

std::optional<ProcessFacts> process_facts(pid_t pid) {
    const auto text = read_proc_file(proc_path(pid, "stat"));
    if (!text) return std::nullopt;
    return parse_stat(*text);
}

void walk_below(pid_t root, const std::function<bool(const ProcessFacts&)>& visit) {
    std::vector<pid_t> found{root};
    // A process that changes parents during the walk can turn up twice.
    std::unordered_set<pid_t> seen{root};
    std::vector<pid_t> children;
    for (std::size_t next = 0; next < found.size(); ++next) {
        children.clear();
        append_children(found[next], children);
        for (const pid_t child : children) {
            if (!seen.insert(child).second) continue;
            found.push_back(child);
            const auto facts = process_facts(child);
            if (facts && !visit(*facts)) return;
        }
    }
}

std::string one_line(std::string_view arguments) {
    while (!arguments.empty() && arguments.back() == '\0') arguments.remove_suffix(1);
    std::string line{arguments.substr(0, kCommandBytes)};
    for (char& c : line) {
        if (c == '\0') {
            c = ' ';
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            c = '?';
        }
    }
    if (arguments.size() > kCommandBytes) drop_partial_character(line);
    return line;
}

std::string command_line(const ProcessFacts& process) {
    const auto arguments = read_proc_file(proc_path(process.pid, "cmdline"), kCommandBytes + 4);
    std::string line = arguments ? one_line(*arguments) : std::string{};
    return line.empty() ? "[" + one_line(process.name) + "]" : line;
}

std::string user_of(pid_t pid) {
    struct stat facts {};
    if (::stat(proc_path(pid, "").c_str(), &facts) != 0) return {};
    std::string number = std::to_string(facts.st_uid);
    // Read by hand: a static program cannot use the name service.
    const auto passwd = read_proc_file("/etc/passwd");
    if (!passwd) return number;
    std::string_view rest = *passwd;
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const auto name = line.substr(0, line.find(':'));  // name:password:uid:...
        auto after = line.substr(std::min(name.size() + 1, line.size()));
        after.remove_prefix(std::min(after.find(':'), after.size()));
        if (after.starts_with(':' + number + ':')) return std::string{name};
    }
    return number;
}

}  // namespace bgshell::platform
