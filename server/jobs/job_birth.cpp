#include "jobs/job_birth.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "jobs/environment.hpp"
#include "jobs/job_follower.hpp"
#include "keeper/start_order.hpp"
#include "platform/memfd.hpp"
#include "store/settle.hpp"

namespace bgshell::jobs {

namespace asio = boost::asio;

namespace {

constexpr std::uint64_t kLeastOutputLimit = 1024 * 1024;
constexpr std::chrono::hours kKeyLife{1};  // after the end of its job

struct Prepared {
    store::AdmissionAnswer answer;
    std::optional<store::JobDirectory> directory;  // of an admitted job
    std::vector<store::JobRow> same_command;
};

bool is_refusal(const store::AdmissionAnswer& answer) {
    return std::holds_alternative<store::SlotsFull>(answer) ||
           std::holds_alternative<store::BudgetFull>(answer);
}

// Runs on the worker.
store::Result<Prepared> prepare(store::Store::Opened& opened, store::Admission& admission,
                                const std::string& script, platform::WallTime now) {
    auto directory = store::JobDirectory::create(opened.state, script);
    if (!directory) return directory.error();
    auto& spec = admission.row.spec;
    spec.id = directory->id();
    auto answer = opened.registry->admit(admission);
    if (answer && is_refusal(*answer)) {
        const auto settled = store::settle(opened.state, *opened.registry, now);
        if (settled) answer = opened.registry->admit(admission);
    }
    const auto* admitted = answer ? std::get_if<store::Admitted>(&*answer) : nullptr;
    if (admitted == nullptr) {
        const auto removed = directory->remove(opened.state);
        if (!answer) return answer.error();
        if (!removed) return removed.error();
        return Prepared{std::move(*answer), std::nullopt, {}};
    }
    spec.output_limit_bytes = admitted->reserved_bytes;
    if (const auto written = directory->write_spec(spec); !written) {
        static_cast<void>(directory->remove(opened.state));
        static_cast<void>(opened.registry->withdraw(spec.id));
        return written.error();
    }
    auto same = opened.registry->find_same_command(spec);
    if (!same) same = std::vector<store::JobRow>{};  // only a note
    return Prepared{std::move(*answer), std::move(*directory), std::move(*same)};
}

keeper::StartOrder order_of(const FrontEnd& front, const store::JobRow& row,
                            std::vector<std::string> environment) {
    const auto& spec = row.spec;
    keeper::StartOrder order;
    order.id = spec.id;
    order.program = spec.shell;
    order.arguments = {spec.shell, front.state_path + "/jobs/" + spec.id.text() + "/script"};
    order.environment = std::move(environment);
    order.runtime_limit_ms = static_cast<std::uint64_t>(spec.runtime_limit_ms);
    order.output_limit_bytes = spec.output_limit_bytes;
    order.output_limit_mode = spec.output_limit_mode;
    order.orphan_grace_ms = static_cast<std::uint64_t>(front.settings.orphan_grace.count());
    order.open_stdin = spec.open_stdin;
    order.split_stderr = spec.split_stderr;
    order.open_files_soft = front.surroundings.open_files_soft;
    order.open_files_hard = front.surroundings.open_files_hard;
    return order;
}

using Link = std::unique_ptr<KeeperLink>;

// A keeper that has its order. A spare that died while it waited is replaced.
platform::Outcome<Link> start_keeper(FrontEnd& front, const keeper::StartOrder& order,
                                     const store::JobDirectory& directory, int working_directory) {
    const auto memory = platform::make_memfd("bgshell-start", keeper::encode(order));
    if (!memory) return memory.error();
    const std::array<int, 4> descriptors{directory.fd(), directory.lock_fd(), memory->get(),
                                         working_directory};
    platform::error_code error;
    for (int attempt = 0; attempt < 2; ++attempt) {
        auto socket = attempt == 0 ? front.keepers.take() : front.keepers.take_new();
        if (!socket) return socket.error();
        auto link = std::make_unique<KeeperLink>(front.executor, std::move(*socket));
        error = link->start(descriptors);
        if (!error) return link;
    }
    return error;
}

// Takes an admitted job back.
void withdraw(FrontEnd& front, store::JobDirectory directory) {
    auto work = [directory = std::make_shared<store::JobDirectory>(std::move(directory))](
                    store::Store::Opened& opened) -> store::Result<void> {
        auto removed = directory->remove(opened.state);
        if (!removed) return removed;
        return opened.registry->withdraw(directory->id());
    };
    front.store.post(std::move(work));
}

}  // namespace

asio::awaitable<Result<Birth>> give_birth(FrontEnd& front, BirthPlan plan) {
    store::Admission admission;
    admission.row = std::move(plan.row);
    admission.slots = front.settings.slots;
    admission.slots_total = front.settings.slots_total;
    admission.disk_budget_bytes = front.settings.disk_budget_bytes;
    admission.least_bytes = std::min(kLeastOutputLimit, admission.row.reserved_bytes);
    admission.key_floor = front.clock.wall() - kKeyLife;
    struct Done {
        Prepared prepared;
        store::JobRow row;
    };
    auto work =
        [admission = std::move(admission), script = std::move(plan.script),
         now = front.clock.wall()](store::Store::Opened& opened) mutable -> store::Result<Done> {
        auto prepared = prepare(opened, admission, script, now);
        if (!prepared) return prepared.error();
        return Done{std::move(*prepared), std::move(admission.row)};
    };
    auto done = co_await front.store.run(std::move(work));
    if (!done) co_return to_error(done.error());
    auto& answer = done->prepared.answer;
    if (auto* taken = std::get_if<store::KeyTaken>(&answer)) co_return Birth{std::move(*taken)};
    if (auto* full = std::get_if<store::SlotsFull>(&answer)) co_return Birth{std::move(*full)};
    if (auto* full = std::get_if<store::BudgetFull>(&answer)) co_return Birth{std::move(*full)};

    auto& row = done->row;
    auto& directory = *done->prepared.directory;
    auto environment = job_environment(front.surroundings, front.settings, plan.login_path,
                                       plan.call_environment, row.spec.id);
    auto link = start_keeper(front, order_of(front, row, std::move(environment)), directory,
                             plan.directory.fd.get());
    if (!link) {
        withdraw(front, std::move(directory));
        co_return Error{
            ErrorKind::unavailable,
            "no keeper could be started: " + link.error().message() + ". Nothing was started."};
    }
    directory.drop_lock();  // from now on the keeper alone holds it

    Born born;
    born.slots_used = std::get<store::Admitted>(answer).slots_used;
    born.output_limit_bytes = row.spec.output_limit_bytes;
    if (!done->prepared.same_command.empty()) {
        born.same_command = std::move(done->prepared.same_command.front());
    }
    born.job = std::make_shared<Job>(std::move(row));
    born.job->connect(std::move(*link));
    born.job->link()->send(keeper::Subscribe{});
    follow(front, born.job);
    co_return Birth{std::move(born)};
}

}  // namespace bgshell::jobs
