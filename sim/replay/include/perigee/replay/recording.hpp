/// A flight recording: one side's inputs to its ticks, as a file that can be replayed on another
/// machine, years later. Bytes: docs/flight_recorder.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/result.hpp"
#include "perigee/replay/input_fields.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::replay {

enum class Side : std::uint8_t { Client, Worker, last = Worker };

/// A row of the game's type table on that side: the parts that steps depend on.
struct RecordedType {
  std::string name;
  world::EntityKind kind = world::EntityKind::Static;
  world::Inertia inertia = world::Inertia::None;
  world::GravityBox gravity;
  world::ActorParams actor;
  world::ShapePtr shape;
  /// Triangles and hulls: those of all types together are too many for a recording.
  bool left_out = false;
};

/// Subject of a recording, the program that wrote it, and the reason.
struct FlightHeader {
  Side side = Side::Client;
  std::string game;                 ///< name of the game
  std::uint64_t schema_hash = 0;    ///< of the game
  std::string build;                ///< of the program
  std::uint64_t tunables_hash = 0;  ///< of the type table below
  std::uint64_t avatar = 0;     ///< identity: with the ticks, it joins the two sides' recordings
  std::uint64_t session = 0;    ///< 0: unknown on that side
  world::TypeId type = 0;       ///< of the avatar
  std::int8_t delay_ticks = 0;  ///< workers: delay of their ticks behind the client's
  Tick tick;                    ///< of the recorded event ...
  CorrectionCause cause = CorrectionCause::Unknown;  ///< ... and its cause, as judged at that time
  double meters = 0;
  RecordedInputFields input_fields;  ///< of the game's
};

/// A final state of the server, with the time of its arrival at the client.
struct ReceivedFinal {
  Tick received;    ///< the client's next tick to predict at arrival
  Tick final_tick;  ///< the state at its start
  Handle parent = no_entity;
  ActorState state;
};
/// An announced change, with the time of its arrival or announcement.
struct ReceivedChange {
  Tick received;
  world::TimelineChange change;
};

/// A client's own position at the start of a tick, as its packets claimed it.
struct ReceivedClaim {
  Tick tick;  ///< as the worker names it
  Handle parent = no_entity;
  Vec3f position;
};
/// A correction, as the client noticed it.
struct NotedCorrection {
  Tick at;                                           ///< the client's next tick to predict
  CorrectionCause cause = CorrectionCause::Unknown;  ///< as the client judged it
  double meters = 0;
};

struct Recording {
  static constexpr std::size_t types_max = 255;
  static constexpr std::size_t boxes_max = 4096;  ///< per type
  /// Of triangles, heightfields and hulls of all types: 450,000 triangles of meshes, 4,000,000
  /// heights, or 14,000 hulls of 48 corners.
  static constexpr std::size_t mesh_bytes_max = 8U << 20;
  static constexpr std::size_t ticks_max = 2400;
  /// Of final states, changes, claims and corrections each.
  static constexpr std::size_t news_max = 2400;

  FlightHeader header;
  std::vector<RecordedType> types;
  std::vector<world::StepRecord> ticks;  ///< oldest first; shapes are those of `types`
  std::vector<ReceivedFinal> finals;
  std::vector<ReceivedChange> changes;
  std::vector<ReceivedClaim> claims;         ///< workers only; oldest first, one per tick
  std::vector<NotedCorrection> corrections;  ///< clients only; oldest first
  /// An entity in the records, with its type, and whether it hung on joints.
  struct Thing {
    Handle handle = no_entity;
    world::TypeId type = 0;
    bool chained = false;
  };
  std::vector<Thing> things;  ///< by handle

  const Thing* thing(Handle handle) const;
};

inline constexpr std::uint16_t recording_version = 7;
inline constexpr std::size_t recording_bytes_max = 16U << 20;

/// A client's and a worker's recording of one avatar, at about the same time. The error is a
/// sentence on why they are not. One of the two may be missing.
struct Halves {
  const Recording* client = nullptr;
  const Recording* worker = nullptr;
};
Result<Halves> halves_of(const Recording& one);
Result<Halves> halves_of(const Recording& one, const Recording& other);

std::vector<std::byte> write_recording(const Recording& recording);
/// The error is a sentence on the fault in the bytes: no recording, of another version, truncated,
/// damaged.
Result<Recording> read_recording(std::span<const std::byte> bytes);

std::vector<RecordedType> recorded_types(std::span<const world::EntityType> types);
/// Hash of everything in the table that steps depend on.
std::uint64_t tunables_hash(std::span<const RecordedType> types);

}  // namespace perigee::replay
