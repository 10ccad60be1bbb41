#include "store/notice.hpp"

namespace bgshell::store {

std::string_view to_string(NoticeKind kind) noexcept {
    switch (kind) {
        case NoticeKind::ended:
            return "ended";
        case NoticeKind::limit_near:
            return "limit_near";
        case NoticeKind::leftovers_ended:
            return "leftovers_ended";
    }
    return "ended";
}

std::optional<NoticeKind> parse_notice_kind(std::string_view word) noexcept {
    for (const auto kind :
         {NoticeKind::ended, NoticeKind::limit_near, NoticeKind::leftovers_ended}) {
        if (word == to_string(kind)) return kind;
    }
    return std::nullopt;
}

}  // namespace bgshell::store
