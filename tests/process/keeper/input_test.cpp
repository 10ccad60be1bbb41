// The job's stdin, written by a front end.
#include <cerrno>

#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

TEST_CASE("a megabyte reaches a job that reads late, and other calls are answered meanwhile") {
    ScratchJob job{"sleep 0.3; wc -c; echo end"};
    job.order.open_stdin = true;
    job.start();
    auto other = job.connect();
    const std::string chunk(kMaxPayload - 4, 'x');
    std::size_t sent = 0;
    constexpr std::size_t kTotal = 1 << 20;
    while (sent < kTotal) {
        const std::size_t size = std::min(chunk.size(), kTotal - sent);
        job.birth().send(Write{chunk.substr(0, size)});
        other.send(Subscribe{});
        const auto wrote = job.birth().take<Wrote>();
        CHECK(wrote.error == 0);
        CHECK(wrote.bytes == size);
        sent += size;
    }
    job.birth().send(Eof{});
    CHECK(job.birth().take<Wrote>().error == 0);
    CHECK(job.await_end().exit_code == 0);
    CHECK(job.log() == "1048576\nend\n");
    other.take<Ended>();
}

TEST_CASE("a job that closes its stdin gets nothing more") {
    ScratchJob job{"exec <&-; echo up; sleep 60"};
    job.order.open_stdin = true;
    job.start();
    job.await_content("log", "up\n");
    job.birth().send(Write{"text"});
    const auto wrote = job.birth().take<Wrote>();
    CHECK(wrote.error == EPIPE);
    CHECK(wrote.bytes == 0);
}

TEST_CASE("a job without stdin says so") {
    ScratchJob job{"sleep 60"};
    job.start();
    job.birth().send(Write{"text"});
    CHECK(job.birth().take<Wrote>().error == EBADF);
}

TEST_CASE("a write that waits is answered when the job ends") {
    ScratchJob job{"sleep 0.3"};
    job.order.open_stdin = true;
    job.start();
    const std::string chunk(kMaxPayload - 4, 'x');
    std::optional<Wrote> refused;
    while (!refused) {  // the pipe takes some
        job.birth().send(Write{chunk});
        const auto wrote = job.birth().take<Wrote>();
        if (wrote.error != 0) refused = wrote;
    }
    CHECK(refused->error == EPIPE);
    CHECK(job.await_end().exit_code == 0);
}

TEST_CASE("writes of two connections do not mix") {
    ScratchJob job{"cat"};
    job.order.open_stdin = true;
    job.start();
    auto other = job.connect();
    const std::string a(30'000, 'a');
    const std::string b(30'000, 'b');
    job.birth().send(Write{a});
    other.send(Write{b});
    CHECK(job.birth().take<Wrote>().bytes == a.size());
    CHECK(other.take<Wrote>().bytes == b.size());
    job.birth().send(Eof{});
    job.await_end();
    CHECK((job.log() == a + b || job.log() == b + a));
}
