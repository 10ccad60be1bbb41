#include "keeper/job_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>

#include "platform/spawn.hpp"

namespace bgshell::keeper {
namespace {

using platform::error_code;
using platform::last_error;
using platform::UniqueFd;

struct Pipe {
    UniqueFd read;
    UniqueFd write;
};

error_code make_pipe(Pipe& pipe) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return last_error();
    pipe.read.reset(ends[0]);
    pipe.write.reset(ends[1]);
    return {};
}

// The two ends of a pipe have flags of their own, so the job's end stays blocking.
error_code make_nonblocking(const UniqueFd& fd) {
    return ::fcntl(fd.get(), F_SETFL, O_NONBLOCK) != 0 ? last_error() : error_code{};
}

StartFailed failed(const error_code& error, std::string what) {
    return {.error = error.value(), .what = std::move(what)};
}

error_code restore_open_files(const StartOrder& order) {
    if (order.open_files_soft == 0) return {};
    const rlimit limit{.rlim_cur = order.open_files_soft, .rlim_max = order.open_files_hard};
    return ::setrlimit(RLIMIT_NOFILE, &limit) != 0 ? last_error() : error_code{};
}

// The pipes of a job, both ends.
struct Pipes {
    Pipe input;
    Pipe output;
    Pipe errors;
};

error_code make_pipes(const StartOrder& order, Pipes& pipes) {
    if (const auto error = make_pipe(pipes.output)) return error;
    if (const auto error = make_nonblocking(pipes.output.read)) return error;
    if (order.split_stderr) {
        if (const auto error = make_pipe(pipes.errors)) return error;
        if (const auto error = make_nonblocking(pipes.errors.read)) return error;
    }
    if (order.open_stdin) {
        if (const auto error = make_pipe(pipes.input)) return error;
        return make_nonblocking(pipes.input.write);
    }
    pipes.input.read.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return pipes.input.read ? error_code{} : last_error();
}

}  // namespace

std::variant<JobProcess, StartFailed> start_job(const StartOrder& order, int working_directory) {
    Pipes pipes;
    if (const auto error = make_pipes(order, pipes)) return failed(error, "make the job's pipes");
    if (const auto error = restore_open_files(order)) {
        return failed(error, "set the limit of open files");
    }
    const auto& errors = order.split_stderr ? pipes.errors : pipes.output;
    auto child = platform::spawn({.program = order.program,
                                  .arguments = order.arguments,
                                  .environment = order.environment,
                                  .standard_input = pipes.input.read.get(),
                                  .standard_output = pipes.output.write.get(),
                                  .standard_error = errors.write.get(),
                                  .descriptor_3 = {},
                                  .working_directory = working_directory});
    if (!child) return failed(child.error(), "run " + order.program);
    return JobProcess{
        .pid = child->pid,
        .pidfd = std::move(child->pidfd),
        .input = std::move(pipes.input.write),
        .output = {.out = std::move(pipes.output.read), .err = std::move(pipes.errors.read)}};
}

}  // namespace bgshell::keeper
