/// A cluster that suffers mishaps drawn from a seed, and what has to hold meanwhile and afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "perigee/lab/virtual_cluster.hpp"
#include "witness.hpp"

namespace perigee::lab {

struct OrdealPlan {
  bool apart = false;  ///< each mishap begins some time after the end of the last
  bool late = false;   ///< the machines are busy: workers are late with some ticks
  /// Also drains workers.
  bool drains = false;
  enum class Players : std::uint8_t {
    Any,       ///< one of the next three
    Voyagers,  ///< travel and ride ferries
    Sailors,   ///< on ships with crews that sail back and forth over a border
    Diggers,   ///< with a store
    Fighters,  ///< players that kill each other, with a store
  } players = Players::Any;
};

std::string_view name_of(OrdealPlan::Players players);

/// Outcomes that players were sent, and those in the store.
class OutcomeLedger {
 public:
  void note_sent(const VirtualPlayer& player);
  void note_stored(const world::JournalEntry& entry);
  /// The player has logged in anew.
  void forget(std::uint64_t client_id) { sent_.erase(client_id); }
  std::size_t stored() const { return stored_.size(); }
  /// One sentence each: sent twice to one player; sent, and never stored.
  std::vector<std::string> wrong() const;

 private:
  /// Tick, index, kind, actor, target, amount.
  using Name = std::tuple<std::uint32_t, int, int, Handle, Handle, std::int32_t>;
  static std::string describe(const Name& name);
  std::map<std::uint64_t, std::set<Name>> sent_;  ///< by client
  std::set<Name> all_sent_, stored_;
  std::vector<std::string> twice_;
};

/// How a seed went.
struct Lived {
  int crossings = 0, failovers = 0, losses = 0;
  std::size_t mishaps = 0, outcomes = 0;
  Micros lived_us = 0;  ///< virtual time
};

/// Reports all that is wrong as failures of the running test, with the seed.
Lived live_through(std::uint64_t seed, const OrdealPlan& plan);

}  // namespace perigee::lab
