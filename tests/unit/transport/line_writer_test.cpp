#include "transport/line_writer.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <vector>

#include "unit/transport/descriptors.hpp"

using namespace bgshell::test;
namespace asio = boost::asio;

namespace {

struct WriterFixture : IgnoreSigpipe {
    explicit WriterFixture(int pipe_size = 4096) {
        REQUIRE(::fcntl(pipe.write.get(), F_SETPIPE_SZ, pipe_size) > 0);
        REQUIRE(::fcntl(pipe.write.get(), F_SETFL, O_WRONLY | O_NONBLOCK) == 0);
        writer.emplace(loop.get_executor(), std::move(pipe.write), [this] { ++broken; });
    }
    ~WriterFixture() { close(); }
    void close() {
        bgshell::platform::TaskScope scope{loop.get_executor(), [](const std::exception_ptr&) {}};
        scope.spawn(writer->close());
        settle();
    }
    void send(std::string message) {
        const int number = sent++;
        writer->send(std::move(message),
                     [this, number](bool written) { (written ? told : lost).push_back(number); });
    }
    void settle() {
        loop.restart();
        loop.poll();
    }
    asio::io_context loop;
    Ends pipe = make_pipe();
    int broken = 0;
    int sent = 0;
    std::vector<int> told;
    std::vector<int> lost;
    std::optional<bgshell::transport::LineWriter> writer;
};

}  // namespace

TEST_CASE_FIXTURE(WriterFixture, "messages go out whole and in order to a reader of single bytes") {
    std::string right;
    for (const std::size_t length : {70'000U, 1U, 0U, 9000U, 4095U, 4096U, 4097U}) {
        const std::string message(length, static_cast<char>('a' + sent));
        right += message + "\n";
        send(message);
    }
    CHECK(writer->waiting() == right.size());
    CHECK(told.empty());
    std::string got;
    while (got.size() < right.size()) {
        settle();
        const std::string byte = read_now(pipe.read.get(), 1);
        REQUIRE(byte.size() == 1);
        got += byte;
    }
    CHECK(got == right);
    settle();
    CHECK(read_now(pipe.read.get(), 1).empty());
    CHECK(told == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
    CHECK(lost.empty());
    CHECK(writer->waiting() == 0);
}

TEST_CASE_FIXTURE(WriterFixture, "the first message is on its way before send returns") {
    send("a");
    CHECK(read_now(pipe.read.get(), 10) == "a\n");
    CHECK(told.empty());
    send("b");
    CHECK(read_now(pipe.read.get(), 10).empty());
    settle();
    CHECK(read_now(pipe.read.get(), 10) == "b\n");
    CHECK(told == std::vector<int>{0, 1});
}

TEST_CASE_FIXTURE(WriterFixture, "a message counts as written when its last byte has been taken") {
    send(std::string(4095, 'a'));
    send("b");
    settle();
    CHECK(told == std::vector<int>{0});
    CHECK(writer->waiting() == 2);
    CHECK(read_now(pipe.read.get(), 5000).size() == 4096);
    settle();
    CHECK(told == std::vector<int>{0, 1});
}

TEST_CASE_FIXTURE(WriterFixture, "nobody is told before send returns") {
    asio::post(loop, [this] {
        send("a");
        CHECK(told.empty());
    });
    settle();
    CHECK(told.size() == 1);
}

TEST_CASE_FIXTURE(WriterFixture, "a reader that is gone loses what waits and what comes") {
    send(std::string(10'000, 'a'));
    send("b");
    settle();
    CHECK(told.empty());
    pipe.read.reset();
    settle();
    CHECK(lost == std::vector<int>{0, 1});
    CHECK(broken == 1);
    CHECK(writer->broken());
    CHECK(writer->waiting() == 0);
    send("c");
    CHECK(lost.size() == 2);
    settle();
    CHECK(lost == std::vector<int>{0, 1, 2});
    CHECK(broken == 1);
}

TEST_CASE_FIXTURE(WriterFixture, "closing loses what waits") {
    send("a");
    send(std::string(10'000, 'b'));
    settle();
    close();
    CHECK(told == std::vector<int>{0});
    CHECK(lost == std::vector<int>{1});
    CHECK(broken == 0);
    send("c");
    settle();
    CHECK(lost == std::vector<int>{1, 2});
}

TEST_CASE_FIXTURE(WriterFixture, "a client that reads nothing while much is sent is given up") {
    const std::string message(1 << 20, 'x');
    for (int count = 0; count < 65; ++count) {
        send(message);
        settle();
    }
    CHECK(broken == 1);
    CHECK(lost.size() == 65);
    CHECK(writer->waiting() == 0);
}
