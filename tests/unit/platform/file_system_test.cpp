#include "platform/file_system.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>

#include "platform/unique_fd.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::platform;
namespace fs = std::filesystem;

TEST_CASE("file systems that are shared between machines are known by name") {
    CHECK(file_system_by_magic(NFS_SUPER_MAGIC).shared_name == "NFS");
    CHECK(file_system_by_magic(SMB_SUPER_MAGIC).shared_name == "SMB");
    CHECK(file_system_by_magic(SMB2_SUPER_MAGIC).shared_name == "SMB");
    CHECK(file_system_by_magic(CIFS_SUPER_MAGIC).shared_name == "CIFS");
    CHECK(file_system_by_magic(V9FS_MAGIC).shared_name == "9p");
    CHECK(file_system_by_magic(CEPH_SUPER_MAGIC).shared_name == "Ceph");
    CHECK(file_system_by_magic(FUSE_SUPER_MAGIC).shared_name == "FUSE");
    CHECK(file_system_by_magic(0x0BD00BD0).shared_name == "Lustre");
    CHECK(file_system_by_magic(0xFFFFFFFF'FF534D42UL).shared_name == "CIFS");
    const unsigned long locals[] = {EXT4_SUPER_MAGIC, TMPFS_MAGIC,           BTRFS_SUPER_MAGIC,
                                    XFS_SUPER_MAGIC,  OVERLAYFS_SUPER_MAGIC, 0};
    for (const unsigned long local : locals) {
        CAPTURE(local);
        CHECK_FALSE(file_system_by_magic(local).is_shared());
    }
}

TEST_CASE("the file system of a descriptor is asked from the kernel") {
    const UniqueFd proc{::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    CHECK_FALSE(file_system_of(proc.get())->is_shared());
    CHECK(file_system_of(-1).error() == errno_code(EBADF));
}

TEST_CASE("punching holes is tried, and leaves nothing") {
    const bgshell::test::TemporaryDirectory place;
    const UniqueFd directory{::open(place.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    // Which file system /tmp is on is not ours to say; every common one answers.
    CHECK(can_punch_holes(directory.get()).has_value());
    CHECK(fs::is_empty(place.path()));

    // /proc takes no files.
    const UniqueFd proc{::open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    CHECK(can_punch_holes(proc.get()).has_error());
}

}  // namespace
