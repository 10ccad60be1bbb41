// echo_server SMALL LARGE: the yardstick of small calls and big replies: a stdio server that does
// no more than answer each line with a fixed text of SMALL bytes, or of LARGE bytes where the line
// asks for `output`.
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace {

std::string reply(const std::string& id, std::size_t bytes) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[{"type":"text","text":")" +
           std::string(bytes, 'x') + "\"}]}}\n";
}

void answer(std::string_view line, std::size_t small, std::size_t large) {
    const auto at = line.find("\"id\":");
    if (at == std::string_view::npos) return;
    const auto end = line.find_first_of(",}", at);
    const std::string id{line.substr(at + 5, end - at - 5)};
    const auto text = reply(id, line.find("\"output\"") == std::string_view::npos ? small : large);
    std::size_t done = 0;
    while (done < text.size()) {
        const auto wrote = ::write(1, text.data() + done, text.size() - done);
        if (wrote <= 0) std::exit(1);
        done += static_cast<std::size_t>(wrote);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
    ::mallopt(M_MMAP_THRESHOLD, 64 << 20);
    ::mallopt(M_TOP_PAD, 1 << 20);
    const std::size_t small = std::strtoul(argv[1], nullptr, 10);
    const std::size_t large = std::strtoul(argv[2], nullptr, 10);
    std::string buffer;
    char chunk[64 * 1024];
    while (true) {
        const auto got = ::read(0, chunk, sizeof chunk);
        if (got <= 0) return 0;
        buffer.append(chunk, static_cast<std::size_t>(got));
        std::size_t end = 0;
        while ((end = buffer.find('\n')) != std::string::npos) {
            answer(std::string_view{buffer}.substr(0, end), small, large);
            buffer.erase(0, end + 1);
        }
    }
}
