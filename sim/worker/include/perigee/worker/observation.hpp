/// The poses of a worker's world as bytes for viewers, which only look on. Layout: `Observation` in
/// proto/sim.proto.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/world/world.hpp"

namespace perigee::worker {

class ObservationWriter {
 public:
  static constexpr std::size_t record_bytes = 32;
  static constexpr std::size_t records_max = 16'384;
  /// Entities at rest are written in turns, one of so many in each observation.
  static constexpr std::uint32_t rest_turns = 10;

  enum Flag : std::uint16_t { ghost = 1, rests = 2, actor = 4 };

  ObservationWriter() { bytes_.reserve(records_max * record_bytes); }
  /// The world as it is now. Valid until the next call.
  std::span<const std::byte> write(const world::World& world);
  /// Entities that were left out because records_max had been written, in all calls.
  std::uint64_t left_out() const { return left_out_; }

 private:
  void add(const world::World& world, const world::Entity& entity, bool at_rest);

  std::vector<std::byte> bytes_;
  std::uint32_t turn_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace perigee::worker
