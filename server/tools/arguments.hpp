// Arguments: typed access to what SchemaReader has let through.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/clock.hpp"

namespace bgshell::tools {

class Arguments {
  public:
    // `values` conforms to an input schema; each field is asked for by its type there. Borrowed.
    explicit Arguments(const boost::json::object& values) : values_{&values} {}

    [[nodiscard]] bool has(std::string_view field) const { return values_->contains(field); }
    [[nodiscard]] std::optional<std::string> find_text(std::string_view field) const;
    [[nodiscard]] std::string text(std::string_view field) const;  // empty if absent
    [[nodiscard]] std::vector<std::string> texts(std::string_view field) const;
    [[nodiscard]] bool flag(std::string_view field) const;
    [[nodiscard]] std::optional<std::uint64_t> find_whole(std::string_view field) const;
    [[nodiscard]] std::optional<platform::Milliseconds> find_seconds(std::string_view field) const;

  private:
    const boost::json::object* values_;
};

}  // namespace bgshell::tools
