// EscapeParser: tells the bytes of terminal control sequences from those of text, one byte at a
// time.
//
//   sequence = ESC [0x20-0x2F]* [0x30-0x7E]                       charset, mode, reset
//            | ESC '[' [0x30-0x3F]* [0x20-0x2F]* [0x40-0x7E]      CSI
//            | ESC (']' | 'P' | 'X' | '^' | '_') any* (BEL | ESC '\')   OSC, DCS, SOS, PM, APC
// A byte that fits nowhere ends the sequence and is text again; so does a newline inside of a
// string, which keeps stray bytes of a binary file from hiding what follows. Only the 7-bit forms
// are known: in UTF-8 the others are characters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bgshell::text {

inline constexpr unsigned char kEscape = 0x1B;

// A CSI sequence, as far as one line is concerned.
struct Csi {
    char final_byte = 0;
    bool plain = true;                      // no private marker and no intermediate byte
    std::array<std::uint32_t, 2> params{};  // the first two, 0 where absent
};

class EscapeParser {
  public:
    enum class Result : std::uint8_t {
        text,    // the byte belongs to no sequence
        inside,  // to one that goes on
        ended,   // it was the last one of a sequence without meaning here
        csi,     // the last one of the sequence that csi() tells
    };
    [[nodiscard]] Result step(unsigned char byte) noexcept;
    [[nodiscard]] bool inside() const noexcept { return state_ != State::ground; }
    [[nodiscard]] const Csi& csi() const noexcept { return csi_; }

  private:
    enum class State : std::uint8_t { ground, escape, intermediate, csi, string, string_escape };
    Result step_escape(unsigned char byte) noexcept;
    Result step_csi(unsigned char byte) noexcept;
    Result end_with(Result result) noexcept;

    State state_ = State::ground;
    std::size_t param_ = 0;
    Csi csi_;
};

// The first position >= `at` that lies in no control sequence begun before it. Looks back 4 KiB at
// most.
[[nodiscard]] std::size_t after_sequence(std::string_view bytes, std::size_t at) noexcept;
// How many bytes at the end are a control sequence that has not ended, of those it looks at: the
// last 4 KiB.
[[nodiscard]] std::size_t unfinished_sequence(std::string_view bytes) noexcept;

}  // namespace bgshell::text
