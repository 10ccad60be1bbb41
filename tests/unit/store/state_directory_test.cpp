#include "store/state_directory.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "samples.hpp"

namespace bgshell::store::test {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const std::string& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

TEST_CASE("the state directory is made with its parents, for the user alone") {
    const ScratchDirectory scratch;
    const auto path = scratch / "a/b/state";
    {
        const auto state = value(StateDirectory::open(path, false));
        CHECK(state.path() == path);
        CHECK(state.registry_path() == path + "/registry.db");
        CHECK(state.jobs_fd() >= 0);
        CHECK(state.owners_fd() >= 0);
    }
    for (const auto* name : {"a", "a/b", "a/b/state", "a/b/state/jobs", "a/b/state/owners"}) {
        CAPTURE(name);
        CHECK(mode_of(scratch / name) == 0700);
    }
    value(StateDirectory::open(path, false));  // again
}

TEST_CASE("a path that no registry can have is refused by its length, up to that it works") {
    const ScratchDirectory scratch;
    std::string path = scratch / "a";
    while (path.size() < 380) path += "/" + std::string(90, 'x');
    path += "/" + std::string(479 - path.size(), 'x');
    const auto state = value(StateDirectory::open(path, false));
    CHECK(Registry::open(state.registry_path()).has_value());
    const auto error = error_of(StateDirectory::open(path + "y", false));
    CHECK(error.text().find("481 bytes, more than 480") != std::string::npos);
    CHECK(error.text().find("BGSHELL_STATE") != std::string::npos);
    CHECK_FALSE(fs::exists(path + "y"));
}

TEST_CASE("a state directory knows that it was removed") {
    const ScratchDirectory scratch;
    const auto state = value(StateDirectory::open(scratch / "state", false));
    CHECK_FALSE(state.is_removed());
    fs::remove_all(state.path());
    CHECK(state.is_removed());
    CHECK_FALSE(value(StateDirectory::open(scratch / "state", false)).is_removed());
    CHECK(state.is_removed());
}

TEST_CASE("a strange umask does not lock us out") {
    const ScratchDirectory scratch;
    const auto before = ::umask(0777);
    const auto state = StateDirectory::open(scratch / "a/state", false);
    ::umask(before);
    CHECK(state.has_value());
    CHECK(mode_of(scratch / "a") == 0700);
}

TEST_CASE("a directory that others can change is refused, and nothing is made in it") {
    const ScratchDirectory scratch;
    const auto parent = scratch / "open";
    fs::create_directory(parent);
    REQUIRE(::chmod(parent.c_str(), 0777) == 0);
    const auto error = error_of(StateDirectory::open(parent + "/x/state", false));
    CHECK(error.kind() == ErrorKind::not_ours);
    CHECK(error.text().find("chmod o-w " + parent) != std::string::npos);
    CHECK(error.text().find("BGSHELL_STATE") != std::string::npos);
    CHECK(fs::is_empty(parent));

    REQUIRE(::chmod(parent.c_str(), 01777) == 0);  // sticky, as /tmp
    CHECK(StateDirectory::open(parent + "/x/state", false).has_value());
    const auto itself = error_of(StateDirectory::open(parent, false));
    CHECK(itself.kind() == ErrorKind::not_ours);
}

TEST_CASE("a directory of another user is refused by name") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: only root can give a directory away");
        return;
    }
    const ScratchDirectory scratch;
    const auto parent = scratch / "theirs";
    fs::create_directory(parent);
    REQUIRE(::chown(parent.c_str(), 65534, 65534) == 0);
    const auto error = error_of(StateDirectory::open(parent + "/state", false));
    CHECK(error.kind() == ErrorKind::not_ours);
    CHECK(error.text().find(parent + " belongs to user 65534") != std::string::npos);
    CHECK(fs::is_empty(parent));
}

TEST_CASE("a path that is no directory is named") {
    const ScratchDirectory scratch;
    const auto file = scratch / "file";
    const auto target = scratch / "nowhere/at/all";
    fs::create_symlink(target, file);
    for (const auto& path : {file, file + "/state", std::string{"state"}, std::string{}}) {
        CAPTURE(path);
        const auto error = error_of(StateDirectory::open(path, false));
        CHECK(error.text().find(path) != std::string::npos);
        CHECK(error.text().find("BGSHELL_STATE") != std::string::npos);
    }
    CHECK_FALSE(fs::exists(scratch / "nowhere"));
}

TEST_CASE("the default path follows XDG") {
    CHECK(StateDirectory::default_path("/x/state", "/home/u") == "/x/state/bgshell");
    CHECK(StateDirectory::default_path("", "/home/u") == "/home/u/.local/state/bgshell");
    CHECK(StateDirectory::default_path("relative", "/home/u") == "/home/u/.local/state/bgshell");
}

TEST_CASE("asking for holes leaves nothing behind") {
    const ScratchDirectory scratch;
    const auto state = value(StateDirectory::open(scratch / "state", false));
    const bool first = state.can_punch_holes();
    CHECK(first == state.can_punch_holes());
    for (const auto& entry : fs::directory_iterator(scratch / "state")) {
        CHECK(entry.is_directory());
    }
}

}  // namespace
}  // namespace bgshell::store::test
