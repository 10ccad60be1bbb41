#include "jobs/job_birth.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
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
// How long a keeper that leaves is waited for before a limit refuses: it syncs two files.
constexpr std::chrono::seconds kJustEnded{2};
constexpr std::chrono::milliseconds kLeavingPause{2};
constexpr int kLeavingPauses = 50;

struct Prepared {
    store::AdmissionAnswer answer;
    std::optional<store::JobDirectory> directory;  // of an admitted job
    std::vector<store::JobRow> same_command;
};

bool is_refusal(const store::AdmissionAnswer& answer) {
    return std::holds_alternative<store::SlotsFull>(answer) ||
           std::holds_alternative<store::BudgetFull>(answer);
}

// Whether a keeper is writing its last record. Whoever was told the end of its job must not find
// that one's share still taken.
bool somebody_leaves(store::Store::Opened& opened, platform::WallTime now) {
    const auto leaves = [now](const store::JobRow& row) {
        return keeper::is_ended(row.state) && now - row.ended < kJustEnded;
    };
    const auto rows = opened.registry->unsettled();
    return rows && std::ranges::any_of(*rows, leaves);
}

// All that is asked for or, once everything is settled, the least that it would take. nullopt: in a
// moment there may be more.
store::Result<std::optional<store::AdmissionAnswer>> admit(store::Store::Opened& opened,
                                                           store::Admission& admission,
                                                           platform::WallTime now, bool patient) {
    const auto least = std::exchange(admission.least_bytes, admission.row.reserved_bytes);
    auto answer = opened.registry->admit(admission);
    admission.least_bytes = least;
    if (answer && is_refusal(*answer)) {
        // What cannot be settled counts as it is.
        static_cast<void>(store::settle(opened.state, *opened.registry, now));
        if (patient && somebody_leaves(opened, now)) return std::optional<store::AdmissionAnswer>{};
        answer = opened.registry->admit(admission);
    }
    if (!answer) return answer.error();
    return std::optional{std::move(*answer)};
}

// Runs on the worker. nullopt: try again in a moment.
store::Result<std::optional<Prepared>> prepare(store::Store::Opened& opened,
                                               store::Admission& admission,
                                               const std::string& script, platform::WallTime now,
                                               bool patient) {
    auto directory = store::JobDirectory::create(opened.state, script);
    if (!directory) return directory.error();
    auto& spec = admission.row.spec;
    spec.id = directory->id();
    auto answer = admit(opened, admission, now, patient);
    const auto* admitted = answer && *answer ? std::get_if<store::Admitted>(&**answer) : nullptr;
    if (admitted == nullptr) {
        const auto removed = directory->remove(opened.state);
        if (!answer) return answer.error();
        if (!removed) return removed.error();
        if (!*answer) return std::optional<Prepared>{};
        return std::optional{Prepared{std::move(**answer), std::nullopt, {}}};
    }
    spec.output_limit_bytes = admitted->reserved_bytes;
    if (const auto written = directory->write_spec(spec); !written) {
        static_cast<void>(directory->remove(opened.state));
        static_cast<void>(opened.registry->withdraw(spec.id));
        return written.error();
    }
    auto same = opened.registry->find_same_command(spec);
    if (!same) same = std::vector<store::JobRow>{};  // only a note
    return std::optional{Prepared{std::move(**answer), std::move(*directory), std::move(*same)}};
}

struct Done {
    Prepared prepared;
    store::JobRow row;
};

asio::awaitable<store::Result<Done>> prepare_patiently(FrontEnd& front, store::Admission admission,
                                                       std::string script) {
    struct Tried {
        std::optional<Prepared> prepared;
        store::Admission admission;
        std::string script;
    };
    asio::steady_timer pause{front.executor};
    for (int pauses = 0;; ++pauses) {
        auto work = [admission = std::move(admission), script = std::move(script),
                     now = front.clock.wall(), patient = pauses < kLeavingPauses](
                        store::Store::Opened& opened) mutable -> store::Result<Tried> {
            auto prepared = prepare(opened, admission, script, now, patient);
            if (!prepared) return prepared.error();
            return Tried{std::move(*prepared), std::move(admission), std::move(script)};
        };
        auto tried = co_await front.store.run(std::move(work));
        if (!tried) co_return tried.error();
        admission = std::move(tried->admission);
        script = std::move(tried->script);
        if (tried->prepared) {
            Done done{std::move(*tried->prepared), std::move(admission.row)};
            co_return std::move(done);
        }
        pause.expires_after(kLeavingPause);
        const auto [cut_off] = co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
        static_cast<void>(cut_off);
    }
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

// Gives a keeper its order.
platform::error_code start_keeper(KeeperLink& keeper, const keeper::StartOrder& order,
                                  const store::JobDirectory& directory, int working_directory) {
    const auto memory = platform::make_memfd("bgshell-start", keeper::encode(order));
    if (!memory) return memory.error();
    const std::array<int, 4> descriptors{directory.fd(), directory.lock_fd(), memory->get(),
                                         working_directory};
    return keeper.start(descriptors);
}

Error no_keeper(const platform::error_code& error) {
    return {ErrorKind::unavailable,
            "no keeper could be started: " + error.message() + ". Nothing was started."};
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
    // First, because from the admission on nobody may find the job without its keeper.
    auto link = co_await front.keepers.take();
    if (!link) co_return no_keeper(link.error());
    // From here on a cancelled call must not stop half-way.
    co_await asio::this_coro::throw_if_cancelled(false);
    store::Admission admission;
    admission.row = std::move(plan.row);
    admission.slots = front.settings.slots;
    admission.slots_total = front.settings.slots_total;
    admission.disk_budget_bytes = front.settings.disk_budget_bytes;
    admission.least_bytes = std::min(kLeastOutputLimit, admission.row.reserved_bytes);
    admission.key_floor = front.clock.wall() - kKeyLife;
    auto done = co_await prepare_patiently(front, std::move(admission), std::move(plan.script));
    if (!done || !done->prepared.directory) front.keepers.put_back(std::move(*link));
    if (!done) co_return to_error(done.error());
    auto& answer = done->prepared.answer;
    if (auto* taken = std::get_if<store::KeyTaken>(&answer)) co_return Birth{std::move(*taken)};
    if (auto* full = std::get_if<store::SlotsFull>(&answer)) co_return Birth{std::move(*full)};
    if (auto* full = std::get_if<store::BudgetFull>(&answer)) co_return Birth{std::move(*full)};

    auto& row = done->row;
    auto& directory = *done->prepared.directory;
    // Nothing runs yet. The registry may have been locked for longer than the caller waited.
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        withdraw(front, std::move(directory));
        front.keepers.put_back(std::move(*link));
        co_return Error{ErrorKind::refused, "The call was cancelled. Nothing was started."};
    }
    auto environment = job_environment(front.surroundings, front.settings, plan.login_path,
                                       plan.call_environment, row.spec.id);
    const auto order = order_of(front, row, std::move(environment));
    if (const auto error = start_keeper(**link, order, directory, plan.directory.fd.get())) {
        withdraw(front, std::move(directory));
        co_return no_keeper(error);
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
    follow(front, born.job);
    front.store.expect_reads();  // while the shell starts
    co_return Birth{std::move(born)};
}

}  // namespace bgshell::jobs
