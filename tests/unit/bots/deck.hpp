/// A deck with a bot on it: the parts of a brain on their own.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "perigee/bots/activity.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/gait.hpp"
#include "perigee/bots/senses.hpp"
#include "track_records.hpp"

namespace perigee::bots {

class OnADeck : public testing::Test {
 protected:
  enum Row : std::uint8_t { deck_row, door_row, lift_row, ship_row, person_row, rows };
  static constexpr Handle deck = 1, own = 2, other = 3, door = 4, lift = 5, ship = 6;

  OnADeck() {
    spawn(deck, deck_row, {});
    spawn(own, person_row, {});
    look();
  }
  void spawn(Handle handle, Row row, const Vec3& at) {
    SpawnEvent event{handle, handle * 3ULL, row};
    event.parent = handle == deck || row == ship_row ? no_entity : deck;
    event.pose.position = at;
    ASSERT_TRUE(store.spawn(event, 1));
  }
  /// An actor stands there, on the deck; or a ship flies there.
  void sample(Handle handle, const Vec3& at, const Vec3& velocity = {}) {
    const GroupFrame frame{.parent = handle == ship ? no_entity : deck};
    ASSERT_TRUE(store.record(frame, test::straight(handle, now, at, velocity), 1));
  }
  /// The bot's next tick, in its present state.
  void look() { senses.look(now, {own, parent, state}); }
  PlayerInput input_after(std::int32_t ticks) {
    now = now + ticks;
    look();
    for (std::int32_t i = 0; i < ticks; ++i) look_around.advance();
    PlayerInput input{.tick = now};
    look_around.show(input);
    return input;
  }
  /// It has turned where it wants to look, if it looked at first elsewhere.
  template <class Do>
  PlayerInput after_its_turn(Do act) {
    for (int i = 0; i < 40; ++i) {
      PlayerInput input = input_after(1);
      act(input);
    }
    PlayerInput input = input_after(1);
    act(input);
    return input;
  }
  static std::vector<world::EntityType> make_types() {
    std::vector<world::EntityType> out(rows);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].id = static_cast<world::TypeId>(i);
      out[i].shape = world::make_shape({world::Box{.center = {}, .half = {1, 1, 1}}});
    }
    out[deck_row].parent_eligible = true;
    out[door_row].kind = out[lift_row].kind = world::EntityKind::Timeline;
    out[door_row].travel = {.slide = {0, 0, 2}};
    out[lift_row].travel = {.slide = {0, 6, 0}};
    out[ship_row].kind = world::EntityKind::Body;
    out[ship_row].mass_kg = 1e5;
    out[ship_row].parent_eligible = true;
    out[person_row].kind = world::EntityKind::Actor;
    return out;
  }

  const std::vector<world::EntityType> types = make_types();
  client::EntityStore store{types};
  Tick now{1'000};
  /// Of a look without care, 1/65536 turn.
  static constexpr double slack = 65536 * Look::slack_rad / (2 * pi);
  Handle parent = deck;
  ActorState state;
  Random random{7};
  Deeds deeds;
  Senses senses{store};
  Activity activity{senses.now()};
  Look look_around{5};
  Gait gait{{senses, random, look_around}};
};

}  // namespace perigee::bots
