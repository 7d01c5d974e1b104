#pragma once

#include "perigee/lab/shuttle.hpp"
#include "perigee/netcode/wire_world.hpp"

namespace perigee::lab {

/// After a beginning inputs are not yet there for all ticks.
inline constexpr std::int32_t settling_ticks = 30;

/// A player and what its client would know.
struct Shuttle::Rider : BlockVisitor {
  static constexpr std::uint32_t ticks = 256;  ///< remembered; more than are open at any time

  SessionId session = 0;
  std::uint64_t client_id = 0;
  Handle ship = no_entity;
  std::size_t at = 0;  ///< the worker that the gateway sends its packets to
  struct Stream {
    std::uint16_t epoch = 0;
    AckWindow events;
  };
  std::array<Stream, 2> streams;
  std::size_t reading = 0;  ///< of which worker the block is

  std::array<Tick, ticks> arrived{};  ///< at its place: the input of that tick, in time
  Tick checked;                       ///< all records before it have been looked at
  std::uint8_t reset_epoch = 0;

  bool came(Tick tick) const { return arrived[tick.count % ticks] == tick; }
  void on_own(const OwnSection&) override {}
  void on_record(const GroupFrame&, const EntityRecord&) override {}
  void on_event(Sequence sequence, const WorldEvent&) override {
    streams[reading].events.mark(sequence);
  }
};

}  // namespace perigee::lab
