#include "bench/mcp_client.hpp"

#include <unistd.h>

#include <cerrno>

namespace bench {
namespace {

constexpr auto kText = "\"text\":\"";

}  // namespace

McpClient::McpClient(const Arguments& argv, const Arguments& environment)
    : pipes_{spawn_piped(argv, environment)} {}

McpClient::~McpClient() {
    ::close(pipes_.to);
    wait_for(pipes_.pid);
    ::close(pipes_.from);
}

void McpClient::initialize() {
    const auto answer = request(
        "initialize",
        R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}})");
    if (answer.find("\"result\"") == std::string::npos) fail("initialize: " + answer);
    write_line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

std::uint64_t McpClient::send(const std::string& method, const std::string& params) {
    const auto id = ++last_id_;
    write_line(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
               R"(","params":)" + params + "}");
    return id;
}

std::string McpClient::receive() {
    while (true) {
        const auto end = buffer_.find('\n');
        if (end != std::string::npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        char chunk[64 * 1024];
        const auto got = ::read(pipes_.from, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail("the server has gone");
        buffer_.append(chunk, static_cast<std::size_t>(got));
    }
}

std::string McpClient::request(const std::string& method, const std::string& params) {
    const auto id = "\"id\":" + std::to_string(send(method, params));
    while (true) {
        auto line = receive();
        // Notifications have no id; an id is followed by a comma or the end of the object.
        const auto at = line.find(id);
        if (at != std::string::npos && line.find_first_of(",}", at) == at + id.size()) return line;
    }
}

std::string McpClient::call(const std::string& tool, const std::string& arguments) {
    auto answer = request("tools/call", call_params(tool, arguments));
    if (answer.find("\"error\":{") != std::string::npos) fail(tool + ": " + answer);
    return answer;
}

void McpClient::write_line(const std::string& line) {
    const std::string bytes = line + "\n";
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto wrote = ::write(pipes_.to, bytes.data() + done, bytes.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) fail("the server does not read");
        done += static_cast<std::size_t>(wrote);
    }
}

std::string call_params(const std::string& tool, const std::string& arguments) {
    return R"({"name":")" + tool + R"(","arguments":)" + arguments + "}";
}

std::string job_id(const std::string& answer) {
    const auto at = answer.find(kText);
    if (at == std::string::npos) fail("no text: " + answer);
    return answer.substr(at + std::string{kText}.size(), 8);
}

std::uint64_t number_after(const std::string& answer, const std::string& word) {
    const auto at = answer.find(word);
    if (at == std::string::npos) return 0;
    const auto digits = answer.find_first_of("0123456789", at + word.size());
    return digits == std::string::npos ? 0 : std::stoull(answer.substr(digits));
}

}  // namespace bench
