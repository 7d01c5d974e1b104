/// The rules alone: a journal on paper, of one worker with three runners.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "perigee/test_bench/paper_journal.hpp"
#include "players.hpp"
#include "records.hpp"

namespace hover_tag {

using namespace perigee;

inline constexpr Handle red = 1, blue = 2, mate = 3, thing = 9, standings_handle = 10;

/// Runs everything at once, on one worker. Messages to absent runners return.
struct PaperJournal final : test_bench::PaperJournal {
  explicit PaperJournal(const Game& of) : game(of) {}

  Runner& add(Handle runner, std::uint8_t team) {
    states[runner] = game.state_codec().initial;
    runner_of(runner).team = team;
    runner_of(runner).match = 1;
    profiles[runner];
    return runner_of(runner);
  }
  Runner& runner_of(Handle runner) { return states.at(runner).as<Runner>(); }

  std::optional<world::GameState> state(Handle actor) const override {
    const auto found = states.find(actor);
    return found == states.end() ? std::nullopt : std::optional(found->second);
  }
  bool notify(Handle actor, const world::GameEvent& event) override {
    const auto found = states.find(actor);
    if (found == states.end()) return false;
    game.apply_event(event, found->second);
    return true;
  }
  void write(const world::JournalEntry& entry) override { entries.push_back(entry); }
  bool send(const world::Message& message) override {
    if (full) return false;
    const bool there =
        states.contains(message.to) || message.to == thing || message.to == standings_handle;
    if (there || states.contains(message.from)) game.receive(*this, message, !there);
    return true;
  }
  world::SpawnRefusal set_state(Handle handle, const world::GameState& state) override {
    EXPECT_EQ(handle, standings_handle);
    world = state;
    return world::SpawnRefusal::None;
  }
  Handle world_entity() const override { return standings_handle; }
  std::optional<world::GameState> world_state() const override { return world; }
  Standings& standings() { return world.as<Standings>(); }
  std::optional<std::span<const std::byte>> profile(Handle actor) const override {
    const auto found = profiles.find(actor);
    if (found == profiles.end()) return std::nullopt;
    return found->second;
  }
  world::KeepRefusal save(Handle actor, std::span<const std::byte> profile) override {
    profiles[actor].assign(profile.begin(), profile.end());
    return world::KeepRefusal::None;
  }
  world::KeepRefusal keep(const world::MatchResult& result) override {
    if (store_full) return world::KeepRefusal::Full;
    results.emplace(std::pair(result.match, result.place), *read_result(result.bytes));
    return world::KeepRefusal::None;
  }
  world::Spawned spawn(const world::ThingSpawn& order) override {
    spawned.push_back(order);
    return {100, world::SpawnRefusal::None};
  }
  world::SpawnRefusal despawn(Handle) override {
    return std::exchange(thing_there, false) ? world::SpawnRefusal::None
                                             : world::SpawnRefusal::NoSuchEntity;
  }
  world::TellRefusal tell_everybody(std::span<const std::byte> message) override {
    told.emplace_back(reinterpret_cast<const char*>(message.data()), message.size());
    return {};
  }

  const Game& game;
  std::map<Handle, world::GameState> states;
  std::vector<world::JournalEntry> entries;
  std::vector<world::ThingSpawn> spawned;
  std::vector<std::string> told;
  std::map<Handle, std::vector<std::byte>> profiles;
  std::map<std::pair<std::uint32_t, std::uint16_t>, ResultRow> results;
  world::GameState world = world::codec_of<Standings>().initial;
  bool thing_there = true, full = false, store_full = false;
};

/// think() of the one worker.
struct PaperThink final : world::ThinkContext {
  explicit PaperThink(PaperJournal& of) : paper(of), empty({.types = of.game.types()}) {
    empty.spawn({.id = world::make_entity_id(1, Tick{}, 0), .type = standings_row});
  }
  Tick tick() const override { return paper.now; }
  Tick settled() const override { return paper.now; }
  const world::World& world() const override { return empty; }
  std::span<const world::Bounds> regions() const override { return {}; }
  world::Journal& journal() override { return paper; }
  bool announce(const world::TimelineChange&) override { return true; }
  void for_each_actor(const std::function<void(const world::ThinkActor&)>& visit) const override {
    for (const auto& [handle, state] : paper.states) visit({.handle = handle, .game = state});
  }
  std::optional<world::ThinkActor> final_actor(Handle) const override { return std::nullopt; }

  PaperJournal& paper;
  world::World empty;
};

class TheRules : public testing::Test {
 protected:
  TheRules() {
    journal.add(red, 1).torch = 1;
    journal.add(blue, 2);
    journal.add(mate, 1);
  }
  /// The verdict on a touch of that tick.
  CancelReason touch(Handle by, Handle target, std::uint32_t tick = 990) {
    const int team = journal.runner_of(by).team;
    return game
        .commit(journal,
                {.wish = {.kind = tag, .target = target, .amount = 100 | team << 16},
                 .actor = by,
                 .tick = Tick{tick}},
                {})
        .reason;
  }
  int torches() {
    int out = static_cast<int>(journal.spawned.size());
    for (auto& [handle, state] : journal.states) out += state.as<Runner>().torch;
    return out;
  }

  const Game game{Rules{}};
  PaperJournal journal{game};
};

}  // namespace hover_tag
