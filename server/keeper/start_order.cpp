#include "keeper/start_order.hpp"

#include <algorithm>

#include "keeper/wire.hpp"

namespace bgshell::keeper {
namespace {

// The order travels between programs of possibly different releases, so it says its form.
constexpr std::uint16_t kForm = 1;

bool has_nul(const std::string& text) {
    return text.find('\0') != std::string::npos;
}

}  // namespace

std::string encode(const StartOrder& order) {
    wire::Writer writer;
    writer.put(kForm);
    writer.put(order.id.text());
    writer.put(order.program);
    writer.put(order.arguments);
    writer.put(order.environment);
    writer.put(order.runtime_limit_ms);
    writer.put(order.output_limit_bytes);
    writer.put(std::string{to_string(order.output_limit_mode)});
    writer.put(order.orphan_grace_ms);
    writer.put(order.kill_grace_ms);
    writer.put(order.open_stdin);
    writer.put(order.split_stderr);
    writer.put(order.open_files_soft);
    writer.put(order.open_files_hard);
    return std::move(writer).take();
}

std::optional<StartOrder> decode_start_order(std::string_view bytes) {
    StartOrder order;
    std::uint16_t form = 0;
    std::string id;
    std::string mode;
    wire::Reader reader{bytes};
    reader.get(form);
    if (form != kForm) return std::nullopt;
    reader.get(id);
    reader.get(order.program);
    reader.get(order.arguments);
    reader.get(order.environment);
    reader.get(order.runtime_limit_ms);
    reader.get(order.output_limit_bytes);
    reader.get(mode);
    reader.get(order.orphan_grace_ms);
    reader.get(order.kill_grace_ms);
    reader.get(order.open_stdin);
    reader.get(order.split_stderr);
    reader.get(order.open_files_soft);
    reader.get(order.open_files_hard);
    const auto parsed_id = JobId::parse(id);
    const auto parsed_mode = parse_output_limit_mode(mode);
    if (!reader.complete() || !parsed_id || !parsed_mode) return std::nullopt;
    // execve ends a string at its first NUL: such a string would run as something else.
    if (!order.program.starts_with('/') || has_nul(order.program) || order.arguments.empty() ||
        std::ranges::any_of(order.arguments, has_nul) ||
        std::ranges::any_of(order.environment, has_nul)) {
        return std::nullopt;
    }
    order.id = *parsed_id;
    order.output_limit_mode = *parsed_mode;
    return order;
}

}  // namespace bgshell::keeper
