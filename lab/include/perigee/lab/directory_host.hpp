/// The directory of a virtual cluster: the real core, the times in which it has no process, and the
/// map that processes receive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "perigee/directory/core.hpp"
#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {

class DirectoryHost {
 public:
  struct Needs {
    const EventQueue& queue;
    const Net& net;
    directory::CoreSettings settings;
    std::uint64_t seed = 1;
  };
  explicit DirectoryHost(Needs needs);

  directory::Core& core() { return *core_; }
  const directory::Core& core() const { return *core_; }
  const WorldTime& time() const { return core_->map().time; }

  /// The map that processes receive: the core's, or the result of the last change_map().
  const ClusterMap& map() const { return changed_map_ ? *changed_map_ : core_->map(); }
  void change_map(const std::function<void(ClusterMap&)>& change);

  /// The directory has no process.
  bool away() const { return away_; }
  /// The directory has a process, and the net carries messages from `whom`.
  bool receives(Party whom) const { return !away_ && !net_.cut(the_directory, whom); }
  void stop() { away_ = true; }
  void start_again();
  /// A new core continues from the stored state.
  void restart();

  /// A worker's heartbeat. False: its incarnation is not registered any more.
  bool beat(std::size_t worker, std::uint64_t incarnation, Micros now_us);

 private:
  const EventQueue& queue_;
  const Net& net_;
  directory::CoreSettings settings_;
  std::unique_ptr<directory::Core> core_;
  std::optional<ClusterMap> changed_map_;
  bool away_ = false;
};

}  // namespace perigee::lab
