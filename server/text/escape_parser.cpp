#include "text/escape_parser.hpp"

#include <algorithm>

namespace bgshell::text {
namespace {

constexpr std::size_t kLookBack = 4096;

bool within(unsigned char byte, unsigned char low, unsigned char high) {
    return byte >= low && byte <= high;
}

// Where the last ESC before `at` is; npos: none near.
std::size_t last_escape(std::string_view bytes, std::size_t at) noexcept {
    const std::size_t floor = at > kLookBack ? at - kLookBack : 0;
    const std::string_view before = bytes.substr(floor, at - floor);
    const std::size_t found = before.rfind('\x1b');
    return found == before.npos ? before.npos : floor + found;
}

}  // namespace

EscapeParser::Result EscapeParser::end_with(Result result) noexcept {
    state_ = State::ground;
    return result;
}

EscapeParser::Result EscapeParser::step_escape(unsigned char byte) noexcept {
    if (byte == '[') {
        state_ = State::csi;
        csi_ = {};
        param_ = 0;
        return Result::inside;
    }
    if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_') {
        state_ = State::string;
        return Result::inside;
    }
    if (within(byte, 0x20, 0x2F)) {
        state_ = State::intermediate;
        return Result::inside;
    }
    return end_with(within(byte, 0x30, 0x7E) ? Result::ended : Result::text);
}

EscapeParser::Result EscapeParser::step_csi(unsigned char byte) noexcept {
    if (within(byte, '0', '9')) {
        if (param_ < csi_.params.size()) {
            std::uint32_t& param = csi_.params.at(param_);
            param = std::min<std::uint32_t>(param * 10 + (byte - '0'), 100'000);
        }
        return Result::inside;
    }
    if (byte == ';' || byte == ':') {
        ++param_;
        return Result::inside;
    }
    if (within(byte, 0x20, 0x3F)) {
        csi_.plain = false;
        return Result::inside;
    }
    if (!within(byte, 0x40, 0x7E)) return end_with(Result::text);
    csi_.final_byte = static_cast<char>(byte);
    return end_with(Result::csi);
}

EscapeParser::Result EscapeParser::step(unsigned char byte) noexcept {
    if (byte == kEscape) {
        state_ = state_ == State::string ? State::string_escape : State::escape;
        return Result::inside;
    }
    switch (state_) {
        case State::ground:
            return Result::text;
        case State::escape:
            return step_escape(byte);
        case State::intermediate:
            if (within(byte, 0x20, 0x2F)) return Result::inside;
            return end_with(within(byte, 0x30, 0x7E) ? Result::ended : Result::text);
        case State::csi:
            return step_csi(byte);
        case State::string:
            if (byte == '\n') return end_with(Result::text);
            if (byte == 0x07 || byte == 0x18 || byte == 0x1A) return end_with(Result::ended);
            return Result::inside;
        case State::string_escape:
            if (byte == '\\') return end_with(Result::ended);
            return step_escape(byte);
    }
    return Result::text;
}

std::size_t after_sequence(std::string_view bytes, std::size_t at) noexcept {
    const std::size_t escape = last_escape(bytes, std::min(at, bytes.size()));
    if (escape == bytes.npos) return at;
    EscapeParser parser;
    for (std::size_t here = escape; here < bytes.size(); ++here) {
        const auto result = parser.step(static_cast<unsigned char>(bytes[here]));
        if (here >= at && result == EscapeParser::Result::text) return here;
        if (!parser.inside()) return std::max(at, here + 1);
    }
    return bytes.size();
}

std::size_t unfinished_sequence(std::string_view bytes) noexcept {
    const std::size_t escape = last_escape(bytes, bytes.size());
    if (escape == bytes.npos) return 0;
    EscapeParser parser;
    for (std::size_t here = escape; here < bytes.size(); ++here) {
        static_cast<void>(parser.step(static_cast<unsigned char>(bytes[here])));
        if (!parser.inside()) return 0;
    }
    return bytes.size() - escape;
}

}  // namespace bgshell::text
