/// Observes a cluster during mishaps, and reports afterwards what is wrong: one sentence each, none
/// if all is well.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "perigee/lab/virtual_cluster.hpp"
#include "played_ticks.hpp"

namespace perigee::lab {

class Witness {
 public:
  explicit Witness(VirtualCluster& cluster) : cluster_(cluster) {}

  /// From now on entities may be lost only with an incarnation that has no successor.
  void begin();
  /// Called before a core simulates a tick.
  void note(const worker::Core& core);
  /// Now and then: no two workers that are alive by the map own the same thing.
  void look();

  /// Violations that are never allowed.
  const std::vector<std::string>& broken() const { return broken_; }
  /// Violations of the state expected some time after the last mishap.
  std::vector<std::string> amiss();
  /// Entities that existed at the beginning, and do not now.
  std::vector<std::string> missing();
  /// Number of regions created anew, and of incarnations that ended without a successor.
  int losses() const { return losses_; }
  /// Number of incarnations that ended and had a successor.
  int failovers() const { return failovers_; }
  const PlayedTicksOfAll& played_ticks() const { return played_ticks_; }

 private:
  struct Owned {
    std::uint64_t id = 0;
    std::size_t worker = 0;
  };
  bool counts(std::size_t worker) const;
  void wrong(const std::string& what);
  void note_map();
  void find_things(std::vector<std::string>& out);
  void find_ghosts(std::vector<std::string>& out) const;
  void find_copies(std::vector<std::string>& out) const;
  void find_players(std::vector<std::string>& out);
  void find_regions(std::vector<std::string>& out) const;
  void find_pictures(std::vector<std::string>& out);

  VirtualCluster& cluster_;
  PlayedTicksOfAll played_ticks_;
  ClusterMap known_;
  int losses_ = 0, failovers_ = 0;
  std::vector<std::string> broken_;
  std::map<Handle, Owned> owned_;             ///< as found last
  std::map<Handle, std::uint64_t> at_first_;  ///< without avatars
  std::map<std::uint64_t, Handle> avatars_;   ///< at first, by client
};

}  // namespace perigee::lab
