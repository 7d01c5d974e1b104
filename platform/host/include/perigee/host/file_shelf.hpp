/// A folder that keeps the newest files of one kind, bounded in number and bytes; the oldest are
/// deleted first. A full disk costs a file, never the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "perigee/base/result.hpp"

namespace perigee::host {

struct FileShelfOptions {
  std::filesystem::path folder;  ///< created if it is missing
  std::string ending;            ///< of the files that belong here; other files are left alone
  std::uint32_t files_max = 64;
  std::uint64_t bytes_max = 64U << 20;
};

/// Removes the oldest files of this ending until `files_max` are left. A missing folder is fine.
void keep_newest(const std::filesystem::path& folder, const std::string& ending,
                 std::size_t files_max);

class FileShelf {
 public:
  static Result<FileShelf> open(const FileShelfOptions& options);

  /// `name` without folder and ending; an existing file of that name is replaced atomically.
  Result<Ok> put(const std::string& name, std::span<const std::byte> bytes);
  std::uint64_t written() const { return written_; }
  /// Files that could not be written.
  std::uint64_t lost() const { return lost_; }

 private:
  explicit FileShelf(const FileShelfOptions& options) : options_(options) {}
  void make_room(std::uint64_t bytes);

  FileShelfOptions options_;
  std::uint64_t written_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace perigee::host
