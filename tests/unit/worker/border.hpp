/// Two workers side by side, and the messages between them.
#pragma once

#include <deque>
#include <functional>

#include "fixture.hpp"

namespace perigee::worker {

inline constexpr double border_x = 1000;
inline constexpr double deck_x =
    960;  // 300 m wide: owned by one worker, and far into the other's region
inline constexpr double person_m = 0.91;

inline test::YardOptions yard_at_the_border(Vec3 spawn) {
  return {.spawn = spawn, .barge_velocity = {}, .center_x_m = deck_x};
}

/// For several players that walk over: each on its own lane.
inline test::YardOptions lanes_at_the_border() {
  test::YardOptions out = yard_at_the_border({60, person_m, 0});
  out.spacing = {0, 0, -3};
  return out;
}

/// Two workers side by side. The first one owns the whole yard.
struct Border {
  struct Word {
    WorkerSlot to;
    int at_turn;
    Bytes bytes;
  };
  Bench here, there;
  std::deque<Word> under_way;
  std::map<Handle, std::deque<Vec3>> owned;  ///< places at the owner, the newest first
  int turn = 0;
  /// Number of turns by which a message is late; none: it is lost.
  std::function<std::optional<int>(const Word&)> fate;

  explicit Border(const test::YardOptions& at_home = yard_at_the_border({15, person_m, 0}),
                  const test::YardOptions& abroad = yard_at_the_border({25, person_m, 0}),
                  const Settings& settings = small_settings(), double cut_x = border_x)
      : here(at_home, two_worker_map(cut_x), settings),
        there(abroad, two_worker_map(cut_x), settings, WorkerSlot{1}) {
    connect(here, WorkerSlot{1});
    connect(there, WorkerSlot{0});
  }
  void connect(Bench& from, WorkerSlot to) {
    from.core->outputs.to_peer = [this, to](WorkerSlot peer, std::span<const std::byte> bytes) {
      ASSERT_EQ(peer, to);
      Word word{to, turn, Bytes(bytes.begin(), bytes.end())};
      const auto late = fate ? fate(word) : 0;
      if (!late) return;
      word.at_turn += *late;
      under_way.push_back(std::move(word));
    };
  }
  Bench& of(WorkerSlot slot) { return slot == WorkerSlot{0} ? here : there; }
  WorkerSlot slot_of(const Core& core) const {
    return WorkerSlot::at(&core == here.core.get() ? 0 : 1);
  }
  static WorkerSlot other(WorkerSlot slot) { return WorkerSlot::at(1 - slot.number); }
  Core& peer_of(const Core& core) { return *of(other(slot_of(core))).core; }
  void step(int turns = 1) {
    for (int i = 0; i < turns; ++i) {
      here.tick();
      there.tick();
      ++turn;
      note_owned(here);
      note_owned(there);
      for (std::size_t left = under_way.size(); left > 0; --left) {
        Word word = std::move(under_way.front());
        under_way.pop_front();
        if (word.at_turn < turn) {
          of(word.to).core->on_peer(other(word.to), word.bytes);
        } else {
          under_way.push_back(std::move(word));
        }
      }
    }
  }
  void note_owned(const Bench& bench) {
    const world::World& world = bench.core->world();
    for (const Handle handle : world.in_order()) {
      const auto at = world.pose(handle, world.now());
      if (world.find(handle)->remote || !at) continue;
      owned[handle].push_front(at->position);
      if (owned[handle].size() > 150) owned[handle].pop_back();
    }
  }
  /// The worker that has the avatar of player n.
  Bench* owner(std::uint32_t n) {
    if (here.core->player_of(100 + n) != nullptr) return &here;
    return there.core->player_of(100 + n) != nullptr ? &there : nullptr;
  }
  void play(std::uint32_t n, PlayerInput input) {
    Bench* bench = owner(n);
    ASSERT_NE(bench, nullptr);
    input.tick = bench->core->next_tick();
    bench->send(input, n);
  }
  Vec3 place(std::uint32_t n) {
    const Bench* bench = owner(n);
    EXPECT_NE(bench, nullptr);
    const auto at = bench->core->world().pose(bench->player(n).avatar, bench->core->next_tick());
    EXPECT_TRUE(at);
    return at ? at->position : Vec3{};
  }
};

inline std::vector<Handle> ghosts_of(const Core& core) {
  std::vector<Handle> out;
  for (const Handle handle : core.world().in_order()) {
    if (core.world().find(handle)->remote) out.push_back(handle);
  }
  return out;
}

inline PlayerInput walking(std::uint16_t yaw) {
  PlayerInput input;
  input.forward = 127;
  input.yaw = yaw;
  return input;
}

}  // namespace perigee::worker
