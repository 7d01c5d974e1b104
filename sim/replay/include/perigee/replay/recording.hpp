/// What one side consumed, tick by tick, as a file: everything that is needed to run it again on
/// another machine, years later. Bytes: docs/flight_recorder.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/netcode/correction_cause.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::replay {

enum class Side : std::uint8_t { Client, Worker, last = Worker };

/// A row of the game's type table as that side has it: what steps depend on.
struct RecordedType {
  std::string name;
  world::EntityKind kind = world::EntityKind::Static;
  world::Inertia inertia = world::Inertia::None;
  world::GravityBox gravity;
  world::ActorParams actor;
  world::ShapePtr shape;
};

/// Whose flight it is, in what program, and why it was written down.
struct FlightHeader {
  Side side = Side::Client;
  std::string game;                 ///< whose rules
  std::uint64_t schema_hash = 0;    ///< of the game
  std::string build;                ///< of the program
  std::uint64_t tunables_hash = 0;  ///< of the type table below
  std::uint64_t avatar = 0;         ///< identity: with the ticks, what joins two halves
  std::uint64_t session = 0;        ///< 0: that side does not know it
  world::TypeId type = 0;           ///< of the avatar
  std::int8_t delay_ticks = 0;      ///< workers: their ticks are so much later than the client's
  Tick tick;                        ///< what happened ...
  CorrectionCause cause = CorrectionCause::Unknown;  ///< ... and was taken for, there and then
  double meters = 0;
};

/// A final state of the server, when the client heard of it.
struct HeardFinal {
  Tick heard;       ///< the next tick to predict was this one
  Tick final_tick;  ///< the state at its start
  Handle parent = no_entity;
  ActorState state;
};
/// An announced change, when it was heard of or announced.
struct HeardChange {
  Tick heard;
  world::TimelineChange change;
};

struct Recording {
  static constexpr std::size_t types_max = 255;
  static constexpr std::size_t boxes_max = 4096;  ///< of a type
  static constexpr std::size_t ticks_max = 1200;
  static constexpr std::size_t news_max = 1200;

  FlightHeader header;
  std::vector<RecordedType> types;
  std::vector<world::StepRecord> ticks;  ///< oldest first; their shapes are those of `types`
  std::vector<HeardFinal> finals;
  std::vector<HeardChange> changes;
  /// Handles in the records by type, and whether they hung on joints.
  struct Thing {
    Handle handle = no_entity;
    world::TypeId type = 0;
    bool chained = false;
  };
  std::vector<Thing> things;  ///< by handle

  const Thing* thing(Handle handle) const;
};

inline constexpr std::uint16_t recording_version = 2;
inline constexpr std::size_t recording_bytes_max = 16U << 20;

std::vector<std::byte> write_recording(const Recording& recording);
/// Or a sentence that says what is wrong with the bytes: no recording, of another version, cut
/// short, damaged.
Result<Recording> read_recording(std::span<const std::byte> bytes);

std::vector<RecordedType> recorded_types(std::span<const world::EntityType> types);
/// Of everything in the table that steps depend on.
std::uint64_t tunables_hash(std::span<const RecordedType> types);

}  // namespace perigee::replay
