/// A post with a state, and what a test does with it.
#pragma once

#include "fixture.hpp"

namespace perigee::worker {

/// A test's wish to count at a post.
inline constexpr std::uint8_t tally_wish = test::first_aimless_wish;

inline world::GameState post_state(const test::Post& post) {
  world::GameState out;
  out.as<test::Post>() = post;
  return out;
}
inline test::Post post_of(const Core& core, Handle thing) {
  const world::ThingState* state = core.world().state(thing);
  EXPECT_NE(state, nullptr);
  return state != nullptr ? state->value.as<test::Post>() : test::Post{};
}

/// A yard with one post, which the test's server logic changes.
struct OnePost {
  test::YardMischief mischief;
  test::YardOptions options;
  Handle post = no_entity;
  std::function<void(world::ThinkContext&)> think;

  explicit OnePost(const test::YardOptions& with = {}, const Vec3& at = {0, 0, 5}) : options(with) {
    mischief.populate = [at](world::World& world, std::uint32_t spawner) {
      test::Yard::spawn_post(world, spawner, 0, at);
    };
    mischief.think = [this](world::ThinkContext& context) {
      if (post == no_entity) post = test::Yard::handle_of(context.world(), test::pillar_row);
      if (think) think(context);
    };
    options.mischief = &mischief;
  }
};

}  // namespace perigee::worker
