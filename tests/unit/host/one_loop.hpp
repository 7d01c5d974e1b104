/// A loop for tests of connections between two ends in one process.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "perigee/host/loop.hpp"

namespace perigee::host {

struct OneLoop : testing::Test {
  Loop loop;
  Timer limit{loop, [this] {
                ADD_FAILURE() << "nothing more happened";
                loop.stop();
              }};
  std::optional<Timer> each;

  OneLoop() { limit.at(Loop::clock_us() + 60'000'000); }
  void run_until(const std::function<bool()>& done) {
    each.emplace(loop, [this, &done] {
      if (done()) loop.stop();
    });
    each->every(1'000);
    loop.run();
    each.reset();
  }
};

}  // namespace perigee::host
