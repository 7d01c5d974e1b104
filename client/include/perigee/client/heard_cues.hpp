/// Cues of others: each is played once, when the picture of its entity has reached its tick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/wire_cues.hpp"
#include "perigee/client/entity_store.hpp"

namespace perigee::client {

/// A cue to play now.
struct HeardCue {
  Tick tick;  ///< in which it happened
  Handle entity = no_entity;
  std::uint8_t effect = 0;  ///< the game's
  std::uint8_t detail = 0;  ///< the game's
  Handle subject = no_entity;
  Vec3 place;  ///< world: where its entity is drawn in this frame, or a fixed place
};

class HeardCues {
 public:
  static constexpr std::size_t waiting_max = 256;
  /// Played and waiting ones, to recognize copies: a second's worth of three workers that each
  /// exhaust their budget.
  static constexpr std::size_t remembered_max = 1024;
  /// The spawn of a cue's entity may be on its way: a cue that is due waits for it so long.
  static constexpr std::int32_t held_ticks = 30;

  struct Counts {
    std::uint64_t heard = 0;
    std::uint64_t repeated = 0;     ///< copies
    std::uint64_t late = 0;         ///< came a second after their picture
    std::uint64_t unknown = 0;      ///< their entity did not come
    std::uint64_t crowded_out = 0;  ///< too many were waiting
  };

  explicit HeardCues(const EntityStore& entities);

  void on_cue(const CueEvent& cue);
  /// Once per frame. `avatar`: the own one, which is drawn at the own tick.
  void advance(const ViewPoint& seen, Handle avatar);
  /// The cues of this frame, by tick.
  std::span<const HeardCue> news() const { return news_; }
  const Counts& counts() const { return counts_; }
  void forget_world();

 private:
  struct Name {
    Handle entity, subject;
    Tick tick;
    std::uint8_t effect;
    std::optional<Vec3f> place;
    friend bool operator==(const Name&, const Name&) = default;
  };
  struct Waiting {
    CueEvent cue;
    std::optional<Vec3> drawn;  ///< where its entity was last drawn, which may leave meanwhile
  };
  enum class Fate : std::uint8_t { Waits, Heard, Late, Unknown };
  bool remember(const Name& name);
  Fate judge(Waiting& waiting, const ViewPoint& seen, Handle avatar);

  const EntityStore& entities_;
  std::vector<Waiting> waiting_;  ///< by tick, then by arrival
  std::vector<Name> remembered_;  ///< the newest ones; a ring
  std::size_t next_remembered_ = 0;
  std::vector<HeardCue> news_;
  Counts counts_;
};

}  // namespace perigee::client
