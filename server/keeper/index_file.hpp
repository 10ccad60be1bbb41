// The `index` file of a job: where the log has holes, and for split jobs which bytes came from
// which stream. Appended to by the keeper's capture thread alone; read by anyone at any time.
//
// Grammar: the file is a sequence of 24-byte little-endian entries
//   entry = kind:u32  zero:u32  from:u64  to:u64
//   kind  = 1 hole: bytes [from, to) are gone (published before they are punched; may overlap
//             earlier holes)
//         | 2 stdout | 3 stderr | 4 mixed (no longer known): every byte from `from` on, until the
//             next entry of kinds 2 to 4, came from there; `to` is 0. Written before those bytes.
// A trailing part of an entry is an append in progress and is ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bgshell::keeper {

enum class IndexKind : std::uint32_t { hole = 1, out = 2, err = 3, mixed = 4 };

struct IndexEntry {
    IndexKind kind = IndexKind::hole;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

inline constexpr std::size_t kIndexEntryBytes = 24;

[[nodiscard]] std::string encode(const IndexEntry& entry);
// Every whole and valid entry of `bytes`; an invalid one (kind, a hole with from > to) ends the
// reading.
[[nodiscard]] std::vector<IndexEntry> decode_index(std::string_view bytes);

}  // namespace bgshell::keeper
