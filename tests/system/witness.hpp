/// Looks on while a cluster suffers, and says afterwards what is not as it should be: in sentences,
/// none if all is well.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lives.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

class Witness {
 public:
  explicit Witness(VirtualCluster& cluster) : cluster_(cluster) {}

  /// From now on nothing may be lost but with a life that nobody goes on with.
  void begin();
  /// A core is about to play a tick.
  void note(const worker::Core& core);
  /// Now and then: whoever lives by the map has nothing that another one of them has, too.
  void look();

  /// What cannot have been right at any time.
  const std::vector<std::string>& broken() const { return broken_; }
  /// What is not as it ought to be now, some time after the last mishap.
  std::vector<std::string> amiss();
  /// What was there at the beginning, and is not now.
  std::vector<std::string> missing();
  /// Content that ended with a life, or began anew.
  int losses() const { return losses_; }
  /// Lives that ended, and somebody went on with what they had.
  int bequeathed() const { return bequeathed_; }
  const Lives& lives() const { return lives_; }

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
  Lives lives_;
  ClusterMap known_;
  int losses_ = 0, bequeathed_ = 0;
  std::vector<std::string> broken_;
  std::map<Handle, Owned> owned_;             ///< as found last
  std::map<Handle, std::uint64_t> at_first_;  ///< but for avatars
  std::map<std::uint64_t, Handle> avatars_;   ///< at first, by client
};

}  // namespace perigee::lab
