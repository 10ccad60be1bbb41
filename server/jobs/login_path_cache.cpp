#include "jobs/login_path_cache.hpp"

#include "keeper/wire.hpp"
#include "platform/durable_file.hpp"

namespace bgshell::jobs {
namespace {

constexpr std::uint16_t kForm = 1;
constexpr const char* kFile = "login_path";
constexpr std::size_t kMaxFile = 256 * 1024;

}  // namespace

std::string encode_login_path(const LoginPathQuestion& question, const LoginPath& answer,
                              platform::WallTime asked) {
    keeper::wire::Writer writer;
    writer.put(kForm);
    writer.put(std::int64_t{asked.time_since_epoch().count()});
    writer.put(question.shell);
    writer.put(question.home);
    writer.put(answer.path.value_or(""));
    writer.put(answer.failure);
    return std::move(writer).take();
}

std::optional<LoginPath> decode_login_path(std::string_view bytes,
                                           const LoginPathQuestion& question,
                                           platform::WallTime now) {
    std::uint16_t form = 0;
    std::int64_t asked = 0;
    std::string shell;
    std::string home;
    std::string path;
    LoginPath answer;
    keeper::wire::Reader reader{bytes};
    reader.get(form);
    reader.get(asked);
    reader.get(shell);
    reader.get(home);
    reader.get(path);
    reader.get(answer.failure);
    if (!reader.complete() || form != kForm) return std::nullopt;
    if (shell != question.shell || home != question.home) return std::nullopt;
    if (path.empty() == answer.failure.empty()) return std::nullopt;
    const platform::WallTime earliest = now - kLoginPathAge;
    if (asked <= earliest.time_since_epoch().count() || asked > now.time_since_epoch().count()) {
        return std::nullopt;
    }
    if (!path.empty()) answer.path = std::move(path);
    return answer;
}

std::optional<LoginPath> load_login_path(int directory, const LoginPathQuestion& question,
                                         platform::WallTime now) {
    const auto bytes = platform::read_whole(directory, kFile, kMaxFile);
    if (!bytes) return std::nullopt;
    return decode_login_path(*bytes, question, now);
}

platform::error_code save_login_path(int directory, const LoginPathQuestion& question,
                                     const LoginPath& answer, platform::WallTime asked) {
    return platform::write_durably(directory, kFile, encode_login_path(question, answer, asked));
}

}  // namespace bgshell::jobs
