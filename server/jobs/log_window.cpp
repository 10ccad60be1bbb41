#include "jobs/log_window.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bgshell::jobs {

std::uint64_t LogWindow::position(std::size_t offset) const {
    if (offset >= bytes_.size()) return range_.to;
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), offset,
                         [](std::size_t at, const Run& run) { return at < run.offset; });
    const Run& run = *std::prev(after);
    return run.at + (offset - run.offset);
}

void LogWindow::append(std::vector<store::LogPiece> pieces, std::uint64_t to) {
    for (store::LogPiece& piece : pieces) {
        if (piece.bytes.empty()) continue;
        runs_.push_back({bytes_.size(), piece.from});
        if (bytes_.empty()) {
            bytes_ = std::move(piece.bytes);
        } else {
            bytes_ += piece.bytes;
        }
    }
    range_.to = to;
}

void LogWindow::prepend(std::vector<store::LogPiece> pieces, std::uint64_t from) {
    LogWindow front{{from, from}};
    front.append(std::move(pieces), range_.from);
    for (const Run& run : runs_) front.runs_.push_back({run.offset + front.bytes_.size(), run.at});
    front.bytes_ += bytes_;
    front.range_.to = range_.to;
    *this = std::move(front);
}

}  // namespace bgshell::jobs
