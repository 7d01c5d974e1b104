#include "perigee/host/durable_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace perigee::host {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

Error file_error(const std::filesystem::path& path, int code) {
  const char* remedy = code == ENOSPC || code == EDQUOT
                           ? "; make room on that disk"
                           : "; check owner and mode of the folder, or give another --state-dir";
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
  // The rename itself is durable once its folder is.
  const Descriptor names(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (names.get() < 0 || fsync(names.get()) != 0) return file_error(folder, errno);
  return Ok{};
}

Result<std::optional<std::string>> read_if_present(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int code = errno;
    if (code == ENOENT) return std::optional<std::string>{};
    return file_error(path, code);
  }
  return std::optional<std::string>(std::in_place, std::istreambuf_iterator<char>(file),
                                    std::istreambuf_iterator<char>());
}

Result<FileLock> FileLock::take(const std::filesystem::path& path, std::string_view owner) {
  if (const auto made = make_folder(path.parent_path()); !made) return made.error();
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file.get() < 0) return file_error(path, errno);
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return file_error(path, errno);
    return Error{path.string() + " is held by another " + std::string(owner) +
                 "; stop that one, or give this one its own --state-dir"};
  }
  return FileLock(file.release());
}

FileLock::~FileLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace perigee::host
