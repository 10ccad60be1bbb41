#include "keeper/memory_kills.hpp"

#include <fcntl.h>

#include <algorithm>
#include <charconv>

#include "platform/proc_file.hpp"

namespace bgshell::keeper {
namespace {

std::string_view next_line(std::string_view& text) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

bool names_memory(std::string_view controllers) {
    while (!controllers.empty()) {
        const auto name = controllers.substr(0, controllers.find(','));
        if (name == "memory") return true;
        controllers.remove_prefix(std::min(name.size() + 1, controllers.size()));
    }
    return false;
}

}  // namespace

std::optional<std::uint64_t> parse_oom_kills(std::string_view text) {
    constexpr std::string_view prefix = "oom_kill ";
    while (!text.empty()) {
        const auto line = next_line(text);
        if (!line.starts_with(prefix)) continue;
        const auto number = line.substr(prefix.size());
        std::uint64_t count = 0;
        const auto end = number.data() + number.size();
        if (std::from_chars(number.data(), end, count).ptr != end) return std::nullopt;
        return count;
    }
    return std::nullopt;
}

std::string memory_counter_path(std::string_view cgroups) {
    // hierarchy-id:controllers:path, the controllers empty for v2. With both mounted, a v1 memory
    // controller is the one that counts.
    std::string path;
    while (!cgroups.empty()) {
        const auto line = next_line(cgroups);
        const auto first = line.find(':');
        const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos) continue;
        const auto controllers = line.substr(first + 1, second - first - 1);
        const std::string group{line.substr(second + 1)};
        if (names_memory(controllers)) {
            return "/sys/fs/cgroup/memory" + group + "/memory.oom_control";
        }
        if (controllers.empty()) path = "/sys/fs/cgroup" + group + "/memory.events";
    }
    return path;
}

MemoryKills MemoryKills::find() {
    MemoryKills kills;
    const auto cgroups = platform::read_proc_file("/proc/self/cgroup");
    if (!cgroups) return kills;
    const std::string path = memory_counter_path(*cgroups);
    kills.counter_.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return kills;
}

void MemoryKills::count_from_now() {
    before_ = count();
}

bool MemoryKills::any() const {
    const auto now = before_ ? count() : std::nullopt;
    return now && *now > *before_;
}

std::optional<std::uint64_t> MemoryKills::count() const {
    if (!counter_) return std::nullopt;
    const auto text = platform::read_proc_file(counter_.get());
    return text ? parse_oom_kills(*text) : std::nullopt;
}

}  // namespace bgshell::keeper
