// The packets of the keeper protocol, both directions: whatever decodes must survive another trip.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "keeper/messages.hpp"

namespace {

using namespace bgshell::keeper;

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string packet{data, data + size};
    if (const auto message = decode_to_keeper(packet)) {
        require(encode(*message) == packet);
    }
    if (const auto message = decode_from_keeper(packet)) {
        // An `ended` carries JSON, which has more than one spelling; all else has exactly one.
        const std::string again = encode(*message);
        if (!std::holds_alternative<Ended>(*message)) require(again == packet);
        const auto back = decode_from_keeper(again);
        require(back.has_value() && encode(*back) == again);
    }
    return 0;
}
