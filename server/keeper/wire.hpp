// The binary form of messages and start orders. Integers are little-endian and fixed in size, a
// flag is one byte, 0 or 1; a string is a u32 length and its bytes; a list is a u32 count and its
// items.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bgshell::keeper::wire {

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

class Writer {
  public:
    template <Integer T>
    void put(T value) {
        auto rest = static_cast<std::make_unsigned_t<T>>(value);
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            bytes_.push_back(static_cast<char>(rest & 0xFFU));
            if constexpr (sizeof(T) > 1) rest = static_cast<decltype(rest)>(rest >> 8U);
        }
    }
    void put(bool value) { put(static_cast<std::uint8_t>(value ? 1 : 0)); }
    // `text` is shorter than 4 GiB: nothing that is encoded comes near it.
    void put(const std::string& text) {
        put(static_cast<std::uint32_t>(text.size()));
        bytes_.append(text);
    }
    template <class T>
    void put(const std::vector<T>& items) {
        put(static_cast<std::uint32_t>(items.size()));
        for (const T& item : items) put(item);
    }

    void append(const Writer& other) { bytes_.append(other.bytes_); }

    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] std::string take() && { return std::move(bytes_); }

  private:
    std::string bytes_;
};

// Reads foreign bytes: after the first value that does not fit, `failed` and every further value is
// left as it was. Allocates no more than the bytes that are there.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_{bytes} {}

    template <Integer T>
    void get(T& value) {
        const std::string_view bytes = next(sizeof(T));
        if (failed_) return;
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            sum |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        }
        value = static_cast<T>(static_cast<std::make_unsigned_t<T>>(sum));
    }
    void get(bool& value) {
        std::uint8_t byte = 0;
        get(byte);
        if (byte > 1) failed_ = true;
        value = byte == 1;
    }
    void get(std::string& text) {
        std::uint32_t length = 0;
        get(length);
        text = next(length);
    }
    template <class T>
    void get(std::vector<T>& items) {
        std::uint32_t count = 0;
        get(count);
        for (; count > 0 && !failed_; --count) get(items.emplace_back());
    }
    // For a value that was read but breaks a rule.
    void fail() noexcept { failed_ = true; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    // Whether everything was there, and nothing else.
    [[nodiscard]] bool complete() const noexcept { return !failed_ && rest_.empty(); }

  private:
    std::string_view next(std::size_t length) {
        if (failed_ || length > rest_.size()) {
            failed_ = true;
            return {};
        }
        const std::string_view bytes = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return bytes;
    }

    std::string_view rest_;
    bool failed_ = false;
};

}  // namespace bgshell::keeper::wire
