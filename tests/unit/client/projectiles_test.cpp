// Projectiles, as they are rendered.
#include "perigee/client/projectiles.hpp"

#include "hand_server.hpp"
#include "track_records.hpp"

namespace perigee::client {
namespace {

constexpr double speed_m_s = 60;
constexpr double ahead_ticks = 15;  // the predicted tick is a quarter second after V

struct AFlight : testing::Test {
  HandServer server{{.barge = true}};
  EntityStore store{server.game.types()};
  Projectiles projectiles{store, server.game};
  ProjectileViewer viewer;
  const Handle archer = 77;

  AFlight() {
    for (const SpawnEvent& spawn : server.spawns()) store.spawn(spawn, 1);
    viewer = {server.avatar, server.deck, {HandServer::start, 0, ahead_ticks, {}}};
    viewer.at.eye = {0, 0.91, 0};
  }
  /// A projectile along x from `x_m`, a hundred metres away from everything; it starts at the start
  /// of that tick.
  void loose(Handle by, std::int32_t tick, double x_m = -300, Handle parent = no_entity) {
    projectiles.on_event({by, HandServer::start + tick, 8, 1, parent, to_float({x_m, 30, -100}),
                          to_float({speed_m_s, 0, 0})},
                         viewer);
  }
  std::optional<double> drawn_x(double view_ticks) {
    viewer.at.ticks = view_ticks;
    const auto drawn = projectiles.draw(viewer);
    return drawn.empty() ? std::nullopt : std::optional(drawn[0].position.x);
  }
};

// B6b: the own projectile is rendered at the predicted tick, from the moment of the shot
TEST_F(AFlight, OfOnesOwnIsDrawnInThePresent) {
  world::StepRecord record{.tick = HandServer::start + 15, .parent = server.deck};
  record.wishes.proposals.push_back({.kind = 3,
                                     .index = 8,
                                     .from = {-50, 30, -100},
                                     .direction = {1, 0, 0},
                                     .speed_m_s = speed_m_s});
  projectiles.on_step(record, 0);
  EXPECT_NEAR(drawn_x(0).value_or(0), -50, 1e-9);
  EXPECT_NEAR(drawn_x(6).value_or(0), -50 + 6, 1e-9);  // one metre per tick
  EXPECT_TRUE(projectiles.draw(viewer)[0].own);
  projectiles.on_verdict({record.tick, 8, Verdict::Confirmed, CancelReason::None, 0});
  EXPECT_TRUE(drawn_x(7)) << "loosed is not yet struck";
  projectiles.on_verdict({record.tick, 8, Verdict::Confirmed, CancelReason::None, 1});
  EXPECT_FALSE(drawn_x(8));
}

// B6, B7: it moves from its true place to that of the predicted tick while the archer winds up,
// then stays there
TEST_F(AFlight, OfOthersIsDrawnAtOnesOwnTickAfterAWindUp) {
  loose(archer, 0);
  EXPECT_NEAR(drawn_x(0).value_or(0), -300, 1e-9) << "where it is";
  double before = -300;
  for (int t = 1; t <= 36; ++t) {
    const double now = drawn_x(t).value_or(0);
    EXPECT_GT(now - before, 1);  // faster than normal
    EXPECT_LT(now - before, 1.5);
    before = now;
  }
  for (int t = 36; t < 60; ++t) EXPECT_NEAR(drawn_x(t).value_or(0), -300 + t + ahead_ticks, 1e-9);
}

// B6: if catching up would take it past the viewer before it is done, it is rendered at its true
// place
TEST_F(AFlight, FromNearbyIsDrawnWhereItIs) {
  viewer.at.eye = {-290, 30, -100};
  loose(archer, 0);
  for (int t = 0; t < 60; ++t) EXPECT_NEAR(drawn_x(t).value_or(0), -300 + t, 1e-9);
}

TEST_F(AFlight, OfOnesOwnIsNotSentByOthers) {
  loose(server.avatar, 0);
  EXPECT_FALSE(drawn_x(0));
}

TEST_F(AFlight, EndsAtWhatIsSolid) {
  projectiles.on_event({archer, HandServer::start, 8, 1, server.deck, to_float({0, 6, -48}),
                        to_float({0, 0, speed_m_s})},
                       viewer);
  viewer.at.eye = {100, 1, 0};
  int t = 0;
  while (t < 200 && drawn_x(t)) ++t;
  EXPECT_GT(t, 40);  // 60 m to the wall, 15 ticks ahead
  EXPECT_LT(t, 50);
}

TEST_F(AFlight, FallsWhereThereIsGravity) {
  const world::Projectile stone{.from = {0, 10, 0}, .velocity = {30, 0, 0}};
  const world::GravityBox down{{0, -10, 0}, {{-100, -100, -100}, {15, 100, 100}}};
  EXPECT_NEAR(world::projectile_position(stone, down, 30).y, 10 - 5 * 0.25, 0.1);
  const double leaves = world::projectile_position(stone, down, 31).y;
  const double later = world::projectile_position(stone, down, 61).y;
  EXPECT_NEAR(later, leaves - 5 * 0.5, 0.1) << "straight on, outside";
  EXPECT_EQ(world::projectile_position(stone, down, -5), stone.from);
}

// B6: aboard a ship, the path is relative to the deck under the viewer
TEST_F(AFlight, AboardIsDrawnOnTheShipAsThatIsDrawn) {
  store.parent_motions().store(
      {server.barge, HandServer::start, *server.world.motion(server.barge, HandServer::start)},
      HandServer::start);
  GroupFrame frame;
  const Vec3 at = server.world.pose(server.barge, HandServer::start)->position;
  frame.cell = cell_of(at, Precision::Finest);
  for (const std::int32_t t : {0, 4, 8}) {
    const Vec3 sails = at + Vec3{5.0 * t / 60, 0, 0};
    store.record(
        frame,
        test::straight(server.barge, HandServer::start + t, sails - origin_of(frame), {5, 0, 0}),
        1);
  }
  viewer.parent = server.barge;
  viewer.at.eye = at + Vec3{0, 1, 200};
  projectiles.on_event({archer, HandServer::start - 60, 8, 1, server.barge, to_float({-90, 5, 0}),
                        to_float({speed_m_s, 0, 0})},
                       viewer);
  viewer.at.ticks = 4;
  const auto drawn = projectiles.draw(viewer);
  ASSERT_EQ(drawn.size(), 1U);
  const Pose ship = *store.drawn_world(server.barge, viewer.at);
  const double on_deck_x = inverse_transform(ship, drawn[0].position).x;
  EXPECT_NEAR(on_deck_x, -90 + 60 + 4 + ahead_ticks * 4 / Projectiles::blend_ticks, 1e-6);
}

}  // namespace
}  // namespace perigee::client
