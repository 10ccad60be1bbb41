#include "tools/arguments.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>

namespace bgshell::tools {
namespace {

std::string to_string(const boost::json::value& value) {
    const boost::json::string& text = value.as_string();
    return {text.data(), text.size()};
}

}  // namespace

std::optional<std::string> Arguments::find_text(std::string_view field) const {
    const auto* value = values_->if_contains(field);
    if (value == nullptr) return std::nullopt;
    return to_string(*value);
}

std::string Arguments::text(std::string_view field) const {
    return find_text(field).value_or(std::string{});
}

std::vector<std::string> Arguments::texts(std::string_view field) const {
    std::vector<std::string> texts;
    if (const auto* value = values_->if_contains(field)) {
        for (const boost::json::value& item : value->as_array()) texts.push_back(to_string(item));
    }
    return texts;
}

bool Arguments::flag(std::string_view field) const {
    const auto* value = values_->if_contains(field);
    return value != nullptr && value->as_bool();
}

std::optional<std::uint64_t> Arguments::find_whole(std::string_view field) const {
    const auto* value = values_->if_contains(field);
    if (value == nullptr) return std::nullopt;
    boost::json::error_code error;
    const auto whole = value->to_number<std::uint64_t>(error);
    // The schema has refused fractions and what is below 0: only too large a number is left.
    return error ? std::numeric_limits<std::uint64_t>::max() : whole;
}

std::optional<platform::Milliseconds> Arguments::find_seconds(std::string_view field) const {
    const auto* value = values_->if_contains(field);
    if (value == nullptr) return std::nullopt;
    return platform::Milliseconds{std::llround(value->to_number<double>() * 1000.0)};
}

}  // namespace bgshell::tools
