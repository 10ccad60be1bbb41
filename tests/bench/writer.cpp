// writer: what jobs of the benchmark run.
//   writer blocks N    N writes of 64 KiB
//   writer lines N     N writes of one line of 97 bytes
//   writer stamp FILE  writes the time of CLOCK_MONOTONIC in nanoseconds to FILE and exits at once
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>

namespace {

int write_often(const std::string& piece, long times) {
    for (long i = 0; i < times; ++i) {
        std::size_t done = 0;
        while (done < piece.size()) {
            const auto wrote = ::write(1, piece.data() + done, piece.size() - done);
            if (wrote <= 0) return 1;
            done += static_cast<std::size_t>(wrote);
        }
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const std::string kind = argv[1];
    if (kind == "blocks") return write_often(std::string(64 * 1024, 'x'), std::atol(argv[2]));
    if (kind == "lines") return write_often(std::string(96, 'x') + "\n", std::atol(argv[2]));
    if (kind != "stamp") return 2;
    const int file = ::open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const auto text = std::to_string(now.tv_sec * 1'000'000'000L + now.tv_nsec);
    if (::write(file, text.data(), text.size()) < 0) return 1;
    ::_exit(0);
}
