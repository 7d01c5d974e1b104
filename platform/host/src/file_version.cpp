#include "perigee/host/file_version.hpp"

#include <sys/stat.h>

namespace perigee::host {
namespace {

std::int64_t ns_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileVersion version_of(const std::filesystem::path& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return {};
  return {.inode = file.st_ino,
          .bytes = file.st_size,
          .written_ns = ns_of(file.st_mtim),
          .changed_ns = ns_of(file.st_ctim)};
}

}  // namespace perigee::host
