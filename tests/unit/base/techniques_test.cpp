#include "perigee/base/techniques.hpp"

#include <gtest/gtest.h>

#include <array>

#include "perigee/base/bytes.hpp"
#include "perigee/base/technique_order.hpp"

namespace perigee {
namespace {

Techniques far_from_default() {
  return {.reconciler = Reconciler::Shift,
          .reconcile_beyond_m = 0.00001,
          .smoothing = Smoothing::FadingWeight,
          .prediction = false,
          .storm_breaker = false,
          .timeline = Timeline::PlayoutInTrouble,
          .suggested_ms = 0,
          .rollback = false,
          .redundancy = Redundancy::None,
          .send_every_ms = 25,
          .view = ViewTick::SharedClock,
          .relative_prediction = false};
}

TEST(Techniques, AreSetByName) {
  const auto set = with({}, "smoothing=exponential, timeline=suggested suggested-ms=100");
  ASSERT_TRUE(set);
  const Techniques expected{
      .smoothing = Smoothing::Exponential, .timeline = Timeline::Suggested, .suggested_ms = 100};
  EXPECT_EQ(*set, expected);
}

TEST(Techniques, AreReadAsTheyAreWritten) {
  for (const Techniques& techniques : {Techniques{}, far_from_default()}) {
    const auto read = with({}, to_text(techniques, " "));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, techniques);
  }
}

TEST(Techniques, ThatMakeNoSenseAreRefusedInASentence) {
  const auto why = [](std::string_view settings) {
    const auto result = with({}, settings);
    return result ? "" : result.error().message;
  };
  EXPECT_EQ(why("smoothing=quick"),
            "smoothing: 'quick' is not "
            "none|constant-weight|fading-weight|exponential|quintic");
  EXPECT_EQ(why("suggested-ms=101"),
            "suggested-ms is 101; it must be 0 to 100, since players notice a longer delay");
  EXPECT_EQ(why("suggested-ms=1.5"), "suggested-ms: '1.5' is not a whole number");
  EXPECT_EQ(why("send-every-ms=10"), "send-every-ms is 10; it must be 0 (every tick), 20 or 25");
  EXPECT_EQ(why("reconcile-beyond-m=-1"), "reconcile-beyond-m: '-1' is not NUMBER");
  EXPECT_EQ(why("reconcile-beyond-m=nan"), "reconcile-beyond-m: 'nan' is not NUMBER");
  EXPECT_EQ(why("prediction="), "prediction: '' is not off|on");
  EXPECT_EQ(why("prediction"), "'prediction' is not KEY=VALUE, such as prediction=off");
  EXPECT_NE(why("magic=on").find("techniques: prediction relative-prediction timeline"),
            std::string::npos);
}

// The techniques known to the worker are one byte; every byte is either valid or malformed.
TEST(SharedTechniques, AreOneByte) {
  for (unsigned value = 0; value < 256; ++value) {
    std::array<std::byte, 1> byte{static_cast<std::byte>(value)};
    ByteReader reader(byte);
    SharedTechniques shared;
    const bool good = value < 32 && value % 8 < 5;
    ASSERT_EQ(walk_shared(reader, shared), good);
    if (!good) continue;
    std::array<std::byte, 1> back;
    ByteWriter writer(back);
    const SharedTechniques& written = shared;
    EXPECT_TRUE(walk_shared(writer, written));
    EXPECT_EQ(back, byte);
  }
  EXPECT_EQ(Techniques{}.shared(), SharedTechniques{});
}

}  // namespace
}  // namespace perigee
