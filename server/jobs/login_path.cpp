#include "jobs/login_path.hpp"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <cstdint>

#include "jobs/environment.hpp"
#include "jobs/login_path_shell.hpp"
#include "keeper/job_state.hpp"
#include "platform/executable.hpp"
#include "platform/pidfd.hpp"
#include "platform/session.hpp"
#include "text/duration.hpp"
#include "text/quote.hpp"

namespace bgshell::jobs {
namespace {

namespace asio = boost::asio;
using namespace asio::experimental::awaitable_operators;
using Descriptor = asio::posix::stream_descriptor;

constexpr std::size_t kMaxOutput = 1 << 20;
constexpr std::size_t kMaxPath = 64 * 1024;
constexpr platform::Milliseconds kDeathLimit{1000};

// What login(1), sshd and desktop sessions hand to a login shell.
constexpr std::array<std::string_view, 21> kPassed{"HOME",
                                                   "USER",
                                                   "LOGNAME",
                                                   "SHELL",
                                                   "LANG",
                                                   "LANGUAGE",
                                                   "LC_ALL",
                                                   "LC_CTYPE",
                                                   "LC_MESSAGES",
                                                   "TZ",
                                                   "TMPDIR",
                                                   "XDG_RUNTIME_DIR",
                                                   "XDG_CONFIG_HOME",
                                                   "XDG_DATA_HOME",
                                                   "XDG_CACHE_HOME",
                                                   "XDG_STATE_HOME",
                                                   "XDG_DATA_DIRS",
                                                   "XDG_CONFIG_DIRS",
                                                   "ZDOTDIR",
                                                   "SSH_AUTH_SOCK",
                                                   "DBUS_SESSION_BUS_ADDRESS"};
constexpr std::string_view kLoginPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

constexpr asio::as_tuple_t<asio::use_awaitable_t<>> kAsTuple{};

// The shell while it runs. Its session never outlives this.
class RunningShell {
  public:
    RunningShell(const asio::any_io_executor& executor, LoginShell shell)
        : pid_{shell.pid},
          output_{executor, shell.output.release()},
          end_{executor, shell.pidfd.release()} {
        output_.non_blocking(true);
    }
    RunningShell(const RunningShell&) = delete;
    RunningShell& operator=(const RunningShell&) = delete;
    ~RunningShell() {
        kill();
        // Where the coroutine was cancelled nobody waits any more: then a zombie may stay until we
        // end.
        (void)platform::reap(end_.native_handle(), platform::Wait::not_at_all);
    }

    Descriptor& output() { return output_; }
    // Readable when the shell itself has ended.
    Descriptor& end() { return end_; }
    void kill() const { platform::kill_session(pid_); }

  private:
    pid_t pid_;
    Descriptor output_;
    Descriptor end_;
};

enum class Reading { more, closed, too_much };

// Takes what is there without waiting.
Reading read_available(Descriptor& output, std::string& text) {
    std::array<char, 16 * 1024> block{};
    while (true) {
        boost::system::error_code error;
        const std::size_t got = output.read_some(asio::buffer(block), error);
        if (error == asio::error::would_block) return Reading::more;
        if (error) return Reading::closed;
        text.append(block.data(), got);
        if (text.size() > kMaxOutput) return Reading::too_much;
    }
}

std::string end_of(const platform::ExitStatus& status) {
    if (const auto* exited = std::get_if<platform::Exited>(&status)) {
        return "exit code " + std::to_string(exited->code);
    }
    return keeper::signal_name(std::get<platform::Signalled>(status).signal);
}

std::string silent_end(int pidfd) {
    std::string what = "ended without an answer";
    const auto status = platform::peek_exit(pidfd);
    // An unknown end is not told as a known one: somebody else may have reaped it.
    if (!status || !*status) return what;
    return what + " (" + end_of(**status) + ")";
}

enum class Wakeup : std::uint8_t { output, end, deadline };

// Without `open` the output is not waited for: it would be readable for ever.
asio::awaitable<Wakeup> next_wakeup(RunningShell& shell, asio::steady_timer& deadline, bool open) {
    auto ended = shell.end().async_wait(Descriptor::wait_read, kAsTuple);
    auto late = deadline.async_wait(kAsTuple);
    if (!open) {
        const auto first = co_await (std::move(ended) || std::move(late));
        co_return first.index() == 0 ? Wakeup::end : Wakeup::deadline;
    }
    auto readable = shell.output().async_wait(Descriptor::wait_read, kAsTuple);
    const auto first = co_await (std::move(readable) || std::move(ended) || std::move(late));
    co_return static_cast<Wakeup>(first.index());
}

// Reads until the answer is there or never will be. nullopt: `failure` says why.
asio::awaitable<std::optional<std::string>> await_answer(RunningShell& shell,
                                                         const std::string& token,
                                                         platform::Milliseconds limit,
                                                         std::string& failure) {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer deadline{executor, limit};
    std::string printed;
    bool open = true;
    while (true) {
        const Wakeup wakeup = co_await next_wakeup(shell, deadline, open);
        const Reading reading = read_available(shell.output(), printed);
        open = open && reading != Reading::closed;
        auto path = find_login_path(printed, token);
        if (path && !path->empty()) co_return path;
        if (path) {
            failure = "gave a PATH that is no list of directories";
        } else if (reading == Reading::too_much) {
            failure = "prints more than 1 MiB while it starts";
        } else if (wakeup == Wakeup::end) {
            failure = silent_end(shell.end().native_handle());
        } else if (wakeup == Wakeup::deadline) {
            failure = "did not answer within " + text::format_duration(limit);
        }
        if (!failure.empty()) co_return std::nullopt;
    }
}

LoginPath none(const LoginPathQuestion& question, const std::string& failure) {
    LoginPath answer;
    answer.failure = "the login shell " + text::quote(question.shell) + " " + failure;
    return answer;
}

std::string random_token() {
    return keeper::JobId::random().text() + keeper::JobId::random().text();
}

}  // namespace

std::optional<LoginPathQuestion> login_path_question(const Surroundings& surroundings) {
    LoginPathQuestion question;
    question.shell = find_variable(surroundings.environment, "SHELL").value_or("");
    if (question.shell.empty()) return std::nullopt;
    question.home = surroundings.home;
    for (const std::string_view name : kPassed) {
        if (const auto value = find_variable(surroundings.environment, name)) {
            question.environment.push_back(std::string{name} + "=" + *value);
        }
    }
    question.environment.push_back("PATH=" + std::string{kLoginPath});
    question.environment.emplace_back("TERM=dumb");
    return question;
}

std::string login_path_command(std::string_view token) {
    const std::string half{token.substr(0, token.size() / 2)};
    const std::string rest{token.substr(half.size())};
    // An external sh, because each family of shells spells PATH in its own way, but all export it.
    return "/bin/sh -c 'printf \"%s%s:%s:%s%s\" " + half + " " + rest + " \"$PATH\" " + half + " " +
           rest + "'";
}

std::optional<std::string> find_login_path(std::string_view output, std::string_view token) {
    const std::string begin_mark = std::string{token} + ":";
    const std::string end_mark = ":" + std::string{token};
    const std::size_t begin = output.find(begin_mark);
    if (begin == std::string_view::npos) return std::nullopt;
    const std::string_view rest = output.substr(begin + begin_mark.size());
    const std::size_t end = rest.find(end_mark);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view path = rest.substr(0, end);
    const bool is_list = path.find('/') != std::string_view::npos && path.size() <= kMaxPath &&
                         path.find_first_of(std::string_view{"\n\0", 2}) == std::string_view::npos;
    return is_list ? std::string{path} : std::string{};
}

asio::awaitable<LoginPath> ask_login_path(LoginPathQuestion question) {
    if (!question.shell.starts_with('/')) co_return none(question, "is no absolute path");
    if (const auto error = platform::check_executable(question.shell)) {
        co_return none(question, "cannot be started: " + error.message());
    }
    const std::string token = random_token();
    const std::vector<std::string> arguments{"-l", "-i", "-c", login_path_command(token)};
    auto started =
        start_login_shell(question.shell, arguments, question.environment, question.home);
    if (!started) co_return none(question, "cannot be started: " + started.error().message());

    const auto executor = co_await asio::this_coro::executor;
    RunningShell shell{executor, std::move(*started)};
    std::string failure;
    auto path = co_await await_answer(shell, token, question.limit, failure);
    shell.kill();
    // Its end is waited for, so that it is reaped; a shell that cannot die is left behind.
    asio::steady_timer death_limit{executor, kDeathLimit};
    auto dead = shell.end().async_wait(Descriptor::wait_read, kAsTuple);
    auto late = death_limit.async_wait(kAsTuple);
    const auto first = co_await (std::move(dead) || std::move(late));
    (void)first;
    if (!path) co_return none(question, failure);
    LoginPath answer;
    answer.path = std::move(path);
    co_return answer;
}

}  // namespace bgshell::jobs
