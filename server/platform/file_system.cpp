#include "platform/file_system.hpp"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "platform/temporary_name.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::platform {
namespace {

struct Kind {
    unsigned long magic;
    std::string_view name;
};

constexpr std::array<Kind, 18> kShared{{
    {0x00006969, "NFS"},
    {0x0000517B, "SMB"},
    {0xFF534D42, "CIFS"},
    {0xFE534D42, "SMB"},
    {0x01021997, "9p"},
    {0x0BD00BD0, "Lustre"},
    {0x65735546, "FUSE"},
    {0x00C36400, "Ceph"},
    {0x5346414F, "AFS"},
    {0x6B414653, "AFS"},
    {0x73757245, "Coda"},
    {0x47504653, "GPFS"},
    {0x7461636F, "OCFS2"},
    {0x01161970, "GFS2"},
    {0x19830326, "BeeGFS"},
    {0xAAD7AAEA, "PanFS"},
    {0x786F4256, "VirtualBox"},
    {0xBACBACBC, "VMware"},
}};

}  // namespace

FileSystem file_system_by_magic(unsigned long magic) noexcept {
    // f_type is a signed long on some architectures: CIFS arrives sign-extended.
    const auto* found = std::ranges::find(kShared, magic & 0xFFFFFFFFUL, &Kind::magic);
    return {found == kShared.end() ? std::string_view{} : found->name};
}

Outcome<FileSystem> file_system_of(int fd) {
    struct statfs status {};
    if (retry_eintr([&] { return ::fstatfs(fd, &status); }) != 0) return last_error();
    return file_system_by_magic(static_cast<unsigned long>(status.f_type));
}

Outcome<bool> can_punch_holes(int directory) {
    constexpr int kBlock = 4096;
    constexpr std::array<char, 2 * kBlock> kContent{1};
    // Not O_TMPFILE: overlayfs, as in most containers, knows it only since Linux 6.3.
    const std::string name = temporary_name("holes");
    const UniqueFd file{retry_eintr([&] {
        return ::openat(directory, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        S_IRUSR | S_IWUSR);
    })};
    if (!file) return {boost::system::in_place_error, last_error()};
    if (::unlinkat(directory, name.c_str(), 0) != 0)
        return {boost::system::in_place_error, last_error()};
    const ssize_t wrote =
        retry_eintr([&] { return ::write(file.get(), kContent.data(), kContent.size()); });
    if (wrote < 0) return {boost::system::in_place_error, last_error()};
    const int punched = retry_eintr([&] {
        return ::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, kBlock);
    });
    if (punched == 0) return true;
    if (errno == EOPNOTSUPP || errno == ENOSYS) return false;
    return {boost::system::in_place_error, last_error()};
}

}  // namespace bgshell::platform
