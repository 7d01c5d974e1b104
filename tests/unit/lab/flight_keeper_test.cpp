#include "perigee/lab/flight_keeper.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct AFlightKeeper : testing::Test, LabParts {
  AFlightKeeper() : LabParts(1) {
    player.client = std::make_unique<client::Client>(game, client::Settings{});
  }
  VirtualPlayer player;
  FlightKeeper keeper{queue, processes};
};

TEST_F(AFlightKeeper, KeepsNothingWithoutRecorders) {
  EXPECT_FALSE(keeper.flight(player));
  keeper.on_correction(player);
  run_for(second_us);
  EXPECT_FALSE(keeper.worst());
}

TEST_F(AFlightKeeper, AsksOnlyProcessesThatRun) {
  processes.end(0);
  EXPECT_FALSE(keeper.flight(player));
  keeper.forget();
  EXPECT_FALSE(keeper.worst());
}

}  // namespace
}  // namespace perigee::lab
