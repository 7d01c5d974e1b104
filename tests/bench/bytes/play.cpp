#include "play.hpp"

#include <optional>
#include <utility>

#include "bench/common/measure.hpp"

namespace perigee::bench {

Play::Play(Scene& scene, double loss, const replication::ReplicationSettings& settings)
    : scene_(scene),
      world_({.types = scene.types(), .parenting = scene.parenting()}),
      publisher_(settings, 1024),
      viewer_(scene.types()),
      down_(loss, 1),
      up_(loss, 2) {
  publisher_.past_of = [this](Handle handle, Tick tick, Handle) {
    const auto motion = world_.motion(handle, tick);
    return motion
               ? std::optional(replication::PastMotion{motion->pose.position, motion->velocity,
                                                       motion->pose.rotation,
                                                       motion->angular_velocity})
               : std::nullopt;
  };
  scene_.populate(world_);
}

void Play::tick(bool measured) {
  scene_.drive(world_);
  world_.step_bodies(world_.now());
  publish(measured);
  while (const auto block = down_.receive(world_.now())) viewer_.on_block(*block);
  if (const auto frame = viewer_.acknowledgement()) up_.send(world_.now(), *frame);
  while (const auto frame = up_.receive(world_.now())) observer_.acknowledge(*frame);
  viewer_.look(world_.now());
  if (measured) compare();
}

replication::Published Play::published(const world::Entity& entity, const Motion& motion,
                                       const world::Bounds& bounds) const {
  const world::EntityType& type = world_.type_of(entity);
  replication::Published out;
  out.identity = entity.id.bits;
  out.handle = entity.handle;
  out.type = entity.type;
  out.streams = type.kind == world::EntityKind::Body;
  out.radius_m = scene_.radius_m(type);
  out.spin_damping_per_s = type.spin_damping_per_s;
  out.local = motion.pose;
  out.velocity = out.world_velocity = motion.velocity;
  out.angular_velocity = out.world_angular_velocity = motion.angular_velocity;
  out.position = motion.pose.position;
  out.world_rotation = motion.pose.rotation;
  out.bounds = bounds;
  out.visible_m = world::visible_m(type.size);
  return out;
}

void Play::publish(bool measured) {
  const Tick now = world_.now();
  changed_.clear();
  world_.take_news(
      [&](const world::Entity& entity, const Motion& motion, const world::Bounds& bounds) {
        changed_.push_back(published(entity, motion, bounds));
      },
      [](Handle) {});
  std::vector<std::vector<std::byte>> blocks;
  const std::int64_t begin_ns = thread_time_ns();
  publisher_.begin(now);
  for (const replication::Published& entity : changed_) publisher_.put(entity);
  publisher_.finish();
  BlockHeader header;
  header.tick = now;
  if (publisher_.serves(observer_)) {
    publisher_.write_blocks(observer_, header, nullptr,
                            [&](SessionId, std::uint8_t, std::span<const std::byte> bytes) {
                              blocks.emplace_back(bytes.begin(), bytes.end());
                            });
  }
  if (measured) {
    publisher_ns += thread_time_ns() - begin_ns;
    wire.add(blocks);
  }
  for (auto& block : blocks) down_.send(now, std::move(block));
  if (observer_.turn(now, replication::choice_ticks)) choose();
}

void Play::choose() {
  const replication::Choice choice = publisher_.choose(
      {observer_.stretch, observer_.near_radius_m}, publisher_.take_tally(observer_), {});
  observer_.stretch = choice.stretch;
  observer_.near_radius_m = choice.near_m;
}

void Play::compare() {
  const double view = viewer_.view_ticks();
  const double whole = std::floor(view);
  const Tick tick = world_.now() + static_cast<std::int32_t>(whole);
  for (const Handle handle : world_.in_order()) {
    if (!scene_.is_sample(world_, *world_.find(handle), tick)) continue;
    const auto a = world_.pose(handle, tick), b = world_.pose(handle, tick + 1);
    const auto shown = viewer_.drawn(handle);
    PERIGEE_ASSERT(a && b && shown, "all bodies are known");
    errors.add(*shown, {lerp(a->position, b->position, view - whole),
                        slerp(a->rotation, b->rotation, view - whole)});
  }
}

}  // namespace perigee::bench
