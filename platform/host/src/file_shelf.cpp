#include "perigee/host/file_shelf.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace perigee::host {
namespace {

namespace fs = std::filesystem;

struct Found {
  fs::file_time_type changed;
  fs::path path;
  std::uint64_t bytes = 0;
};

/// The files of this kind, oldest first. Files without accessible metadata are ignored.
std::vector<Found> files_in(const fs::path& folder, const std::string& ending) {
  std::vector<Found> out;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code gone;
    Found found{at->last_write_time(gone), at->path(), at->file_size(gone)};
    if (!gone && found.path.native().ends_with(ending)) out.push_back(std::move(found));
  }
  std::sort(out.begin(), out.end(), [](const Found& a, const Found& b) {
    return a.changed != b.changed ? a.changed < b.changed : a.path < b.path;
  });
  return out;
}

}  // namespace

void keep_newest(const fs::path& folder, const std::string& ending, std::size_t files_max) {
  const std::vector<Found> found = files_in(folder, ending);
  std::error_code failure;
  for (std::size_t i = 0; i + files_max < found.size(); ++i) fs::remove(found[i].path, failure);
}

Result<FileShelf> FileShelf::open(const FileShelfOptions& options) {
  std::error_code failure;
  fs::create_directories(options.folder, failure);
  if (failure || !fs::is_directory(options.folder, failure)) {
    return Error{options.folder.string() + ": " +
                 (failure ? failure.message() : std::string("not a folder")) +
                 "; set another folder, or let this user write to it"};
  }
  return FileShelf(options);
}

void FileShelf::make_room(std::uint64_t bytes) {
  const std::vector<Found> found = files_in(options_.folder, options_.ending);
  std::uint64_t sum = bytes;
  for (const Found& file : found) sum += file.bytes;
  std::size_t count = found.size() + 1;
  for (const Found& file : found) {
    if (count <= options_.files_max && sum <= options_.bytes_max) return;
    std::error_code failure;
    fs::remove(file.path, failure);
    if (failure) continue;
    --count;
    sum -= file.bytes;
  }
}

Result<Ok> FileShelf::put(const std::string& name, std::span<const std::byte> bytes) {
  const fs::path path = options_.folder / (name + options_.ending);
  const fs::path unfinished = path.string() + ".unfinished";
  std::error_code failure;
  fs::remove(path, failure);
  const auto lost = [&](const std::string& why) {
    fs::remove(unfinished, failure);
    ++lost_;
    return Error{"cannot write " + path.string() + ": " + why};
  };
  if (bytes.size() > options_.bytes_max)
    return lost("larger than the limit for all files together");
  make_room(bytes.size());
  errno = 0;
  std::ofstream file(unfinished, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return lost(errno != 0 ? std::strerror(errno) : "the disk refused the write");
  fs::rename(unfinished, path, failure);
  if (failure) return lost(failure.message());
  ++written_;
  return Ok{};
}

}  // namespace perigee::host
