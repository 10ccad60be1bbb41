// How long a keeper lives, and for whom.
#include <csignal>
#include <fstream>
#include <string>

#include "platform/process_tree.hpp"
#include "process/keeper/scratch_job.hpp"

using namespace bgshell::keeper;
using namespace bgshell::keeper::testing;
using namespace std::chrono_literals;

TEST_CASE("a host that stops ends the job") {
    for (const int signal : {SIGTERM, SIGHUP}) {
        ScratchJob job{"echo up; exec sleep 300"};
        job.start();
        job.await_content("log", "up\n");
        CHECK(::kill(job.keeper_pid(), signal) == 0);
        const auto record = job.await_end();
        CHECK(record.state == JobState::cancelled);
        CHECK(record.reason == "host_stop");
        job.await_unlocked();
    }
}

TEST_CASE("a keeper is known by its name") {
    ScratchJob job{"echo up; exec sleep 300"};
    job.start();
    job.await_content("log", "up\n");
    std::ifstream comm{"/proc/" + std::to_string(job.keeper_pid()) + "/comm"};
    std::string name;
    std::getline(comm, name);
    CHECK(name == "bgshell-keeper");
    CHECK(::kill(job.keeper_pid(), SIGTERM) == 0);
    job.await_unlocked();
}

TEST_CASE("a front end that dies leaves its job the grace") {
    ScratchJob job{"echo up; exec sleep 300"};
    job.order.orphan_grace_ms = 400;
    job.start();
    job.await_content("log", "up\n");
    const auto start = std::chrono::steady_clock::now();
    job.birth().close();
    job.await_unlocked();
    CHECK(std::chrono::steady_clock::now() - start >= 400ms);
    const auto record = decode_exit(job.read("exit.json"));
    REQUIRE(record.has_value());
    CHECK(record->state == JobState::cancelled);
    CHECK(record->reason == "session_end");
    CHECK(record->signal == SIGTERM);
}

TEST_CASE("a job that is adopted within the grace lives on") {
    ScratchJob job{"sleep 0.8; echo ok"};
    job.order.orphan_grace_ms = 300;
    job.start();
    auto heir = job.connect();
    heir.send(Adopt{});
    heir.send(Subscribe{});
    heir.take<Grew>();
    job.birth().close();
    CHECK(heir.take<Ended>().record.state == JobState::succeeded);
    CHECK(job.log() == "ok\n");
}

TEST_CASE("a subscriber keeps no job alive") {
    ScratchJob job{"exec sleep 300"};
    job.order.orphan_grace_ms = 100;
    job.start();
    auto watcher = job.connect();
    watcher.send(Subscribe{});
    watcher.take<Grew>();
    job.birth().close();
    CHECK(watcher.take<Ended>().record.reason == "session_end");
}

TEST_CASE("a job that is released lives without anybody") {
    ScratchJob job{"sleep 0.5; echo ok"};
    job.order.orphan_grace_ms = 50;
    job.start();
    job.birth().send(Release{});
    job.birth().close();
    job.await_unlocked();
    CHECK(job.log() == "ok\n");
    CHECK(decode_exit(job.read("exit.json"))->state == JobState::succeeded);
}

TEST_CASE("the session's end stops leftovers") {
    ScratchJob job{"sleep 300 & exit 0"};
    job.order.orphan_grace_ms = 300;
    job.run();
    job.birth().close();
    const auto after = job.await_after();
    CHECK(after.leftovers_stopped_by == "session_end");
    CHECK(job.marked().empty());
    CHECK(decode_exit(job.read("exit.json"))->state == JobState::succeeded);
}

TEST_CASE("the lock of a keeper that was killed is free, and there is no record") {
    ScratchJob job{"echo up; exec sleep 300"};
    job.start();
    job.await_content("log", "up\n");
    CHECK(job.locked());
    ::kill(job.keeper_pid(), SIGKILL);
    job.await_unlocked();
    CHECK_FALSE(job.exists("exit.json"));
    CHECK_FALSE(decode_exit(job.read("exit.tmp")).has_value());
}

TEST_CASE("a keeper is nobody's child that its front end could take along") {
    ScratchJob job{"sleep 60"};
    job.start();
    const auto facts = bgshell::platform::process_facts(job.keeper_pid());
    REQUIRE(facts.has_value());
    CHECK(facts->session == job.keeper_pid());
    CHECK(facts->parent != ::getpid());
}

TEST_CASE("a connection that talks nonsense is ended, and no other") {
    ScratchJob job{"sleep 60"};
    job.start();
    auto hello_twice = job.connect();
    hello_twice.send(Hello{});
    hello_twice.await_close();
    auto start_again = job.connect();
    start_again.send(Start{});
    start_again.await_close();
    job.birth().send(Write{"x"});
    CHECK(job.birth().take<Wrote>().error == EBADF);
}

TEST_CASE("a subscriber hears of a sparse line at once, and of a flood seldom") {
    ScratchJob job{"read line; echo sparse; read line; yes | head -c 20000000"};
    job.order.open_stdin = true;
    job.start();
    job.birth().send(Write{"\n"});
    CHECK(job.birth().take<Grew>().bytes_produced == 7);
    job.birth().send(Write{"\n"});
    job.await_end();
    int news = 0;
    std::uint64_t last = 0;
    while (auto grew = job.birth().poll<Grew>()) {
        CHECK(grew->bytes_produced > last);
        CHECK(grew->bytes_stored <= grew->bytes_produced);
        last = grew->bytes_produced;
        ++news;
    }
    CHECK(news < 400);
}
