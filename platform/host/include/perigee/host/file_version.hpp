/// Whether a file has changed since it was read.
#pragma once

#include <cstdint>
#include <filesystem>

namespace perigee::host {

/// Differs when a file was written, replaced, given other rights, or put behind another symbolic
/// link. All zero: there is no such file.
struct FileVersion {
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;
  std::int64_t written_ns = 0;
  std::int64_t changed_ns = 0;
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};
/// Take it before the file is read: a change meanwhile shows at the next look.
FileVersion version_of(const std::filesystem::path& path);

}  // namespace perigee::host
