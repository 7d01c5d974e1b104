/// Small files that a crash or power cut leaves either complete or unchanged.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "perigee/base/result.hpp"

namespace perigee::host {

/// Replaces the file's content. After success the new text survives a power cut; before, the old
/// text does. Creates missing folders (mode 0700); the file gets mode 0600.
Result<Ok> write_durably(const std::filesystem::path& path, std::string_view text);

/// Held by one process at a time; released when the process ends in any way.
class FileLock {
 public:
  /// `owner`: kind of process that may hold it, for the error message.
  static Result<FileLock> take(const std::filesystem::path& path, std::string_view owner);
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace perigee::host
