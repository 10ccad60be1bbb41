#include "store/store.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "files.hpp"
#include "platform/task_scope.hpp"
#include "samples.hpp"
#include "store/database.hpp"
#include "store/job_directory.hpp"

namespace bgshell::store::test {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Opened = Store::Opened;

struct StoreFixture {
    ScratchDirectory scratch;
    std::string path = scratch / "state";
    Store store{path, false};
    asio::io_context loop;
    std::vector<std::string> events;
    std::vector<std::string> failures;
    std::mutex mutex;
    std::vector<std::string> steps;
    platform::TaskScope scope{loop.get_executor(), [this](std::exception_ptr failure) {
                                  try {
                                      std::rethrow_exception(failure);
                                  } catch (const std::exception& error) {
                                      failures.emplace_back(error.what());
                                  }
                              }};

    asio::awaitable<void> finishes() { co_await scope.close(); }
    // Until the second connection, which the first read asks for, is there.
    void await_reader() {
        scope.spawn(reads(sample_spec().id));
        run();
        scope.spawn(throws());  // behind it
        run();
        events.clear();
    }
    asio::awaitable<void> drains() {
        co_await store.drain();
        events.emplace_back("drained");
    }
    asio::awaitable<void> fulfils(std::promise<void>& promise) {
        promise.set_value();
        co_return;
    }
    // Runs the loop until all that was spawned is done.
    void run() {
        loop.restart();
        loop.run();
        CHECK(failures.empty());
    }

    asio::awaitable<void> admits(keeper::JobSpec spec) {
        const auto loop_thread = std::this_thread::get_id();
        auto work = [asked = admission(spec),
                     loop_thread](Opened& opened) -> Result<AdmissionAnswer> {
            if (std::this_thread::get_id() == loop_thread) {
                return Error{ErrorKind::io, "on the loop's thread"};
            }
            return opened.registry->admit(asked);
        };
        const auto answer = co_await store.run(std::move(work));
        CHECK(std::this_thread::get_id() == loop_thread);
        events.push_back(answer ? "admitted" : answer.error().text());
    }
    asio::awaitable<void> throws() {
        auto work = [](Opened&) -> Result<void> { throw std::runtime_error{"no memory"}; };
        const auto done = co_await store.run(std::move(work));
        events.push_back(done ? "done" : done.error().text());
    }
    // What `find` sees of a job, and on which thread.
    asio::awaitable<void> reads(keeper::JobId id) {
        auto work = [id, loop_thread = std::this_thread::get_id()](
                        Opened& opened) -> Result<std::pair<bool, bool>> {
            const auto row = opened.registry->find(id);
            if (!row) return row.error();
            return std::pair{row->has_value(), std::this_thread::get_id() == loop_thread};
        };
        const auto found = co_await store.read(std::move(work));
        REQUIRE(found.has_value());
        const std::string where = found->second ? "here" : "on the worker";
        events.push_back((found->first ? "found " : "nothing ") + where);
    }
    template <class Then>
    asio::awaitable<void> reads_then(keeper::JobId id, Then then) {
        co_await reads(id);
        then();
    }
    asio::awaitable<void> writes_in_a_read() {
        auto work = [](Opened& opened) -> Result<bool> {
            if (opened.registry->read_only()) return Error{ErrorKind::busy, "not here"};
            return true;
        };
        const auto done = co_await store.read(std::move(work));
        events.push_back(done ? "written" : done.error().text());
    }
    // Counts to `to`, a step at a time.
    asio::awaitable<void> scans(std::string name, int to) {
        auto work = [this, name, to,
                     at = 0](const Store::Files& files) mutable -> Result<std::optional<int>> {
            if (files.patience == Patience::none) return Error{ErrorKind::busy, "too much"};
            const std::lock_guard lock{mutex};
            steps.push_back(name);
            if (++at == to) return std::optional{at};
            return std::optional<int>{};
        };
        const auto counted = co_await store.scan(std::move(work));
        REQUIRE(counted.has_value());
        events.push_back(name + " " + std::to_string(*counted));
    }
    asio::awaitable<void> views() {
        auto work = [](const Store::Files& files) -> Result<Patience> { return files.patience; };
        const auto patience = co_await store.view(std::move(work));
        REQUIRE(patience.has_value());
        events.emplace_back(*patience == Patience::none ? "at once" : "scanned");
    }
    // Cancels itself, by the scope, while its work is done.
    asio::awaitable<void> is_cancelled() {
        auto work = [](Opened&) -> Result<std::string> { return std::string{"result"}; };
        const auto done = co_await store.run(std::move(work));
        events.push_back(done ? *done : done.error().text());
    }
};

TEST_CASE_FIXTURE(StoreFixture, "nothing is made before the first work") {
    CHECK_FALSE(fs::exists(path));
    scope.spawn(admits(sample_spec()));
    CHECK_FALSE(fs::exists(path));
    run();
    CHECK(events == std::vector<std::string>{"admitted"});
    CHECK(fs::exists(path + "/registry.db"));
}

TEST_CASE_FIXTURE(StoreFixture,
                  "work is done on the worker, in the order in which it was asked for") {
    const auto spec = sample_spec();
    std::vector<int> order;
    for (int i = 0; i < 3; ++i) {
        store.post([&order, i](Opened&) -> Result<void> {
            order.push_back(i);
            return {};
        });
    }
    scope.spawn(admits(spec));
    run();
    CHECK(order == std::vector{0, 1, 2});
    CHECK(events == std::vector<std::string>{"admitted"});
}

TEST_CASE_FIXTURE(StoreFixture, "a failed opening is told, and tried again by the next work") {
    put(path, "a file in the way");
    scope.spawn(admits(sample_spec()));
    run();
    REQUIRE(events.size() == 1);
    CHECK(events.front().find(path) != std::string::npos);
    fs::remove(path);
    scope.spawn(admits(sample_spec()));
    run();
    REQUIRE(events.size() == 2);
    CHECK(events.back() == "admitted");
}

TEST_CASE_FIXTURE(StoreFixture,
                  "a posted failure goes to the handler, an exception becomes an error") {
    std::vector<std::string> told;
    store.on_failure([&](const Error& error) { told.push_back(error.text()); });
    store.post([](Opened&) -> Result<void> { return Error{ErrorKind::io, "it broke"}; });
    store.post([](Opened&) -> Result<bool> { throw std::runtime_error{"no memory"}; });
    scope.spawn(throws());
    run();
    REQUIRE(told.size() == 2);
    CHECK(told.front() == "it broke");
    CHECK(told.back().find("no memory") != std::string::npos);
    REQUIRE(events.size() == 1);
    CHECK(events.front().find("no memory") != std::string::npos);
}

TEST_CASE_FIXTURE(StoreFixture, "a cancelled caller still gets the result of its work") {
    scope.spawn(is_cancelled());
    loop.poll();  // the work is asked for
    scope.cancel();
    run();
    CHECK(events == std::vector<std::string>{"result"});
}

TEST_CASE_FIXTURE(StoreFixture,
                  "what only reads is done at once, but behind the writes it could miss") {
    const auto spec = sample_spec();
    scope.spawn(reads(spec.id));
    run();
    CHECK(events == std::vector<std::string>{"nothing on the worker"});
    await_reader();
    scope.spawn(reads(spec.id));
    run();
    CHECK(events == std::vector<std::string>{"nothing here"});
    std::promise<void> asked;
    store.post([&asked, wanted = admission(spec)](Opened& opened) {
        asked.get_future().wait();
        return opened.registry->admit(wanted);
    });
    scope.spawn(reads(spec.id));
    scope.spawn(fulfils(asked));
    run();
    CHECK(events.back() == "found on the worker");
    scope.spawn(reads(spec.id));
    run();
    CHECK(events.back() == "found here");
}

TEST_CASE_FIXTURE(StoreFixture, "no read waits for work that is done aside") {
    await_reader();
    // The run does not wait for the work, which keeps what it uses.
    const auto asked = std::make_shared<std::promise<void>>();
    store.post_aside([asked](Opened&) -> Result<void> {
        asked->get_future().wait();
        return {};
    });
    scope.spawn(reads(sample_spec().id));
    scope.spawn(fulfils(*asked));
    run();
    CHECK(events == std::vector<std::string>{"nothing here"});
}

TEST_CASE_FIXTURE(StoreFixture, "a read that would have to write is the worker's") {
    await_reader();
    scope.spawn(writes_in_a_read());
    run();
    CHECK(events == std::vector<std::string>{"written"});
}

TEST_CASE_FIXTURE(StoreFixture, "long scans take turns, and hold nobody up who reads") {
    await_reader();
    scope.spawn(scans("long", 1000));
    scope.spawn(scans("short", 3));
    scope.spawn(reads(sample_spec().id));
    scope.spawn(views());
    run();
    CHECK(events == std::vector<std::string>{"nothing here", "at once", "short 3", "long 1000"});
    CHECK(steps.front() == "long");
    CHECK(steps.back() == "long");
}

TEST_CASE_FIXTURE(StoreFixture, "a second connection that cannot be opened is tried again later") {
    store.post([](Opened&) -> Result<void> { return {}; });
    scope.spawn(drains());
    run();
    // The worker goes on with the file that it has open.
    fs::rename(path + "/registry.db", path + "/away");
    fs::create_directory(path + "/registry.db");
    await_reader();
    fs::remove(path + "/registry.db");
    fs::rename(path + "/away", path + "/registry.db");
    scope.spawn(reads(sample_spec().id));
    run();
    CHECK(events == std::vector<std::string>{"nothing on the worker"});
    for (int i = 0; i < 100 && events.back() != "nothing here"; ++i) {
        scope.spawn(reads(sample_spec().id));
        scope.spawn(throws());  // behind what the read asks for
        run();
        events.pop_back();
    }
    CHECK(events.back() == "nothing here");
    CHECK(events.size() > 10);  // not at each read
}

TEST_CASE_FIXTURE(StoreFixture, "draining waits for what was posted, and makes nothing") {
    scope.spawn(drains());
    run();
    CHECK_FALSE(fs::exists(path));
    std::promise<void> asked;
    store.post_aside([&asked](Opened&) -> Result<void> {
        asked.get_future().wait();
        return {};
    });
    scope.spawn(drains());
    loop.restart();
    loop.poll();
    events.emplace_back("asked");
    asked.set_value();
    run();
    CHECK(events == std::vector<std::string>{"drained", "asked", "drained"});
}

TEST_CASE_FIXTURE(StoreFixture, "what finds the registry locked is done once it is not") {
    const auto spec = sample_spec();
    await_reader();
    const auto other = value(Database::open(path + "/registry.db", std::chrono::milliseconds{0}));
    ok(other->execute("BEGIN IMMEDIATE"));
    scope.spawn(admits(spec));
    // Behind it, and before it: nobody who reads waits.
    loop.restart();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (store.hindrance() == Store::Hindrance::none) {
        loop.poll();
        REQUIRE(std::chrono::steady_clock::now() < deadline);
    }
    scope.spawn(reads_then(spec.id, [&] { ok(other->execute("ROLLBACK")); }));
    run();
    CHECK(events == std::vector<std::string>{"nothing on the worker", "admitted"});
    CHECK(store.hindrance() == Store::Hindrance::none);
}

TEST_CASE("the end of the store does not wait for a lock") {
    const ScratchDirectory scratch;
    std::vector<Error> failures;
    const auto begun = std::chrono::steady_clock::now();
    std::unique_ptr<Database> other;
    {
        Store store{scratch / "state", false};
        store.on_failure([&](const Error& error) { failures.push_back(error); });
        store.post([&](Opened& opened) -> Result<void> {
            other =
                value(Database::open(opened.state.registry_path(), std::chrono::milliseconds{0}));
            return other->execute("BEGIN IMMEDIATE");
        });
        store.post([](Opened& opened) { return opened.registry->admit(admission(sample_spec())); });
        while (store.hindrance() == Store::Hindrance::none) {
            std::this_thread::yield();
            REQUIRE(std::chrono::steady_clock::now() - begun < std::chrono::seconds{20});
        }
    }
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().kind() == ErrorKind::busy);
    CHECK(std::chrono::steady_clock::now() - begun < kLockPatience / 2);
}

TEST_CASE("the end of the store waits for the work that was asked for") {
    const ScratchDirectory scratch;
    const auto spec = sample_spec();
    {
        Store store{scratch / "state", false};
        store.post([&](Opened& opened) -> Result<AdmissionAnswer> {
            return opened.registry->admit(admission(spec));
        });
    }
    const auto registry = value(Registry::open(scratch / "state/registry.db"));
    CHECK(value(registry->find(spec.id)));
}

TEST_CASE("a new registry takes in the jobs whose directories are there") {
    const ScratchDirectory scratch;
    auto spec = sample_spec();
    {
        const auto state = value(StateDirectory::open(scratch / "state", false));
        auto directory = value(JobDirectory::create(state, "make"));
        spec.id = directory.id();
        ok(directory.write_spec(spec));
    }
    {
        Store store{scratch / "state", false};
        store.post([](Opened&) -> Result<void> { return {}; });
    }
    const auto registry = value(Registry::open(scratch / "state/registry.db"));
    CHECK(value(registry->find(spec.id)));
}

}  // namespace
}  // namespace bgshell::store::test
