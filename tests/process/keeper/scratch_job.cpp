#include "process/keeper/scratch_job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "keeper/fork_server.hpp"
#include "platform/memfd.hpp"
#include "platform/pidfd.hpp"
#include "platform/process_tree.hpp"
#include "platform/seqpacket.hpp"

namespace bgshell::keeper::testing {
namespace {

namespace fs = std::filesystem;
using platform::UniqueFd;

std::string read_file(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

bool has_zombie_state(const fs::path& process) {
    const auto facts = platform::parse_stat(read_file(process / "stat"));
    return facts && !facts->alive();
}

}  // namespace

void Connection::send(const ToKeeper& message, std::span<const int> descriptors) {
    REQUIRE_FALSE(platform::send_packet(socket_.get(), encode(message), descriptors));
}

bool Connection::receive_until(std::chrono::steady_clock::time_point deadline) {
    if (closed_) return false;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd item{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    const int timeout = static_cast<int>(std::max(left.count(), std::int64_t{0}));
    if (::poll(&item, 1, timeout) <= 0) return false;
    auto received = platform::receive_packet(socket_.get(), 1 + kMaxPayload);
    REQUIRE(received.has_value());
    if (auto* packet = std::get_if<platform::Packet>(&*received)) {
        auto message = decode_from_keeper(packet->bytes);
        REQUIRE(message.has_value());
        received_.push_back(std::move(*message));
        return true;
    }
    closed_ = std::holds_alternative<platform::EndOfStream>(*received);
    return !closed_;
}

void Connection::await_close() {
    await(
        [&] {
            while (receive_until(std::chrono::steady_clock::now())) {
            }
            return closed_;
        },
        "the keeper closes the connection");
}

Connection spawn_idle_keeper() {
    auto started = ForkServer::start();
    REQUIRE(started.has_value());
    REQUIRE(platform::reap(started->parent.get(), platform::Wait::until_exit).has_value());
    return Connection{std::move(started->birth)};
}

ScratchJob::ScratchJob(std::string_view script, std::string_view parent) {
    std::string path =
        (parent.empty() ? fs::temp_directory_path() : fs::path{parent}) / "bgshell-keeper-XXXXXX";
    REQUIRE(::mkdtemp(path.data()) != nullptr);
    path_ = path;
    directory_.reset(::open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::ofstream{path_ + "/script"} << script;

    order.id = JobId::random();
    order.program = "/bin/bash";
    order.arguments = {"bash", path_ + "/script"};
    order.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "T=" + path_, marker()};
    order.runtime_limit_ms = 60'000;
    order.output_limit_bytes = 32ULL << 20U;
    order.orphan_grace_ms = 60'000;
    order.kill_grace_ms = 1'000;
}

ScratchJob::~ScratchJob() {
    if (birth_) birth_->close();
    const auto all_gone = [&] { return marked().empty() && !locked(); };
    if (!all_gone()) {
        // The keeper ends what is below it; one that was killed leaves it to us.
        if (locked()) ::kill(keeper_pid_, SIGTERM);
        for (int i = 0; i < 3000 && locked(); ++i) ::usleep(1000);
        for (const pid_t pid : marked()) ::kill(pid, SIGKILL);
        for (int i = 0; i < 3000 && !all_gone(); ++i) ::usleep(1000);
    }
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void ScratchJob::send_start() {
    birth_.emplace(spawn_idle_keeper());
    UniqueFd lock{::open((path_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    REQUIRE(::flock(lock.get(), LOCK_EX | LOCK_NB) == 0);
    const auto memory = platform::make_memfd("order", encode(order));
    REQUIRE(memory.has_value());
    const std::array<int, 4> descriptors{directory_.get(), lock.get(), memory->get(),
                                         directory_.get()};
    birth_->send(Hello{.version = kProtocolVersion, .pid = ::getpid()});
    keeper_pid_ = birth_->take<Hello>().pid;
    birth_->send(Start{}, descriptors);
}

void ScratchJob::start() {
    send_start();
    CHECK(birth_->take<Started>().shell_pid > 1);
}

Connection ScratchJob::connect() const {
    auto socket = platform::seqpacket_connect(directory_.get(), "sock");
    REQUIRE(socket.has_value());
    Connection connection{std::move(*socket)};
    connection.send(Hello{.version = kProtocolVersion, .pid = ::getpid()});
    CHECK(connection.take<Hello>().pid == keeper_pid_);
    return connection;
}

ExitRecord ScratchJob::run() {
    start();
    return await_end();
}

ExitRecord ScratchJob::await_end() {
    ExitRecord record = birth_->take<Ended>().record;
    CHECK(encode_exit(record) == encode_exit(decode_exit(read("exit.json")).value()));
    CHECK(record.id == order.id);
    return record;
}

AfterRecord ScratchJob::await_after() {
    await_unlocked();
    const auto record = decode_after(read("after.json"));
    REQUIRE(record.has_value());
    CHECK(record->id == order.id);
    return *record;
}

Stopped ScratchJob::cancel(int signal, std::chrono::milliseconds grace) {
    birth_->send(Cancel{.signal = signal,
                        .grace_ms = static_cast<std::uint32_t>(grace.count()),
                        .reason = "user",
                        .by_person = false});
    return birth_->take<Stopped>();
}

std::string ScratchJob::read(std::string_view name) const {
    return read_file(path_ + "/" + std::string{name});
}

bool ScratchJob::exists(std::string_view name) const {
    return fs::exists(fs::path{path_} / name);
}

std::uint64_t ScratchJob::blocks_of(std::string_view name) const {
    struct stat facts {};
    REQUIRE(::stat((path_ + "/" + std::string{name}).c_str(), &facts) == 0);
    return static_cast<std::uint64_t>(facts.st_blocks) * 512;
}

void ScratchJob::await_content(std::string_view name, std::string_view content) const {
    await([&] { return read(name) == content; }, "a file has its content");
}

std::string ScratchJob::marker() const {
    return "BGSHELL_TEST_JOB=" + path_;
}

std::vector<pid_t> ScratchJob::marked() const {
    std::vector<pid_t> pids;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator{"/proc", ignored}) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        if (read_file(entry.path() / "environ").find(marker()) == std::string::npos) continue;
        if (!has_zombie_state(entry.path())) pids.push_back(std::stoi(name));
    }
    return pids;
}

bool ScratchJob::locked() const {
    const UniqueFd lock{::open((path_ + "/lock").c_str(), O_RDWR | O_CLOEXEC)};
    return lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0;
}

void ScratchJob::await_unlocked() const {
    await([&] { return !locked(); }, "the keeper leaves");
}

}  // namespace bgshell::keeper::testing
