#pragma once

#include "perigee/base/wire_world.hpp"
#include "perigee/lab/shuttle.hpp"

namespace perigee::lab {

/// Shortly after a start, some ticks do not have inputs yet.
inline constexpr std::int32_t settling_ticks = 30;

/// A player and the state that its client would have.
struct Shuttle::Rider : BlockVisitor {
  static constexpr std::uint32_t ticks = 256;  ///< kept; more than are open at any time

  SessionId session = 0;
  std::uint64_t client_id = 0;
  Handle ship = no_entity;
  std::size_t at = 0;  ///< the worker that the gateway sends its packets to
  struct Stream {
    std::uint16_t epoch = 0;
    AckWindow events;
    Tick newest;  ///< of the blocks
  };
  std::array<Stream, 2> streams;
  std::size_t reading = 0;  ///< the worker that the block came from

  std::array<Tick, ticks> arrived{};  ///< by tick: the input of that tick arrived in time
  Tick checked;                       ///< all records before it were checked
  std::uint8_t reset_epoch = 0;

  bool came(Tick tick) const { return arrived[tick.count % ticks] == tick; }
  void on_own(const OwnSection&) override {}
  void on_record(const GroupFrame&, const TrackRecord&) override {}
  void on_event(Sequence sequence, const WorldEvent&) override {
    streams[reading].events.mark(sequence);
  }
};

}  // namespace perigee::lab
