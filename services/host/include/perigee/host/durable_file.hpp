/// Small files that are whole or not there, whenever the machine stops.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "perigee/netcode/result.hpp"

namespace perigee::host {

/// Replaces the file's content: after success the new text survives a power cut, before it the old
/// one does. Makes missing folders (mode 0700); the file gets mode 0600.
Result<Ok> write_durably(const std::filesystem::path& path, std::string_view text);

/// Held by one process at a time, however it ends.
class FileLock {
 public:
  /// `owner`: who may hold it instead, for the refusal.
  static Result<FileLock> take(const std::filesystem::path& path, std::string_view owner);
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace perigee::host
