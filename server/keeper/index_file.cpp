#include "keeper/index_file.hpp"

#include <optional>

#include "keeper/wire.hpp"

namespace bgshell::keeper {
namespace {

std::optional<IndexEntry> decode_entry(std::string_view bytes) {
    std::uint32_t kind = 0;
    std::uint32_t zero = 0;
    IndexEntry entry;
    wire::Reader reader{bytes};
    reader.get(kind);
    reader.get(zero);
    reader.get(entry.from);
    reader.get(entry.to);
    if (!reader.complete() || zero != 0) return std::nullopt;
    if (kind < static_cast<std::uint32_t>(IndexKind::hole) ||
        kind > static_cast<std::uint32_t>(IndexKind::mixed)) {
        return std::nullopt;
    }
    entry.kind = static_cast<IndexKind>(kind);
    const bool valid = entry.kind == IndexKind::hole ? entry.from <= entry.to : entry.to == 0;
    if (!valid) return std::nullopt;
    return entry;
}

}  // namespace

std::string encode(const IndexEntry& entry) {
    wire::Writer writer;
    writer.put(static_cast<std::uint32_t>(entry.kind));
    writer.put(std::uint32_t{0});
    writer.put(entry.from);
    writer.put(entry.to);
    return std::move(writer).take();
}

std::vector<IndexEntry> decode_index(std::string_view bytes) {
    std::vector<IndexEntry> entries;
    for (; bytes.size() >= kIndexEntryBytes; bytes.remove_prefix(kIndexEntryBytes)) {
        const auto entry = decode_entry(bytes.substr(0, kIndexEntryBytes));
        if (!entry) break;
        entries.push_back(*entry);
    }
    return entries;
}

}  // namespace bgshell::keeper
