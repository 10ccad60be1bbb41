#include "transport/line_framer.hpp"

#include <cstring>

namespace bgshell::transport {

namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;
constexpr std::size_t kKept = std::size_t{256} << 10;  // more is given back after a long line

std::string_view without_carriage_return(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

std::span<char> LineFramer::space() {
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        scanned_ -= begin_;
        begin_ = 0;
    }
    if (end_ == 0 && buffer_.size() > kKept) {
        buffer_ = std::vector<char>(kChunk);
    } else if (buffer_.size() - end_ < kChunk / 4) {
        buffer_.resize(buffer_.empty() ? kChunk : buffer_.size() * 2);
    }
    return std::span{buffer_}.subspan(end_);
}

void LineFramer::filled(std::size_t count) {
    end_ += count;
}

std::optional<FramedLine> LineFramer::next() {
    while (scanned_ < end_) {
        const auto* const newline =
            static_cast<const char*>(std::memchr(buffer_.data() + scanned_, '\n', end_ - scanned_));
        if (newline == nullptr) {
            scanned_ = end_;
            break;
        }
        const auto at = static_cast<std::size_t>(newline - buffer_.data());
        const std::string_view line{buffer_.data() + begin_, at - begin_};
        begin_ = scanned_ = at + 1;
        if (dropping_) {
            dropping_ = false;
            continue;
        }
        if (line.size() > longest_) return FramedLine{FramedLine::Kind::too_long, {}};
        const std::string_view text = without_carriage_return(line);
        if (!text.empty()) return FramedLine{FramedLine::Kind::line, text};
    }
    const bool too_long = !dropping_ && end_ - begin_ > longest_;
    if (dropping_ || too_long) {
        dropping_ = true;
        begin_ = scanned_ = end_ = 0;
    }
    if (too_long) return FramedLine{FramedLine::Kind::too_long, {}};
    return std::nullopt;
}

std::optional<FramedLine> LineFramer::end() {
    const std::string_view text = without_carriage_return({buffer_.data() + begin_, end_ - begin_});
    begin_ = scanned_ = end_;
    if (dropping_ || text.empty()) return std::nullopt;
    return FramedLine{FramedLine::Kind::line, text};
}

}  // namespace bgshell::transport
