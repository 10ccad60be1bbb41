#include "app/configuration_reader.hpp"

#include <algorithm>
#include <string_view>

namespace bgshell::app {
namespace {

constexpr std::string_view kPrefix = "BGSHELL_";

// Variables of that prefix that are no settings: where the state lies, and the mark of a job.
bool is_other_variable(std::string_view name) {
    return name == "BGSHELL_STATE" || name == "BGSHELL_JOB_ID" ||
           name.find("TOKEN") != std::string_view::npos ||
           name.find("SECRET") != std::string_view::npos;
}

std::string describe(const SettingValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const auto* text = std::get_if<std::string>(&value)) return '"' + *text + '"';
    return "a value of another kind";
}

std::string table_and_key(const ConfigEntry& entry) {
    return entry.table.empty() ? entry.key : "[" + entry.table + "] " + entry.key;
}

class Reader {
  public:
    void read(const ConfigFile& file) {
        if (!file.fault.empty()) loaded_.warnings.push_back(file.fault);
        for (const auto& entry : file.entries) {
            const std::string where = file.path + ":" + std::to_string(entry.line) + ": ";
            const Setting* setting = find_setting(entry.table, entry.key);
            if (setting == nullptr) {
                loaded_.warnings.push_back(where + "unknown key " + table_and_key(entry) +
                                           ", ignored" + suggestion(entry.key));
            } else if (!setting->assign(loaded_.configuration, entry.value)) {
                refuse(where + table_and_key(entry), *setting, describe(entry.value));
            }
        }
    }

    void read(std::span<const std::string> environment) {
        for (const auto& variable : environment) {
            if (!variable.starts_with(kPrefix)) continue;
            const auto equals = std::min(variable.find('='), variable.size());
            const auto name = std::string_view{variable}.substr(0, equals);
            const auto text =
                std::string_view{variable}.substr(std::min(equals + 1, variable.size()));
            const auto all = settings();
            const auto setting = std::find_if(
                all.begin(), all.end(), [&](const Setting& s) { return s.variable() == name; });
            if (setting != all.end()) {
                take(std::string{name}, *setting, text);
            } else if (!is_other_variable(name)) {
                loaded_.warnings.push_back("unknown variable " + std::string{name} + ", ignored");
            }
        }
    }

    void read(std::span<const FlagValue> flags) {
        for (const auto& flag : flags) take(flag.setting->flag(), *flag.setting, flag.text);
    }

    LoadedConfiguration finish() {
        auto& jobs = loaded_.configuration.jobs;
        if (jobs.runtime_limit > jobs.runtime_limit_max) {
            jobs.runtime_limit = jobs.runtime_limit_max;
            loaded_.warnings.push_back("runtime_limit_s is above runtime_limit_max_s; " +
                                       std::to_string(jobs.runtime_limit.count() / 1000) +
                                       " is used for both");
        }
        return std::move(loaded_);
    }

  private:
    void take(const std::string& name, const Setting& setting, std::string_view text) {
        if (!setting.assign_text(loaded_.configuration, text)) {
            refuse(name, setting, '"' + std::string{text} + '"');
        }
    }

    void refuse(const std::string& name, const Setting& setting, const std::string& got) {
        std::string warning = name + " must be " + setting.rule();
        if (setting.is_list()) {
            warning += "; it is ignored";
        } else {
            const auto kept = setting.show(loaded_.configuration);
            warning += ", got " + got + "; " + (kept.empty() ? "it is ignored" : kept + " is used");
        }
        loaded_.warnings.push_back(std::move(warning));
    }

    static std::string suggestion(std::string_view key) {
        for (const auto& setting : settings()) {
            if (setting.key == key) return "; it belongs into [" + std::string{setting.table} + "]";
        }
        return {};
    }

    LoadedConfiguration loaded_;
};

}  // namespace

LoadedConfiguration load_configuration(const ConfigFile& file,
                                       std::span<const std::string> environment,
                                       std::span<const FlagValue> flags) {
    Reader reader;
    reader.read(file);
    reader.read(environment);
    reader.read(flags);
    return reader.finish();
}

}  // namespace bgshell::app
