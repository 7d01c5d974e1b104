/// The directory's decisions: who is a member, who owns which region, what the world's time is.
/// The only writer of the cluster map. Sans I/O: time and random numbers come in as arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::directory {

inline constexpr std::size_t name_chars_max = 64;
/// Entity handles of one life of a worker: the n-th life of all, counted from 1, grants those from
/// n << 20 on, and no other ever does.
inline constexpr std::uint32_t handles_per_worker = 1U << 20;
/// Lives of workers in one world: handles have 32 bits.
inline constexpr std::uint32_t handle_blocks_max = (1U << 12) - 1;
inline constexpr std::uint32_t regions_max = 64;

struct CoreSettings {
  Vec3 world_low{-8000, -2000, -8000};  ///< metres
  Vec3 world_high{8000, 2000, 8000};
  std::uint32_t regions = 2;  ///< slices of equal width along x, 1 .. regions_max
  /// Regions wait for this many workers, so that the first to come does not take them all ...
  std::uint32_t workers = 2;
  /// ... but no longer than this after the first came.
  Micros settle_us = 5'000'000;
  /// Heartbeats come once a second: four lost ones are forgiven, the fifth is a death.
  Micros silence_us_max = 5'000'000;
  /// A name unheard of for this long loses its slot to a newcomer. Less: a machine under repair
  /// comes back to another slot; more: names that change with every start fill the map.
  Micros slot_rest_us = 3'600'000'000;
};

struct WorkerIntroduction {
  std::string name;
  Address fabric;
  Address grpc;
  std::uint64_t schema_hash = 0;  ///< of its game module
  std::uint64_t instance = 0;     ///< random, drawn once per process
};
struct GatewayIntroduction {
  std::string name;
  Address fabric;
  Address public_udp;
  std::uint64_t instance = 0;  ///< random, drawn once per process
};

enum class Refusal : std::uint8_t {
  BadName,       ///< not 1 to 64 letters, digits, dots, dashes, underscores
  BadAddress,    ///< an address or port is missing
  PublicFabric,  ///< the fabric is not sealed: private addresses only
  OtherGame,     ///< the living workers run another game, or another version of it
  NameTaken,     ///< a living member with another address has that name
  Full,          ///< no free slot
  NoHandles,     ///< all blocks of entity handles have been granted
  last = NoHandles
};
/// A sentence with the remedy.
std::string_view describe(Refusal refusal);

struct Grant {
  std::uint8_t slot = 0;
  std::uint32_t handle_base = 0;   ///< workers only
  std::uint32_t handle_count = 0;  ///< workers only
};
using Admission = std::variant<Grant, Refusal>;

enum class MemberKind : std::uint8_t { Worker, Gateway, last = Gateway };

/// What the directory knows of a member beside its entry in the map; by slot.
struct Member {
  std::string name;
  Address grpc;  ///< workers only
  std::uint64_t instance = 0;
  Micros heard_us = 0;
  friend bool operator==(const Member&, const Member&) = default;
};

/// What a restart must not lose.
struct Saved {
  ClusterMap map;
  std::vector<Member> workers;
  std::vector<Member> gateways;
  std::uint32_t handle_blocks = 0;  ///< granted so far; 0: by who did not count them yet
};

class Core {
 public:
  /// Time starts with tick 0 at `now_us`. `incarnation` is drawn at random by the caller.
  Core(const CoreSettings& settings, std::uint32_t incarnation, Micros now_us);
  /// Goes on where `saved` ended: same incarnation, slots, lives, epochs and time. Who lived then
  /// has the full silence to be heard again. `saved` passed check().
  Core(const CoreSettings& settings, Saved saved, Micros now_us);
  /// Whether a world can go on under these settings.
  static Result<Ok> check(const CoreSettings& settings, const Saved& saved);
  Saved saved() const { return {map_, workers_, gateways_, handle_blocks_}; }

  /// Idempotent by name: whoever comes back under its name gets its slot again. A worker that is
  /// another instance than before begins another life, with handles of its own, and its regions
  /// new epochs.
  Admission register_worker(Micros now_us, const WorkerIntroduction& introduction);
  Admission register_gateway(Micros now_us, const GatewayIntroduction& introduction);
  /// False: not known by that name and incarnation; it shall register again.
  [[nodiscard]] bool heartbeat(Micros now_us, MemberKind kind, std::uint32_t slot,
                               std::string_view name, std::uint32_t incarnation);
  /// The member stops in good order: gone at once, and no death. False: not known,
  /// or another process by now.
  [[nodiscard]] bool sign_off(Micros now_us, MemberKind kind, std::uint32_t slot,
                              std::string_view name, std::uint32_t incarnation,
                              std::uint64_t instance);
  /// To be called at least every second: silent members die, ownerless regions find owners. Nobody
  /// could be heard while the directory itself stood still: that time does not count.
  void advance(Micros now_us);

  /// Its version grows with every change.
  const ClusterMap& map() const { return map_; }
  const std::string& worker_name(WorkerSlot slot) const { return workers_.at(slot).name; }
  const Address& worker_grpc(WorkerSlot slot) const { return workers_.at(slot).grpc; }
  const std::string& gateway_name(GatewaySlot slot) const { return gateways_.at(slot).name; }
  std::uint64_t deaths() const { return deaths_; }
  std::uint32_t handle_blocks_left() const { return handle_blocks_max - handle_blocks_; }

 private:
  template <class Entry>
  std::optional<std::size_t> slot_for(Micros now_us, const std::vector<Member>& members,
                                      const std::vector<Entry>& entries, std::string_view name,
                                      std::size_t members_max) const;
  template <class Entry>
  std::variant<std::size_t, Refusal> admit(Micros now_us, std::vector<Member>& members,
                                           std::vector<Entry>& entries, const std::string& name,
                                           Entry wanted, std::size_t members_max);
  std::vector<Member>* members_of(MemberKind kind, std::uint32_t slot, std::string_view name,
                                  std::uint32_t incarnation);
  bool& alive(MemberKind kind, std::uint32_t slot);
  void forgive_own_stall(Micros now_us);
  void renew_segment(Micros now_us);
  template <class Entry>
  void bury_silent(Micros now_us, const std::vector<Member>& members, std::vector<Entry>& entries);
  void begin_new_life(WorkerSlot slot);
  void assign_regions(Micros now_us);
  std::uint32_t living_workers() const;
  std::optional<WorkerSlot> least_loaded_worker() const;

  CoreSettings settings_;
  ClusterMap map_;
  std::vector<Member> workers_;
  std::vector<Member> gateways_;
  std::uint32_t handle_blocks_ = 0;  ///< granted so far, to lives of any worker
  std::optional<Micros> first_worker_us_;
  Micros advanced_us_ = 0;
  std::uint64_t deaths_ = 0;
};

}  // namespace perigee::directory
