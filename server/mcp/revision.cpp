#include "mcp/revision.hpp"

#include <array>

namespace bgshell::mcp {

namespace {

// In the order of the enumeration.
constexpr std::array kFacts = {
    RevisionFacts{.name = "2024-11-05"},
    RevisionFacts{.name = "2025-03-26",
                  .batches = true,
                  .annotations = true,
                  .audio = true,
                  .progress_message = true},
    RevisionFacts{.name = "2025-06-18",
                  .annotations = true,
                  .audio = true,
                  .progress_message = true,
                  .titles = true,
                  .structured_content = true,
                  .resource_links = true},
    RevisionFacts{.name = "2025-11-25",
                  .annotations = true,
                  .audio = true,
                  .progress_message = true,
                  .titles = true,
                  .structured_content = true,
                  .resource_links = true,
                  .server_details = true},
    RevisionFacts{.name = "2026-07-28",
                  .modern = true,
                  .annotations = true,
                  .audio = true,
                  .progress_message = true,
                  .titles = true,
                  .structured_content = true,
                  .resource_links = true,
                  .server_details = true},
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
