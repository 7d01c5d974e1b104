/// Records the last seconds of one actor, as one side consumed them. Allocates at start, and
/// copies once per tick.
#pragma once

#include <functional>

#include "perigee/base/ring.hpp"
#include "perigee/replay/recording.hpp"

namespace perigee::replay {

struct RecorderSettings {
  std::uint32_t ticks = 600;       ///< 10 s; at most Recording::ticks_max
  std::size_t bytes = 256 * 1024;  ///< either limit applies; a tick takes 200 to 500
};
/// 30 s, for viewers; allocates 1.4 MB.
inline constexpr RecorderSettings half_minute{.ticks = 1800, .bytes = 1024 * 1024};

/// A copy takes the recorded bytes, and allocates nothing if the target has the same settings.
class FlightRecorder {
 public:
  /// The types must outlive the recorder.
  explicit FlightRecorder(std::span<const world::EntityType> types,
                          const RecorderSettings& settings = {});

  /// Records a tick that has run. It replaces those from its own tick on, which a client that
  /// lowers its lead predicts again. One long after the newest starts a new recording.
  void note(const world::StepRecord& step);
  void note_final(const ReceivedFinal& final);
  void note_change(const ReceivedChange& change);
  /// Claims and corrections come with ascending ticks.
  void note_claim(const ReceivedClaim& claim);
  void note_correction(const NotedCorrection& correction);
  void clear();

  std::size_t ticks() const { return steps_.size; }
  std::size_t bytes_used() const;

  /// The present or former entity with a handle.
  using ThingOf = std::function<std::optional<Recording::Thing>(Handle)>;
  /// Fills in the type table, the entities, and the avatar in `header`.
  Recording recording(FlightHeader header, const ThingOf& thing_of) const;
  /// The same without the entities, for a thread that cannot look them up. handles_of() has those
  /// that are missing.
  Recording without_things(FlightHeader header) const;
  /// The newest recorded tick; none if there is none.
  std::optional<Tick> newest() const;

 private:
  /// A ring of fixed capacity.
  template <class T>
  struct Newest {
    std::vector<T> slots;
    std::size_t oldest = 0;
    std::size_t size = 0;
    T& operator[](std::size_t i) { return slots[(oldest + i) % slots.size()]; }
    const T& operator[](std::size_t i) const { return slots[(oldest + i) % slots.size()]; }
    void drop() {
      oldest = (oldest + 1) % slots.size();
      --size;
    }
    void push(const T& value) {
      if (size == slots.size()) drop();
      slots[(oldest + size++) % slots.size()] = value;
    }
    void clear() { size = 0; }
  };
  struct Place {
    Tick tick;
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  void make_room(std::uint32_t at, std::uint32_t size);

  std::span<const world::EntityType> types_;
  std::vector<world::ShapePtr> shapes_;  ///< of the types
  std::vector<std::byte> bytes_;
  std::uint32_t next_at_ = 0;
  Newest<Place> steps_;
  Newest<ReceivedFinal> finals_;
  Newest<ReceivedChange> changes_;
  Newest<ReceivedClaim> claims_;
  Newest<NotedCorrection> corrections_;
};

/// The entities in the records, sorted.
std::vector<Handle> handles_of(const Recording& recording);

}  // namespace perigee::replay
