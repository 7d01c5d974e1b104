/// Players of the tests.
#pragma once

#include "game.hpp"
#include "perigee/test_bench/bench.hpp"
#include "pilot.hpp"
#include "steering.hpp"

namespace hover_tag {

inline perigee::PlayerInput bot(const perigee::test_bench::Moment& moment) {
  return controls(moment.client, moment.tick);
}

inline perigee::PlayerInput stand(const perigee::test_bench::Moment&) { return {}; }

/// In the world.
inline perigee::Vec3 place_of(const perigee::test_bench::Moment& moment) {
  const perigee::Handle parent = moment.client.prediction().parent();
  const auto frame = moment.client.entities().motion_at(parent, moment.tick);
  return transform(frame ? frame->pose : perigee::Pose{}, moment.motion().position);
}

}  // namespace hover_tag
