#include "tools/toolbox.hpp"

#include <utility>

#include "tools/await_tool.hpp"
#include "tools/cancel_tool.hpp"
#include "tools/embedded.hpp"
#include "tools/error_text.hpp"
#include "tools/list_tool.hpp"
#include "tools/output_tool.hpp"
#include "tools/send_tool.hpp"
#include "tools/start_tool.hpp"

namespace bgshell::tools {
namespace {

namespace json = boost::json;
using boost::asio::awaitable;
using jobs::JobManager;

// A wait that ends by anything but its answer was cut by the client.
class WaitGuard {
  public:
    WaitGuard(LearnedCeilings& ceilings, const platform::Clock& clock, std::string client)
        : ceilings_{ceilings}, clock_{clock}, client_{std::move(client)}, begun_{clock.now()} {}
    ~WaitGuard() {
        if (answered_) return;
        const auto after =
            std::chrono::duration_cast<platform::Milliseconds>(clock_.now() - begun_);
        ceilings_.wait_was_cut(client_, after);
    }
    WaitGuard(const WaitGuard&) = delete;
    WaitGuard& operator=(const WaitGuard&) = delete;
    void answered() { answered_ = true; }

  private:
    LearnedCeilings& ceilings_;
    const platform::Clock& clock_;
    std::string client_;
    platform::Instant begun_;
    bool answered_ = false;
};

void move_look(Draft::Looks& looks, const jobs::JobSnapshot& job,
               const std::optional<jobs::OutputView>& view,
               const std::optional<jobs::MatchReport>& match = std::nullopt) {
    JobManager::LookMove move;
    move.job = job.row.spec.id;
    if (view && !view->again) move.to = view->next;
    if (match) move.search = match->searched;
    if (move.to > 0 || move.search) looks.push_back(std::move(move));
}

Draft::Looks no_looks() {
    return {};
}

}  // namespace

struct Toolbox::Call {
    Tool tool = Tool::start;
    jobs::Caller caller;
    Manner manner;
    std::string client;
    json::object values;             // the arguments as they were read
    std::vector<std::string> facts;  // on the arguments
    CallContext* context = nullptr;
};

Toolbox::Toolbox(JobManager& manager, const platform::Clock& clock, ToolSettings settings)
    : manager_{manager},
      clock_{clock},
      settings_{std::move(settings)},
      definitions_{make_definitions(settings_)} {
    readers_.reserve(definitions_.size());
    for (const ToolDefinition& definition : definitions_) {
        readers_.emplace_back(definition.input_schema);
    }
}

const std::vector<ToolDefinition>& Toolbox::definitions() const {
    return definitions_;
}

std::string Toolbox::instructions() const {
    std::string text{embedded::instructions_txt};
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

void Toolbox::call_arrived(const jobs::Caller& caller) {
    manager_.call_arrived(caller);
}

void Toolbox::written(jobs::OfferId offer) {
    manager_.written(offer);
}

void Toolbox::lost(jobs::OfferId offer) {
    manager_.lost(offer);
}

Tool Toolbox::tool_of(const std::string& name) const {
    for (std::size_t i = 0; i < definitions_.size(); ++i) {
        if (definitions_[i].name == name) return static_cast<Tool>(i);
    }
    throw std::invalid_argument{"no such tool: " + name};
}

Manner Toolbox::manner_of(const ClientProfile& profile) const {
    Manner manner;
    manner.prefix = settings_.tool_prefix;
    manner.wait_ceiling = ceilings_.ceiling(profile);
    manner.background = profile.moves_long_calls_to_background;
    switch (settings_.structured) {
        case StructureMode::automatic:
            manner.structure = profile.show_structure;
            break;
        case StructureMode::on:
            manner.structure = true;
            break;
        case StructureMode::off:
            manner.structure = false;
            break;
    }
    return manner;
}

awaitable<CallResult> Toolbox::call(std::string name, json::object arguments,
                                    CallContext& context) {
    Call call;
    call.tool = tool_of(name);
    call.caller = context.caller;
    call.manner = manner_of(context.profile);
    call.client = context.profile.name;
    call.context = &context;

    if (call.tool == Tool::start) manager_.expect_start();
    auto begun = co_await manager_.begin(call.client);
    if (begun.has_error()) {
        const Draft draft = fixed_draft(error_answer(call.tool, call.manner, begun.error()));
        co_return finish(call, draft, jobs::NoticeBlock{});
    }
    SchemaReader::Reading reading =
        readers_.at(static_cast<std::size_t>(call.tool)).read(arguments);
    Draft draft;
    if (!reading.error.empty()) {
        draft = fixed_draft(error_answer(call.tool, call.manner, reading.error));
    } else {
        call.values = std::move(reading.values);
        call.facts = std::move(reading.facts);
        draft = co_await run(call);
        context.progress = nullptr;
        auto doubt = manager_.doubt();
        // A start that could not be written says so itself.
        if (call.tool != Tool::start && !doubt.empty()) call.facts.push_back(std::move(doubt));
    }
    jobs::NoticeBlock notices;
    try {
        notices = co_await manager_.notices(call.caller);
    } catch (...) {
        // Cancelled: the answer that would have named the job is lost.
        if (draft.started) manager_.lost(manager_.offer(call.caller, {}, {}, draft.started));
        throw;
    }
    co_return finish(call, draft, notices);
}

awaitable<Draft> Toolbox::run(Call& call) {
    switch (call.tool) {
        case Tool::start:
            return start(call);
        case Tool::await:
            return await(call);
        case Tool::output:
            return output(call);
        case Tool::send:
            return send(call);
        case Tool::cancel:
            return cancel(call);
        case Tool::list:
            return list(call);
    }
    throw std::invalid_argument{"no such tool"};
}

awaitable<Draft> Toolbox::start(Call& call) {
    auto request = read_start(Arguments{call.values}, call.manner, call.facts);
    if (!request) co_return fixed_draft(error_answer(call.tool, call.manner, request.error()));
    WaitGuard guard{ceilings_, clock_, call.client};
    auto outcome = co_await manager_.start(call.caller, *std::move(request));
    guard.answered();
    if (!outcome) co_return fixed_draft(error_answer(call.tool, call.manner, outcome.error()));
    const auto* started = std::get_if<jobs::StartedJob>(&*outcome);
    std::optional<jobs::JobId> id;
    if (started != nullptr && !started->reused) id = started->job.row.spec.id;
    Draft draft = draft_of(
        *std::move(outcome),
        [manner = call.manner](const jobs::StartOutcome& told) {
            return render_start(told, manner);
        },
        [](const jobs::StartOutcome& told) {
            Draft::Looks looks;
            if (const auto* job = std::get_if<jobs::StartedJob>(&told)) {
                move_look(looks, job->job, job->view, job->match);
            }
            return looks;
        });
    draft.started = std::move(id);
    co_return draft;
}

awaitable<Draft> Toolbox::await(Call& call) {
    jobs::AwaitRequest request = read_await(Arguments{call.values}, call.manner);
    call.context->progress = [this, ids = request.ids] { return manager_.progress(ids); };
    WaitGuard guard{ceilings_, clock_, call.client};
    auto outcome = co_await manager_.await(call.caller, std::move(request));
    guard.answered();
    if (!outcome) co_return fixed_draft(error_answer(call.tool, call.manner, outcome.error()));
    co_return draft_of(
        *std::move(outcome),
        [manner = call.manner](const jobs::AwaitOutcome& told) {
            return render_await(told, manner);
        },
        [](const jobs::AwaitOutcome& told) {
            Draft::Looks looks;
            for (const jobs::AwaitedJob& awaited : told.jobs) {
                move_look(looks, awaited.job, awaited.view, awaited.match);
            }
            return looks;
        });
}

awaitable<Draft> Toolbox::output(Call& call) {
    jobs::OutputRequest asked = read_output(Arguments{call.values}, call.manner, call.facts);
    auto outcome = co_await manager_.output(call.caller, asked);
    if (!outcome) co_return fixed_draft(error_answer(call.tool, call.manner, outcome.error()));
    const bool news = shows_news(asked);
    co_return draft_of(
        *std::move(outcome),
        [manner = call.manner, asked = std::move(asked)](const jobs::OutputOutcome& told) {
            return render_output(told, asked, manner);
        },
        [news](const jobs::OutputOutcome& told) {
            Draft::Looks looks;
            if (news) move_look(looks, told.job, told.view);
            return looks;
        });
}

awaitable<Draft> Toolbox::send(Call& call) {
    jobs::SendRequest asked = read_send(Arguments{call.values}, call.manner);
    WaitGuard guard{ceilings_, clock_, call.client};
    auto outcome = co_await manager_.send(call.caller, asked);
    guard.answered();
    if (!outcome) co_return fixed_draft(error_answer(call.tool, call.manner, outcome.error()));
    co_return draft_of(
        *std::move(outcome),
        [manner = call.manner, asked = std::move(asked)](const jobs::SendOutcome& told) {
            return render_send(told, asked, manner);
        },
        [](const jobs::SendOutcome& told) {
            Draft::Looks looks;
            move_look(looks, told.job, told.view, told.match);
            return looks;
        });
}

awaitable<Draft> Toolbox::cancel(Call& call) {
    auto request = read_cancel(Arguments{call.values}, call.manner);
    if (!request) co_return fixed_draft(error_answer(call.tool, call.manner, request.error()));
    jobs::CancelRequest asked = *std::move(request);
    auto outcome = co_await manager_.cancel(call.caller, asked);
    if (!outcome) co_return fixed_draft(error_answer(call.tool, call.manner, outcome.error()));
    co_return draft_of(
        *std::move(outcome),
        [manner = call.manner, asked = std::move(asked)](const jobs::CancelOutcome& told) {
            return render_cancel(told, asked, manner);
        },
        [](const jobs::CancelOutcome&) { return no_looks(); });
}

awaitable<Draft> Toolbox::list(Call& call) {
    jobs::ListRequest request = read_list(Arguments{call.values});
    auto outcome = co_await manager_.list(call.caller, std::move(request));
    if (!outcome) co_return fixed_draft(error_answer(call.tool, call.manner, outcome.error()));
    co_return draft_of(
        *std::move(outcome),
        [manner = call.manner](const jobs::ListOutcome& told) { return render_list(told, manner); },
        [](const jobs::ListOutcome&) { return no_looks(); });
}

CallResult Toolbox::finish(const Call& call, const Draft& draft, const jobs::NoticeBlock& notices) {
    HintCount& hints = hints_[call.caller.owner];
    Writing writing;
    writing.facts = call.facts;
    writing.send_tool = call.manner.tool("send");
    const bool several = call.tool == Tool::await || call.tool == Tool::cancel;
    if (several) writing.tag = keeper::JobId::random().text().substr(0, 4);
    writing.with_structure = call.manner.structure;
    writing.hints = &hints;
    writing.most_bytes = result_bytes(call.context->shared_by);
    FittedAnswer fitted = fit(draft, notices, writing);
    if (fitted.hint) hints.spend(*fitted.hint);
    fitted.result.offer =
        manager_.offer(call.caller, fitted.rows, draft.looks(fitted.cuts), draft.started);
    return std::move(fitted.result);
}

}  // namespace bgshell::tools
