#include "jobs/argument_digest.hpp"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace bgshell::jobs {

namespace {

// Each part with its length, so that no two lists of parts are the same text.
void add(std::string& text, std::string_view part) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
}

}  // namespace

std::string argument_digest(const StartRequest& request, const std::string& cwd,
                            Milliseconds runtime_limit) {
    auto env = request.env;
    std::ranges::sort(env);
    std::string text;
    add(text, request.key);
    add(text, request.command);
    add(text, cwd);
    add(text, std::to_string(runtime_limit.count()));
    add(text, request.service ? "service" : "");
    add(text, request.open_stdin ? "open_stdin" : "");
    add(text, request.split_stderr ? "split_stderr" : "");
    for (const auto& entry : env) add(text, entry);
    const boost::uuids::name_generator_sha1 generate{boost::uuids::ns::oid()};
    return boost::uuids::to_string(generate(text));
}

}  // namespace bgshell::jobs
