// Deeds of a soak are drawn from its seed.
#include "deeds.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perigee::process_test {
namespace {

std::vector<std::string> deeds_of(std::uint64_t seed, bool spares) {
  Random random(seed);
  std::vector<std::string> out;
  for (int i = 0; i < 500; ++i) out.push_back(describe(draw_deed(random, spares)));
  return out;
}

TEST(DeedsOfASoak, AreTheSameForTheSameSeedAndOthersForAnother) {
  EXPECT_EQ(deeds_of(7, false), deeds_of(7, false));
  EXPECT_NE(deeds_of(7, false), deeds_of(8, false));
}

TEST(DeedsOfASoak, AreOfAllKindsAndHaveTheirParameters) {
  Random random(1);
  std::set<DeedKind> kinds;
  for (int i = 0; i < 500; ++i) {
    const Deed deed = draw_deed(random, false);
    kinds.insert(deed.kind);
    EXPECT_EQ(deed.kind == DeedKind::WorkerDrained, deed.for_ms == 0) << describe(deed);
    EXPECT_EQ(deed.kind == DeedKind::NetCut, !deed.others.empty()) << describe(deed);
  }
  EXPECT_EQ(kinds.size(), static_cast<std::size_t>(DeedKind::last) + 1);
}

TEST(DeedsOfASoak, SpareSomeProcessesSoThatTheirMemoryIsJudged) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const Deed deed = draw_deed(random, true);
    if (!kills(deed.kind) && deed.kind != DeedKind::WorkerDrained) continue;
    for (const char* spared : {"directory", "session", "gateway-1", "sim-2"}) {
      EXPECT_NE(deed.who, spared) << describe(deed);
    }
  }
}

}  // namespace
}  // namespace perigee::process_test
