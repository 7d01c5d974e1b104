// A worker core in the field, and all messages of its players' gateways and clients.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "bench/field/field.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/base/own_bases.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/bots/look.hpp"
#include "perigee/client/block_ticks.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::bench {

/// One player's gateway and client: inputs, acknowledgements of events and tracks.
struct ScenePlayer : BlockVisitor {
  SessionId session = 0;
  std::uint64_t client_id = 0;
  std::uint16_t stream_epoch = 0;
  AckWindow events;
  Tick newest;
  client::BlockTicks ticks;
  OwnSection own;
  std::uint64_t bytes = 0;  ///< of all blocks
  Random random{0};         ///< of its looks
  bots::Look look{0};
  Tick looked;                            ///< its look is known up to here
  int rests_ticks = 0;                    ///< until its next turn
  std::array<std::uint16_t, 256> yaws{};  ///< of the newest ticks
  std::uint16_t yaw_at(Tick tick);
  OwnBases bases;
  void on_own(const OwnSection& section) override {
    own = section;
    bases.add(stream_owner + 1, section);
  }
  const OwnBasis* own_basis(Tick tick) const override { return bases.find(stream_owner + 1, tick); }
  void on_event(Sequence sequence, const WorldEvent&) override { events.mark(sequence); }
  void on_record(const GroupFrame&, const TrackRecord&) override {}
};

class Scene {
 public:
  static constexpr std::size_t phases = enum_count<worker::TickPhase>;

  Scene(const FieldPlan& plan, std::uint32_t players, const worker::Settings& settings = {});

  /// One tick with the inputs of all players, the newest four of each; returns its duration in ns.
  /// The inputs of the first `silent` players are late.
  std::int64_t tick(std::uint32_t silent = 0);
  /// From now on this many other workers own space 5 km and farther from the field's centre, and
  /// are linked with this worker. They send nothing.
  void add_peers(std::uint32_t peers);
  std::uint64_t words_to_peers() const { return words_; }
  /// The newest `ticks` inputs of the first `players` arrive, in one packet each.
  void arrive(std::uint32_t players, std::uint32_t ticks);
  const std::array<std::int64_t, phases>& phase_ns() const { return phase_ns_; }
  const worker::Core& core() const { return core_; }
  /// Bytes sent to each player since the last call.
  std::vector<double> take_bytes();

 private:
  template <class Record>
  void send(const Record& record);
  FineTick now() const { return {core_.next_tick().count << 8}; }
  void send_inputs(ScenePlayer& player, std::uint32_t inputs);
  void acknowledge(const ScenePlayer& player);
  void read_blocks();

  Field field_;
  worker::Core core_;
  std::map<SessionId, ScenePlayer> players_;
  std::vector<std::vector<std::byte>> sent_;
  std::uint64_t words_ = 0;
  std::array<std::int64_t, phases> phase_ns_{};
  std::int64_t phase_began_ns_ = 0;
};

}  // namespace perigee::bench
