// Choice of techniques, and orders, without a client.
#include "perigee/client/technique_control.hpp"

#include <gtest/gtest.h>

#include "perigee/base/technique_order.hpp"

namespace perigee::client {
namespace {

constexpr Techniques without_rollback{.rollback = false};
constexpr Techniques with_playout{.timeline = Timeline::Playout};

struct ATechniqueControl : testing::Test {
  void order(TechniqueControl& control, std::uint32_t number, std::string_view what,
             std::uint32_t desync_number = 0) {
    std::array<std::byte, order_frame_bytes> bytes;
    ByteWriter writer(bytes);
    ASSERT_TRUE(write_order_frame(writer, {number, *read_order(what), desync_number}));
    control.on_order(bytes);
  }
  static std::optional<OrderAnswer> answer(TechniqueControl& control) {
    std::array<std::byte, 100> payload;
    FrameWriter writer(payload);
    control.write_answer(writer);
    FrameReader reader(writer.payload());
    const auto frame = reader.next();
    return frame ? read_order_answer(frame->bytes) : std::nullopt;
  }
  TechniqueControl::Needs needs() {
    return {.telemetry = telemetry,
            .on_change = [this](const Techniques& techniques) { changes.push_back(techniques); },
            .inject_desync = [this](const Vec3& meters) { desync += meters; }};
  }
  TelemetryLog telemetry;
  std::vector<Techniques> changes;
  Vec3 desync;
};

TEST_F(ATechniqueControl, TakesTheGamesChoiceOnceIfThereIsNoOther) {
  TechniqueControl control(needs(), std::nullopt);
  control.suggest(without_rollback);
  EXPECT_EQ(control.techniques(), without_rollback);
  control.suggest(with_playout);
  EXPECT_EQ(control.techniques(), without_rollback);
  EXPECT_EQ(changes.size(), 1U);
  TechniqueControl chosen(needs(), with_playout);
  chosen.suggest(without_rollback);
  EXPECT_EQ(chosen.techniques(), with_playout);
}

TEST_F(ATechniqueControl, LetsOrdersWaitForTheGamesChoice) {
  TechniqueControl control(needs(), std::nullopt);
  order(control, 1, "rollback=off");
  EXPECT_FALSE(answer(control));
  control.suggest({});
  order(control, 1, "rollback=off");
  EXPECT_EQ(control.techniques(), without_rollback);
  EXPECT_EQ(answer(control)->number, 1U);
}

TEST_F(ATechniqueControl, CarriesAnOrderOutOnceAndAnswersEachRepetition) {
  TechniqueControl control(needs(), Techniques{});
  order(control, 1, "desync-m=0.5", 1);
  EXPECT_TRUE(answer(control));
  EXPECT_FALSE(answer(control));
  order(control, 1, "desync-m=0.5", 1);
  EXPECT_TRUE(answer(control));
  EXPECT_EQ(desync, (Vec3{0.5, 0, 0}));
  EXPECT_EQ(control.orders_obeyed(), 1U);
}

TEST_F(ATechniqueControl, TakesOrdersOfANewSessionFromTheStart) {
  TechniqueControl control(needs(), Techniques{});
  order(control, 5, "rollback=off");
  control.forget_session();
  EXPECT_FALSE(answer(control)) << "it was for the ended session";
  order(control, 1, "rollback=on");
  EXPECT_EQ(control.techniques(), Techniques{});
  EXPECT_EQ(control.orders_obeyed(), 2U);
}

}  // namespace
}  // namespace perigee::client
