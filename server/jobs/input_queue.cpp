#include "jobs/input_queue.hpp"

#include <algorithm>

namespace bgshell::jobs {

namespace {
constexpr std::size_t kWriteBytes = keeper::kMaxPayload - 4;  // the string's length takes 4 bytes
}

std::size_t InputQueue::push(std::string_view text) {
    if (closed()) return 0;
    const std::size_t fits = std::min(text.size(), kCapacity - waiting());
    bytes_.erase(0, taken_);
    taken_ = 0;
    bytes_.append(text.substr(0, fits));
    return fits;
}

void InputQueue::push_eof() noexcept {
    if (!closed()) eof_ = Eof::wanted;
}

std::optional<keeper::ToKeeper> InputQueue::next() {
    if (unanswered_ || broken_) return std::nullopt;
    if (waiting() > 0) {
        unanswered_ = true;
        in_flight_ = std::min(waiting(), kWriteBytes);
        return keeper::Write{bytes_.substr(taken_, in_flight_)};
    }
    if (eof_ == Eof::wanted) {
        unanswered_ = true;
        eof_ = Eof::sent;
        return keeper::Eof{};
    }
    return std::nullopt;
}

void InputQueue::answered(const keeper::Wrote& answer) {
    if (!unanswered_) return;
    unanswered_ = false;
    taken_ += std::min<std::size_t>(answer.bytes, in_flight_);
    in_flight_ = 0;
    if (answer.error != 0) {
        broken_ = true;
        lost_ += waiting();
        taken_ = bytes_.size();
    }
    if (taken_ == bytes_.size()) {
        bytes_.clear();
        bytes_.shrink_to_fit();
        taken_ = 0;
    }
}

bool InputQueue::idle() const noexcept {
    return !unanswered_ && waiting() == 0 && (eof_ != Eof::wanted || broken_);
}

}  // namespace bgshell::jobs
