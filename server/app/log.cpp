#include "app/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <string>

namespace bgshell::app {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
        case LogLevel::error:
            return spdlog::level::err;
        case LogLevel::warn:
            return spdlog::level::warn;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::debug:
            return spdlog::level::debug;
    }
    return spdlog::level::err;
}

std::string escaped(std::string_view line) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text;
    text.reserve(line.size());
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7f) {
            text += c;
        } else {
            text += "\\x";
            text += kHex[byte >> 4U];
            text += kHex[byte & 15U];
        }
    }
    return text;
}

}  // namespace

class Log::Impl {
  public:
    explicit Impl(LogLevel level)
        : logger_{"bgshell", std::make_shared<spdlog::sinks::stderr_sink_mt>()} {
        logger_.set_level(to_spdlog(level));
        logger_.set_pattern("bgshell[%P] %l: %v");
        // The default handler prints to stderr itself, once a second.
        logger_.set_error_handler([](const std::string&) {});
    }
    void write(LogLevel level, std::string_view line) {
        const auto severity = to_spdlog(level);
        if (logger_.should_log(severity)) logger_.log(severity, "{}", escaped(line));
    }

  private:
    spdlog::logger logger_;
};

Log::Log(LogLevel level) : impl_{std::make_unique<Impl>(level)} {}
Log::~Log() = default;

void Log::write(LogLevel level, std::string_view line) const noexcept {
    try {
        impl_->write(level, line);
    } catch (...) {  // out of memory: the line is lost, the program goes on
    }
}

}  // namespace bgshell::app
