/// A journal for tests of a game's rules alone: everything is accepted, and nothing happens. A test
/// overrides the functions that it looks at.
#pragma once

#include "perigee/world/outcome.hpp"

namespace perigee::test_bench {

class PaperJournal : public world::Journal {
 public:
  Tick now{1'000};

  Tick tick() const override { return now; }
  std::int32_t lead_ticks(Handle) const override { return 9; }
  std::optional<world::GameState> state(Handle) const override { return std::nullopt; }
  world::SpawnRefusal set_state(Handle, const world::GameState&) override { return {}; }
  Handle world_entity() const override { return no_entity; }
  std::optional<world::GameState> world_state() const override { return std::nullopt; }
  bool notify(Handle, const world::GameEvent&) override { return true; }
  bool respawn(Handle) override { return true; }
  bool place(Handle, const world::ActorPlace&) override { return true; }
  bool cue(const world::CueOrder&) override { return true; }
  void write(const world::JournalEntry&) override {}
  bool send(const world::Message&) override { return true; }
  bool take(Handle, world::TypeId) override { return true; }
  world::Spawned spawn(const world::ThingSpawn&) override { return {}; }
  world::Spawned spawn_npc(const world::NpcSpawn&) override { return {}; }
  world::SpawnRefusal despawn(Handle) override { return {}; }
  world::TellRefusal tell(Handle, std::span<const std::byte>) override { return {}; }
  std::uint32_t tell_within(const world::Bounds&, std::span<const std::byte>) override { return 0; }
  world::TellRefusal tell_everybody(std::span<const std::byte>) override { return {}; }
  std::optional<std::span<const std::byte>> profile(Handle) const override {
    return std::span<const std::byte>();
  }
  world::KeepRefusal save(Handle, std::span<const std::byte>) override { return {}; }
  world::KeepRefusal keep(const world::MatchResult&) override { return {}; }
};

}  // namespace perigee::test_bench
