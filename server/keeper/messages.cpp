#include "keeper/messages.hpp"

#include <algorithm>
#include <csignal>
#include <span>
#include <tuple>
#include <type_traits>

#include "keeper/wire.hpp"

namespace bgshell::keeper {
namespace {

// The type byte of each message. Never reused, so that a peer of another version cannot misread
// one.
template <class Message>
constexpr std::uint8_t type_byte() {
    if constexpr (std::is_same_v<Message, Hello>) return 1;
    if constexpr (std::is_same_v<Message, Start>) return 2;
    if constexpr (std::is_same_v<Message, Subscribe>) return 3;
    if constexpr (std::is_same_v<Message, Write>) return 4;
    if constexpr (std::is_same_v<Message, Eof>) return 5;
    if constexpr (std::is_same_v<Message, Limit>) return 6;
    if constexpr (std::is_same_v<Message, Cancel>) return 7;
    if constexpr (std::is_same_v<Message, Adopt>) return 8;
    if constexpr (std::is_same_v<Message, Release>) return 9;
    if constexpr (std::is_same_v<Message, Started>) return 65;
    if constexpr (std::is_same_v<Message, StartFailed>) return 66;
    if constexpr (std::is_same_v<Message, Grew>) return 67;
    if constexpr (std::is_same_v<Message, Wrote>) return 68;
    if constexpr (std::is_same_v<Message, Ended>) return 69;
    if constexpr (std::is_same_v<Message, Leftovers>) return 70;
    if constexpr (std::is_same_v<Message, Stopped>) return 71;
}

// The fields of a message in the order of the wire, for reading (Message) and writing (const
// Message).
template <class Message>
auto fields(Message& m) {
    using Kind = std::remove_const_t<Message>;
    if constexpr (std::is_same_v<Kind, Hello>) {
        return std::tie(m.version, m.pid);
    } else if constexpr (std::is_same_v<Kind, Write>) {
        return std::tie(m.bytes);
    } else if constexpr (std::is_same_v<Kind, Limit>) {
        return std::tie(m.milliseconds);
    } else if constexpr (std::is_same_v<Kind, Cancel>) {
        return std::tie(m.signal, m.grace_ms, m.reason, m.by_person);
    } else if constexpr (std::is_same_v<Kind, Started>) {
        return std::tie(m.shell_pid, m.started_wall_ms, m.holes_supported);
    } else if constexpr (std::is_same_v<Kind, StartFailed>) {
        return std::tie(m.error, m.what);
    } else if constexpr (std::is_same_v<Kind, Grew>) {
        return std::tie(m.bytes_produced, m.bytes_stored);
    } else if constexpr (std::is_same_v<Kind, Wrote>) {
        return std::tie(m.bytes, m.error);
    } else if constexpr (std::is_same_v<Kind, Ended>) {
        return std::tie(m.record);
    } else if constexpr (std::is_same_v<Kind, Leftovers>) {
        return std::tie(m.count, m.processes);
    } else if constexpr (std::is_same_v<Kind, Stopped>) {
        return std::tie(m.gone, m.killed, m.elapsed_ms, m.had_ended, m.ports, m.survivors);
    } else {
        static_assert(std::is_empty_v<Kind>);
        return std::tuple<>{};
    }
}

template <class Field>
void put(wire::Writer& writer, const Field& field) {
    writer.put(field);
}

void put(wire::Writer& writer, const ExitRecord& record) {
    writer.put(encode_exit(record));
}

// A fork bomb leaves more processes than a packet holds: those that fit are named.
void put(wire::Writer& writer, const std::vector<ProcessName>& processes) {
    std::uint32_t count = 0;
    wire::Writer items;
    for (const ProcessName& process : processes) {
        wire::Writer item;
        item.put(std::int32_t{process.pid});
        item.put(process.command);
        item.put(process.user);
        item.put(static_cast<std::uint8_t>(process.survival));
        if (writer.size() + sizeof count + items.size() + item.size() > kMaxPayload) break;
        items.append(item);
        ++count;
    }
    writer.put(count);
    writer.append(items);
}

void put(wire::Writer& writer, const std::vector<std::uint16_t>& ports) {
    // Half a packet, so that survivors are still named.
    constexpr std::size_t kMost = kMaxPayload / 2 / sizeof(std::uint16_t);
    const auto named = std::span{ports}.first(std::min(ports.size(), kMost));
    writer.put(static_cast<std::uint32_t>(named.size()));
    for (const std::uint16_t port : named) writer.put(port);
}

template <class Field>
void get(wire::Reader& reader, Field& field) {
    reader.get(field);
}

void get(wire::Reader& reader, ExitRecord& record) {
    std::string text;
    reader.get(text);
    auto decoded = decode_exit(text);
    if (decoded) {
        record = std::move(*decoded);
    } else {
        reader.fail();
    }
}

void get(wire::Reader& reader, std::vector<ProcessName>& processes) {
    std::uint32_t count = 0;
    reader.get(count);
    for (; count > 0 && !reader.failed(); --count) {
        ProcessName& process = processes.emplace_back();
        reader.get(process.pid);
        reader.get(process.command);
        reader.get(process.user);
        std::uint8_t survival = 0;
        reader.get(survival);
        if (survival > static_cast<std::uint8_t>(Survival::in_kernel)) reader.fail();
        process.survival = static_cast<Survival>(survival);
    }
}

bool valid(const Cancel& cancel) {
    return cancel.signal > 0 && cancel.signal < NSIG;
}
template <class Message>
bool valid(const Message&) {
    return true;
}

template <class Message>
std::string encode_message(const Message& message) {
    wire::Writer writer;
    writer.put(type_byte<Message>());
    std::apply([&](const auto&... field) { (put(writer, field), ...); }, fields(message));
    return std::move(writer).take();
}

// Reads `payload` into the alternative of `Any` that has this type byte.
template <class Any, class... Messages>
std::optional<Any> decode_as(std::uint8_t type, std::string_view payload,
                             const std::variant<Messages...>*) {
    std::optional<Any> result;
    const auto read = [&]<class Message>(Message message) {
        if (type != type_byte<Message>()) return;
        wire::Reader reader{payload};
        std::apply([&](auto&... field) { (get(reader, field), ...); }, fields(message));
        if (reader.complete() && valid(message)) result = std::move(message);
    };
    (read(Messages{}), ...);
    return result;
}

template <class Any>
std::optional<Any> decode(std::string_view packet) {
    if (packet.empty() || packet.size() > 1 + kMaxPayload) return std::nullopt;
    const auto type = static_cast<std::uint8_t>(packet.front());
    return decode_as<Any>(type, packet.substr(1), static_cast<const Any*>(nullptr));
}

}  // namespace

std::string encode(const ToKeeper& message) {
    return std::visit([](const auto& m) { return encode_message(m); }, message);
}

std::string encode(const FromKeeper& message) {
    return std::visit([](const auto& m) { return encode_message(m); }, message);
}

std::optional<ToKeeper> decode_to_keeper(std::string_view packet) {
    return decode<ToKeeper>(packet);
}

std::optional<FromKeeper> decode_from_keeper(std::string_view packet) {
    return decode<FromKeeper>(packet);
}

}  // namespace bgshell::keeper
