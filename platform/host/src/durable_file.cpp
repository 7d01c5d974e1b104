#include "perigee/host/durable_file.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>

#include "descriptor.hpp"

namespace perigee::host {
namespace {

Error file_error(const std::filesystem::path& path, int code) {
  const char* remedy = code == ENOSPC || code == EDQUOT
                           ? "; make room on that disk"
                           : "; check owner and mode of the folder, or set another --state-dir";
  return Error{path.string() + ": " + std::strerror(code) + remedy};
}

Result<Ok> make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  if (folder.empty() || std::filesystem::exists(folder, failure)) return Ok{};
  std::filesystem::create_directories(folder, failure);
  if (failure) return file_error(folder, failure.value());
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failure);
  return Ok{};
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

}  // namespace

Result<Ok> write_durably(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (const auto made = make_folder(folder); !made) return made.error();
  const std::string beside = path.string() + ".new";
  const Descriptor file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file.get() < 0 || !write_all(file.get(), text) || fsync(file.get()) != 0 ||
      rename(beside.c_str(), path.c_str()) != 0) {
    const int code = errno;
    unlink(beside.c_str());
    return file_error(path, code);
  }
  // The rename itself is durable once its folder is synced.
  const Descriptor names(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (names.get() < 0 || fsync(names.get()) != 0) return file_error(folder, errno);
  return Ok{};
}

Result<FileLock> FileLock::take(const std::filesystem::path& path, std::string_view owner) {
  if (const auto made = make_folder(path.parent_path()); !made) return made.error();
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file.get() < 0) return file_error(path, errno);
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return file_error(path, errno);
    return Error{path.string() + " is held by another " + std::string(owner) +
                 "; stop that process, or set another --state-dir for this one"};
  }
  return FileLock(file.release());
}

FileLock::~FileLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace perigee::host
