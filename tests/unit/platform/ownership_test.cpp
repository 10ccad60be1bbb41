#include "platform/ownership.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::platform;
namespace fs = std::filesystem;

constexpr std::string_view kPasswd =
    "root:x:0:0:root:/root:/bin/bash\n"
    "me:x:1000:1000:Me:/home/me:/bin/bash\n"
    "you:x:1001:100::/home/you:/bin/sh\n"
    "broken line\n"
    "loner:x:1002:1002::/:/bin/sh";
constexpr std::string_view kGroups =
    "root:x:0:\n"
    "users:x:100:me,you\n"
    "me:x:1000:\n"
    "loner:x:1002:loner\n"
    "shared:x:1003:me,you\n"
    "nobody-in-it:x:1004:\n";

TEST_CASE("a group is private if nobody else is in it") {
    CHECK(is_private_group(1000, 1000, kPasswd, kGroups));
    CHECK(is_private_group(1002, 1002, kPasswd, kGroups));  // named as its own member
    CHECK(is_private_group(1004, 1000, kPasswd, kGroups));
    CHECK_FALSE(is_private_group(100, 1000, kPasswd, kGroups));  // has members
    CHECK_FALSE(is_private_group(100, 1001, kPasswd, kGroups));
    CHECK_FALSE(is_private_group(1003, 1000, kPasswd, kGroups));
    CHECK_FALSE(is_private_group(1000, 1001, kPasswd, kGroups));  // the primary group of another
    CHECK(is_private_group(5000, 5000, kPasswd, kGroups));        // of a directory service
    CHECK_FALSE(is_private_group(5000, 5001, kPasswd, kGroups));
    CHECK_FALSE(is_private_group(1000, 4000, kPasswd, kGroups));
    CHECK(is_private_group(5000, 5000, "", ""));
}

// Directories a/b/c below /tmp, all ours and 0700.
struct OwnershipFixture {
    bgshell::test::TemporaryDirectory place;
    std::string deepest = place.file("a/b/c");
    // The test may run as root, whose directories everybody trusts: then they belong to another
    // user.
    static constexpr uid_t kUser = 54321;
    bool root = ::geteuid() == 0;
    Identity identity{root ? kUser : ::geteuid(), std::nullopt};

    OwnershipFixture() {
        fs::create_directories(deepest);
        for (const char* name : {"", "a", "a/b", "a/b/c"}) {
            mode(name, 0700);
            if (root) REQUIRE(::chown(place.file(name).c_str(), kUser, kUser) == 0);
        }
    }
    void mode(const char* name, mode_t bits) const {
        REQUIRE(::chmod(place.file(name).c_str(), bits) == 0);
    }
    gid_t group_of(const char* name) const {
        struct stat status {};
        REQUIRE(::stat(place.file(name).c_str(), &status) == 0);
        return status.st_gid;
    }
    std::optional<DistrustedPath> check(const std::string& path) const {
        const auto found = find_distrust(path, identity);
        REQUIRE(found.has_value());
        return *found;
    }
    void refuses(const std::string& path, const char* blamed, Distrust why) const {
        const auto found = check(path);
        REQUIRE(found);
        CHECK(found->path == place.file(blamed));
        CHECK(found->why == why);
    }
};

TEST_CASE_FIXTURE(OwnershipFixture, "directories of our own below sticky /tmp are trusted") {
    CHECK_FALSE(check(deepest));
    CHECK_FALSE(check(deepest + "/"));
    CHECK_FALSE(check(place.file("a/./b//c/../c")));
    CHECK_FALSE(check("/"));
}

TEST_CASE_FIXTURE(OwnershipFixture,
                  "a parent that others may write to is to blame, unless it is sticky") {
    mode("a/b", 0777);
    refuses(deepest, "a/b", Distrust::writable_by_others);
    mode("a/b", 01777);
    CHECK_FALSE(check(deepest));
}

TEST_CASE_FIXTURE(OwnershipFixture,
                  "the directory itself may not be written to by others, sticky or not") {
    mode("a/b/c", 0702);
    refuses(deepest, "a/b/c", Distrust::writable_by_others);
    mode("a/b/c", 01777);
    refuses(deepest, "a/b/c", Distrust::writable_by_others);
    REQUIRE(check("/tmp"));
    CHECK(check("/tmp")->path == "/tmp");
}

TEST_CASE_FIXTURE(OwnershipFixture, "a group may write only where it is the user's own or root's") {
    mode("a", 0770);
    const gid_t group = group_of("a");
    identity.private_group = group;
    CHECK_FALSE(check(deepest));
    identity.private_group.reset();
    if (group != 0) refuses(deepest, "a", Distrust::writable_by_group);
    identity.private_group = group + 1;
    if (group != 0) refuses(deepest, "a", Distrust::writable_by_group);
    if (root) {
        REQUIRE(::chown(place.file("a").c_str(), kUser, 0) == 0);
        CHECK_FALSE(check(deepest));
    }
}

TEST_CASE_FIXTURE(OwnershipFixture, "a directory of another user is to blame") {
    const uid_t owner = identity.user;
    identity.user = owner + 1;
    refuses(deepest, "", Distrust::foreign_owner);
    const auto found = check(deepest);
    CHECK(found->owner == owner);
    if (root) {
        identity.user = owner;
        REQUIRE(::chown(place.file("a/b").c_str(), owner + 1, 0) == 0);
        refuses(deepest, "a/b", Distrust::foreign_owner);
    }
}

TEST_CASE_FIXTURE(OwnershipFixture, "a file is no directory, in the way or at the end") {
    const std::string file = place.file("a/file");
    REQUIRE(::mknod(file.c_str(), S_IFREG | 0600, 0) == 0);
    refuses(file, "a/file", Distrust::not_a_directory);
    refuses(file + "/x", "a/file", Distrust::not_a_directory);
}

TEST_CASE_FIXTURE(OwnershipFixture, "a symbolic link is followed, with the parents of its target") {
    fs::create_directory_symlink("a/b", place.file("relative"));
    fs::create_directory_symlink(place.file("a/b"), place.file("a/absolute"));
    fs::create_directory_symlink("../..", place.file("a/b/up"));
    fs::create_directory_symlink(".", place.file("a/here"));
    CHECK_FALSE(check(place.file("relative/c")));
    CHECK_FALSE(check(place.file("relative")));
    CHECK_FALSE(check(place.file("a/absolute/c")));
    CHECK_FALSE(check(place.file("a/b/up/a/b/c")));
    CHECK_FALSE(check(place.file("a/here/here")));
    mode("a", 0777);
    refuses(place.file("relative/c"), "a", Distrust::writable_by_others);
    refuses(place.file("a/here"), "a", Distrust::writable_by_others);
}

TEST_CASE_FIXTURE(OwnershipFixture, "a symbolic link of another user is to blame") {
    if (!root) return;  // only root can make one
    fs::create_directory_symlink("a", place.file("link"));
    REQUIRE(::lchown(place.file("link").c_str(), kUser + 1, 0) == 0);
    refuses(place.file("link/b/c"), "link", Distrust::foreign_owner);
}

TEST_CASE_FIXTURE(OwnershipFixture, "what cannot be looked at is an error") {
    CHECK(find_distrust(place.file("a/none"), identity).error() == errno_code(ENOENT));
    fs::create_directory_symlink("loop", place.file("loop"));
    CHECK(find_distrust(place.file("loop"), identity).error() == errno_code(ELOOP));
}

}  // namespace
