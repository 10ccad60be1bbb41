// The protocol's revisions, and what each of them knows: the one place where they differ by a fact
// rather than by a method.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bgshell::mcp {

enum class Revision : std::uint8_t {
    r2024_11_05,
    r2025_03_26,
    r2025_06_18,
    r2025_11_25,
    r2026_07_28
};

struct RevisionFacts {
    std::string_view name;
    // false: a handshake, then sessions. true: every request stands alone, with its own envelope.
    bool modern = false;
    bool batches = false;      // arrays of messages must be accepted
    bool annotations = false;  // of tools
    bool audio = false;        // content blocks
    bool progress_message = false;
    bool titles = false;              // of tools and of the server
    bool tool_meta = false;           // _meta of tools
    bool structured_content = false;  // and outputSchema
    bool resource_links = false;      // content blocks
    bool server_details = false;      // description and websiteUrl of the server
};

[[nodiscard]] const RevisionFacts& facts(Revision revision) noexcept;
[[nodiscard]] std::optional<Revision> find_revision(std::string_view name) noexcept;

inline constexpr Revision kLatestLegacy = Revision::r2025_11_25;
inline constexpr Revision kModern = Revision::r2026_07_28;

}  // namespace bgshell::mcp
