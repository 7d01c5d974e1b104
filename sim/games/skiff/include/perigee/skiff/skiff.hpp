/// Skiff, the example game: two stations with sliding doors, a lift, a trap door and a rotor, two
/// ferries on race-tracks past them, a circling open deck, a turning hull, skiffs that players
/// steer, crates, diggable ground, and characters with jetpacks, rifles and picks.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "perigee/skiff/course.hpp"
#include "perigee/skiff/tunables.hpp"
#include "perigee/world/game.hpp"

namespace perigee::skiff {

inline constexpr std::uint32_t asteroid_sizes = 16, asteroids_count = 250;
inline constexpr double asteroids_ball_m = 31.498;  ///< radius: 50 m for 1,000 bodies, as dense
inline constexpr double planetoid_radius_m = 5;

/// Rows of the type table: the same for all stages, so clients need not know the stage.
enum Row : world::TypeId {
  station_row,
  station_door_row,
  ferry_row,
  ferry_door_row,
  crate_row,
  character_row,
  station_lift_row,
  station_trap_row,
  station_rotor_row,
  carousel_row,
  gyre_row,
  skiff_row,
  walker_link_row,
  ground_row,
  asteroid_row,  ///< the smallest; one row for each size
  planetoid_row = asteroid_row + asteroid_sizes,
  rows_count,
};

/// The half of the world in which an entity was created. The second half is the first one rotated
/// by half a turn about the origin.
enum class Side : std::uint8_t { Plus, Minus };
inline constexpr std::array sides = {Side::Plus, Side::Minus};

struct Fighter;
class Asteroids;

/// Their names for operators, in the order of Stage; the default first.
inline constexpr std::array<std::string_view, enum_count<Stage>> stage_names{"stations",
                                                                             "asteroids"};

class Skiff : public world::GameModule {
 public:
  explicit Skiff(const Tunables& tunables = {});

  std::string_view name() const override { return "skiff"; }
  std::uint64_t schema_hash() const override { return schema_hash_; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return tunables_.parenting; }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override;
  void drive(world::World& world, Tick tick) const override;
  bool spawns_players(const world::World& world, const world::Bounds& region) const override;
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override;
  world::UseOutcome accept_use(const world::World& world,
                               const world::UseAttempt& attempt) const override;
  const world::GameStateCodec& state_codec() const override { return codec_; }
  void step(world::ActorContext& context, world::GameState& state) const override;
  void apply_event(const world::GameEvent& event, world::GameState& state) const override;
  std::uint8_t hit_effect(std::uint8_t kind) const override;
  world::Judgement judge(const world::DrawnScene& scene,
                         const world::Outcome& outcome) const override;
  void receive(world::Journal& journal, const world::Message& message,
               bool returned) const override;
  void recall(world::Recall& recall, const world::JournalEntry& entry) const override;
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged) const override;

  const Course& course(Side side) const { return courses_[static_cast<std::size_t>(side)]; }
  Pose station_pose(Side side) const;
  const Tunables& tunables() const { return tunables_; }

 private:
  /// The course of a body that sails by itself, at the tick. None for other bodies.
  std::optional<Motion> course_of(Row row, Side side, Tick tick) const;
  world::UseOutcome accept_vehicle(const world::World& world,
                                   const world::UseAttempt& attempt) const;
  Handle birthplace_in(const world::World& world, const world::Bounds& region) const;
  void add_walker(world::World& world, Side side, std::uint32_t spawner) const;
  void walk(world::World& world, Tick tick) const;
  void dig(world::ActorContext& context, Fighter& fighter) const;
  static world::Judgement commit_edit(world::Journal& journal, const world::Outcome& outcome,
                                      const world::Judgement& judged);

  Tunables tunables_;
  std::shared_ptr<const Asteroids> asteroids_;
  std::vector<world::EntityType> types_;
  std::array<Course, 2> courses_;
  world::GameStateCodec codec_;  ///< of Fighter
  std::uint64_t schema_hash_;
};

/// The box of space that the game happens in, centred at the origin.
inline constexpr world::Bounds whole_world{{-8000, -2000, -8000}, {8000, 2000, 8000}};

}  // namespace perigee::skiff
