/// The directory's memory on disk: one file, whole or not there, and the world's clock in it.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "perigee/directory/core.hpp"
#include "perigee/host/durable_file.hpp"

namespace perigee::directory {

/// World time as an offset to the machine's monotonic clock: setting the machine's clock moves no
/// tick, and neither does a restart of this process.
struct WorldClock {
  Micros offset_us = 0;
  Micros now_us() const;
};

class StateFile {
 public:
  struct World {
    std::optional<Saved> saved;  ///< none: a new world
    WorldClock clock;
  };
  /// Reads state_dir/directory.state and keeps others from it. `new_world` puts an old file aside.
  /// A file that cannot be trusted is an error with its remedy, never a new world.
  static Result<StateFile> open(const std::filesystem::path& state_dir,
                                const CoreSettings& settings, bool new_world, World& world);
  Result<Ok> save(const Saved& saved, const WorldClock& clock) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  StateFile(std::filesystem::path path, host::FileLock lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  host::FileLock lock_;
};

}  // namespace perigee::directory
