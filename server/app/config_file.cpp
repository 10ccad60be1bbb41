#include "app/config_file.hpp"

#include <fcntl.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "platform/outcome.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::app {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

std::uint32_t line_of(const toml::node& node) {
    return node.source().begin.line;
}

// nullopt: not a text.
std::optional<std::string> text_of(const toml::node& node) {
    return node.value_exact<std::string>();
}

SettingValue list_value(const toml::array& array) {
    std::vector<std::string> items;
    for (const auto& node : array) {
        auto text = text_of(node);
        if (!text) return {};
        items.push_back(std::move(*text));
    }
    return items;
}

SettingValue assignments_value(const toml::table& table) {
    std::vector<std::string> items;
    for (const auto& [name, node] : table) {
        const auto text = text_of(node);
        if (!text) return {};
        items.push_back(std::string{name.str()} + "=" + *text);
    }
    return items;
}

SettingValue value_in(const toml::node& node) {
    if (const auto number = node.value_exact<std::int64_t>()) return *number;
    if (const auto truth = node.value_exact<bool>()) return *truth;
    if (auto text = text_of(node)) return std::move(*text);
    if (const auto* array = node.as_array()) return list_value(*array);
    if (const auto* table = node.as_table()) return assignments_value(*table);
    return {};
}

void add_table(std::vector<ConfigEntry>& entries, const std::string& name,
               const toml::table& table) {
    for (const auto& [key, node] : table) {
        entries.push_back({name, std::string{key.str()}, value_in(node), line_of(node)});
    }
}

}  // namespace

std::string default_config_path(const std::string& xdg_config_home, const std::string& home) {
    // The XDG rule: a relative path is invalid and ignored.
    if (xdg_config_home.starts_with('/')) return xdg_config_home + "/bgshell/config.toml";
    if (home.starts_with('/')) return home + "/.config/bgshell/config.toml";
    return {};
}

ConfigFile parse_config(std::string_view text, const std::string& path) {
    ConfigFile file;
    file.path = path;
    try {
        const toml::table root = toml::parse(text, std::string_view{path});
        for (const auto& [key, node] : root) {
            if (const auto* table = node.as_table()) {
                add_table(file.entries, std::string{key.str()}, *table);
            } else {
                file.entries.push_back({"", std::string{key.str()}, value_in(node), line_of(node)});
            }
        }
    } catch (const toml::parse_error& error) {
        file.entries.clear();
        file.fault =
            path + ":" + std::to_string(error.source().begin.line) +
            ": not valid TOML, the whole file is ignored: " + std::string{error.description()};
    }
    std::stable_sort(file.entries.begin(), file.entries.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    return file;
}

ConfigFile read_config_file(const std::string& path) {
    ConfigFile file;
    file.path = path;
    // O_NONBLOCK: a FIFO of that name must not hold up the start.
    const platform::UniqueFd fd{platform::retry_eintr(
        [&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); })};
    if (!fd) {
        const auto error = platform::last_error();
        if (error.value() != ENOENT && error.value() != ENOTDIR) {
            file.fault = path + ": cannot be read and is ignored: " + error.message();
        }
        return file;
    }
    std::string text;
    std::array<char, 16384> chunk{};
    while (true) {
        const auto got =
            platform::retry_eintr([&] { return ::read(fd.get(), chunk.data(), chunk.size()); });
        if (got < 0) {
            file.fault =
                path + ": cannot be read and is ignored: " + platform::last_error().message();
            return file;
        }
        if (got == 0) break;
        text.append(chunk.data(), static_cast<std::size_t>(got));
        if (text.size() > kMaxFileBytes) {
            file.fault = path + ": longer than 1 MiB, ignored";
            return file;
        }
    }
    return parse_config(text, path);
}

}  // namespace bgshell::app
