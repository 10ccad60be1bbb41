#include "mcp/revision.hpp"

#include <array>

namespace bgshell::mcp {

namespace {

constexpr RevisionFacts facts_of(Revision revision, std::string_view name) {
    const bool since_2025_03 = revision >= Revision::r2025_03_26;
    const bool since_2025_06 = revision >= Revision::r2025_06_18;
    const bool since_2025_11 = revision >= Revision::r2025_11_25;
    return {.name = name,
            .modern = revision == kModern,
            .batches = revision == Revision::r2025_03_26,
            .annotations = since_2025_03,
            .audio = since_2025_03,
            .progress_message = since_2025_03,
            .titles = since_2025_06,
            .tool_meta = since_2025_06,
            .structured_content = since_2025_06,
            .resource_links = since_2025_06,
            .server_details = since_2025_11};
}

// In the order of the enumeration.
constexpr std::array kFacts = {
    facts_of(Revision::r2024_11_05, "2024-11-05"), facts_of(Revision::r2025_03_26, "2025-03-26"),
    facts_of(Revision::r2025_06_18, "2025-06-18"), facts_of(Revision::r2025_11_25, "2025-11-25"),
    facts_of(Revision::r2026_07_28, "2026-07-28"),
};

}  // namespace

const RevisionFacts& facts(Revision revision) noexcept {
    return kFacts[static_cast<std::size_t>(revision)];
}

std::optional<Revision> find_revision(std::string_view name) noexcept {
    for (std::size_t index = 0; index < kFacts.size(); ++index) {
        if (kFacts[index].name == name) return static_cast<Revision>(index);
    }
    return std::nullopt;
}

}  // namespace bgshell::mcp
