// bench_bytes: bytes on the wire for one client that is shown the 250 rigid bodies of the stage
// of asteroids, and the errors that it sees; in that scene KinematicSoup measured six other
// frameworks.
#include <cmath>
#include <string>
#include <vector>

#include "bench/common/suite.hpp"
#include "counts.hpp"
#include "perigee/replication/publisher.hpp"
#include "perigee/skiff/skiff.hpp"
#include "viewer.hpp"

namespace perigee::bench {
namespace {

/// For the publisher: its bound for a rotation is that of a point at this distance. A rotation that
/// moves this point by 1 cm changes a component of the quaternion by 0.001.
constexpr double rotation_radius_m = 5;

struct Case {
  std::string suffix;
  double spin_damping_per_s = 0;
  double loss = 0;
};

/// Published with the scene (the README of UnityNetworkTransformBenchmark): all bytes that a client
/// receives in a second, over at least two minutes. That of Reactor is with TCP; with UDP it is 20.
struct Framework {
  const char* name;
  double wire_kb_s;
};
constexpr Framework others[]{{"reactor_1_1", 15},   {"purrnet_1_14", 100}, {"fishnet_4_6", 103},
                             {"fusion_2_0_6", 112}, {"mirror_96", 122},    {"ngo_2_4", 185}};

class Play {
 public:
  explicit Play(const Case& with)
      : game_({.stage = skiff::Stage::Asteroids,
               .asteroid_spin_damping_per_s = with.spin_damping_per_s}),
        world_({.types = game_.types(), .parenting = game_.parenting()}),
        down_(with.loss, 1),
        up_(with.loss, 2) {
    publisher_.past_of = [this](Handle handle, Tick tick, Handle) {
      const auto motion = world_.motion(handle, tick);
      return motion ? std::optional(replication::PastMotion{motion->pose.position, motion->velocity,
                                                            motion->pose.rotation,
                                                            motion->angular_velocity})
                    : std::nullopt;
    };
    game_.populate(world_, skiff::whole_world, 1);
  }

  void tick(bool measured) {
    game_.drive(world_, world_.now());
    world_.step_bodies(world_.now());
    publish(measured);
    while (const auto block = down_.receive(world_.now())) viewer_.on_block(*block);
    if (const auto frame = viewer_.acknowledgement()) up_.send(world_.now(), *frame);
    while (const auto frame = up_.receive(world_.now())) observer_.acknowledge(*frame);
    viewer_.look(world_.now());
    if (measured) compare();
  }

  Wire wire;
  Errors errors;
  std::int64_t publisher_ns = 0;
  std::size_t malformed() const { return viewer_.malformed(); }
  const replication::Publisher::Counters& counters() const { return publisher_.counters(); }

 private:
  replication::Published published(const world::Entity& entity, const Motion& motion,
                                   const world::Bounds& bounds) const {
    const world::EntityType& type = world_.type_of(entity);
    replication::Published out;
    out.identity = entity.id.bits;
    out.handle = entity.handle;
    out.type = entity.type;
    out.streams = type.kind == world::EntityKind::Body;
    out.radius_m = rotation_radius_m;
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

  void publish(bool measured) {
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

  void choose() {
    const replication::Choice choice = publisher_.choose(
        {observer_.stretch, observer_.near_radius_m}, publisher_.take_tally(observer_), {});
    observer_.stretch = choice.stretch;
    observer_.near_radius_m = choice.near_m;
  }

  void compare() {
    const double view = viewer_.view_ticks();
    const double whole = std::floor(view);
    const Tick tick = world_.now() + static_cast<std::int32_t>(whole);
    for (const Handle handle : world_.in_order()) {
      if (world_.find(handle)->type == skiff::planetoid_row) continue;
      const auto a = world_.pose(handle, tick), b = world_.pose(handle, tick + 1);
      const auto shown = viewer_.drawn(handle);
      PERIGEE_ASSERT(a && b && shown, "all bodies are known");
      errors.add(*shown, {lerp(a->position, b->position, view - whole),
                          slerp(a->rotation, b->rotation, view - whole)});
    }
  }

  skiff::Skiff game_;
  world::World world_;
  replication::Publisher publisher_{{}, 1024};
  replication::Observer observer_;
  Viewer viewer_{game_.types()};
  Link<std::vector<std::byte>> down_;
  Link<AcknowledgeFrame> up_;
  std::vector<replication::Published> changed_;
};

/// Sizes and rates of what was sent while measured.
void report_bytes(const Play& play, const replication::Publisher::Counters& before, double s,
                  const std::string& suffix, Figures& figures) {
  const auto& after = play.counters();
  const auto records = static_cast<double>(after.records - before.records);
  const auto block_bits = 8 * static_cast<double>(after.bytes - before.bytes);
  const auto per_s = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / s * 1e-3; };
  figures.add("looks_per_s" + suffix, static_cast<double>(after.looks - before.looks) / s, "1/s");
  figures.add("updates_per_s" + suffix, records / s, "1/s");
  figures.add("bits_per_record" + suffix, block_bits / records, "bit");
  figures.add("payload_kb_s" + suffix, per_s(play.wire.payload_bytes()), "kB/s");
  figures.add("wire_kb_s" + suffix, per_s(play.wire.bytes()), "kB/s");
}

void report_errors(Errors& errors, const std::string& suffix, Figures& figures) {
  // Four digits of a share near 1 would not tell anything.
  const auto beyond = [&](std::uint64_t within) { return 100 * (1 - errors.share(within)); };
  figures.add("within_share" + suffix, errors.share(errors.within), "");
  figures.add("beyond_percent" + suffix, beyond(errors.within), "%");
  figures.add("beyond_position_percent" + suffix, beyond(errors.within_position), "%");
  figures.add("beyond_rotation_percent" + suffix, beyond(errors.within_rotation), "%");
  figures.add("error_p50_mm" + suffix, 1e3 * percentile(errors.position_m, 0.5), "mm");
  figures.add("error_p99_mm" + suffix, 1e3 * percentile(errors.position_m, 0.99), "mm");
  figures.add("error_p999_mm" + suffix, 1e3 * percentile(errors.position_m, 0.999), "mm");
  figures.add("error_p99_rotation_e3" + suffix, 1e3 * percentile(errors.rotation, 0.99), "1e-3");
}

Result<Ok> measure(const Run& run, const Case& with, Figures& figures) {
  print_progress("damping " + std::to_string(with.spin_damping_per_s) + ", loss " +
                 std::to_string(with.loss));
  Play play(with);
  constexpr int known_ticks = 300;  // by then, the client knows all bodies
  const int ticks = run.quick ? 300 : 7'200, early_ticks = ticks / 4;
  for (int i = 0; i < known_ticks; ++i) play.tick(false);
  const auto before = play.counters();
  for (int i = 0; i < ticks; ++i) {
    play.tick(true);
    if (i + 1 != early_ticks) continue;
    figures.add("wire_kb_s_first_quarter" + with.suffix,
                static_cast<double>(play.wire.bytes()) / (early_ticks * seconds_per_tick) * 1e-3,
                "kB/s");
  }
  if (play.malformed() > 0) return Error{"the client could not read a block"};
  report_bytes(play, before, ticks * seconds_per_tick, with.suffix, figures);
  report_errors(play.errors, with.suffix, figures);
  figures.add("publisher_us_tick" + with.suffix,
              static_cast<double>(play.publisher_ns) * 1e-3 / ticks, "us");
  return Ok{};
}

Result<Ok> bytes_suite(const Run& run, Figures& figures) {
  const Case cases[]{{"", 0.05, 0},
                     {"_1pct_loss", 0.05, 0.01},
                     {"_undamped", 0, 0},
                     {"_undamped_1pct_loss", 0, 0.01}};
  for (const Case& with : cases) {
    if (const auto done = measure(run, with, figures); !done) return done;
  }
  for (const Framework& other : others) {
    figures.add(std::string("wire_kb_s_published_") + other.name, other.wire_kb_s, "kB/s");
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("bytes", argc, argv, perigee::bench::bytes_suite);
}
