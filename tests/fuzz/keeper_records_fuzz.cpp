// The files and the start order of a job: the first byte chooses the decoder, the rest is its
// input. Whatever decodes must come back from its own encoding.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "keeper/index_file.hpp"
#include "keeper/records.hpp"
#include "keeper/start_order.hpp"

namespace {

using namespace bgshell::keeper;

void require(bool holds) {
    if (!holds) std::abort();
}

template <class Decode, class Encode>
void round_trip(std::string_view bytes, Decode decode, Encode encode) {
    const auto value = decode(bytes);
    if (!value) return;
    const std::string again = encode(*value);
    const auto back = decode(again);
    require(back.has_value() && encode(*back) == again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string bytes{data + 1, data + size};
    switch (data[0]) {
        case 's':
            round_trip(bytes, decode_spec, encode_spec);
            break;
        case 'e':
            round_trip(bytes, decode_exit, [](const ExitRecord& record) {
                const std::string text = encode_exit(record);
                require(text.size() <= kExitRecordBytes);
                return text;
            });
            break;
        case 'a':
            round_trip(bytes, decode_after, encode_after);
            break;
        case 'o':
            round_trip(bytes, decode_start_order,
                       [](const StartOrder& order) { return encode(order); });
            break;
        case 'i': {
            std::string again;
            for (const IndexEntry& entry : decode_index(bytes)) again += encode(entry);
            require(bytes.starts_with(again));
            break;
        }
        default:
            break;
    }
    return 0;
}
