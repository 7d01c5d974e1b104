// Sharding is invisible: while regions are split and entities and players cross borders, clients
// receive updates of the same entities at the same ticks as with one worker, and never too late.
// (D4)
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/track_bases.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "sanitized.hpp"
#include "second.hpp"
#include "session_bases.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t ships = 8, drones = 96, crew_members = 8;

enum Row : world::TypeId { ship_row, drone_row, person_row };

/// Ships with one player on each, and drones; all on circles at different heights, so that nothing
/// ever touches. Every second drone sways on its way, so that no track tells its place for long.
class Roundabout final : public world::GameModule {
 public:
  Roundabout() : types_(3) {
    const auto box = [](const Vec3& center, const Vec3& half) {
      return world::make_shape({world::Box{.center = center, .half = half}});
    };
    types_[ship_row] = {.name = "ship",
                        .kind = world::EntityKind::Body,
                        .shape = box({0, -0.5, 0}, {8, 0.5, 8}),
                        .mass_kg = 2e6,
                        .size = world::SizeClass::Large,
                        .parent_eligible = true,
                        .gravity = {{0, -9.81, 0}, {{-8, -1, -8}, {8, 4, 8}}}};
    types_[drone_row] = {.name = "drone",
                         .kind = world::EntityKind::Body,
                         .shape = box({}, {0.5, 0.2, 0.5}),
                         .mass_kg = 200,
                         .size = world::SizeClass::Large};
    types_[person_row] = {.name = "person",
                          .kind = world::EntityKind::Actor,
                          .shape = world::actor_shape({}),
                          .size = world::SizeClass::Large};
    for (std::size_t i = 0; i < types_.size(); ++i) types_[i].id = static_cast<world::TypeId>(i);
  }
  std::string_view name() const override { return "roundabout"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  /// Drones are in layers of 4 m, ships between two of those.
  static Vec3 place(std::uint32_t n, Tick tick) {
    Random random(n);
    const bool ship = n < ships;
    const double radius_m = random.between(50, ship ? 400 : 900);
    const double rate = random.between(10, 40) / radius_m * (n % 2 == 0 ? 1 : -1);
    const Vec3 center{random.between(-600, 600), 0, random.between(-600, 600)};
    const SinCos turn = sin_cos(rate * tick.count * seconds_per_tick + n);
    const bool sways = !ship && n % 2 == 0;
    const double sway_m = sways ? 5 * sin_cos(3 * tick.count * seconds_per_tick + n).sin : 0;
    const double height_m = ship ? (n - 0.5 * ships) * 40 + 10 : (n - ships - 0.5 * drones) * 4;
    const double away_m = radius_m + sway_m;
    return center + Vec3{away_m * turn.cos, height_m, away_m * turn.sin};
  }
  static Vec3 velocity(std::uint32_t n, Tick tick) {
    return (place(n, tick + 1) - place(n, tick)) / seconds_per_tick;
  }
  void populate(world::World& world, const world::Bounds&, std::uint32_t spawner) const override {
    for (std::uint32_t n = 0; n < ships + drones; ++n) {
      world.spawn({.id = world::make_entity_id(spawner, Tick{}, n),
                   .type = n < ships ? ship_row : drone_row,
                   .local = {place(n, world.now()), {}},
                   .velocity = velocity(n, world.now())});
    }
  }
  void drive(world::World& world, Tick tick) const override {
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type == person_row || entity.remote) continue;
      world.set_drive(handle, velocity(entity.id.ordinal(), tick), {});
    }
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = person_row, .parent = world.in_order()[ordinal % ships]};
    out.state.position = {0, types_[person_row].actor.height_m / 2 + 0.01, 0};
    return out;
  }

 private:
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
};

struct Stands final : client::InputSampler {
  PlayerInput sample(Tick) override { return {}; }
};

struct Place {
  std::uint32_t tick = 0;
  Vec3 at;
  std::size_t by = 0;  ///< its owner
};

/// The updates that were sent, and the true places.
struct Played {
  using Emitted = std::vector<std::tuple<SessionId, Handle, std::uint32_t>>;
  Roundabout game;
  std::unique_ptr<VirtualCluster> cluster;
  test::SessionBases bases;
  Emitted emitted;  ///< ascending in the end
  struct Received {
    Tick at;
    GroupFrame frame;
    Track track;
  };
  std::map<std::pair<SessionId, Handle>, std::vector<Received>> received;  ///< by tick
  std::map<std::pair<SessionId, Handle>, TrackBases> track_bases;
  std::map<Handle, std::vector<Place>> places;  ///< by tick
  std::map<SessionId, Handle> avatars;
  std::uint64_t migrations = 0;

  explicit Played(std::size_t workers) {
    ClusterOptions options;
    options.workers = 8;
    options.regions = 1;  // all others are split from this one
    options.players = crew_members;
    options.link = *find_link_profile("P0");
    cluster = std::make_unique<VirtualCluster>(
        options, game,
        [](const client::Client&, std::uint64_t) { return std::make_unique<Stands>(); });
    cluster->on_way_to_gateway = [this](std::span<const std::byte> bytes) {
      read(bytes);
      return true;
    };
    cluster->before_tick = [this](worker::Core& core) { look(core); };
    cluster->run_for(8 * second_us);
    sort_updates();
    emitted.clear();
    began = cluster->worker(0).next_tick();
    if (workers > 1) cut_up(workers);
    cluster->run_for(40 * second_us);
    sort_updates();
  }
  /// Each update must have been sent once.
  void sort_updates() {
    std::sort(emitted.begin(), emitted.end());
    for (auto at = emitted.begin(); (at = std::adjacent_find(at, emitted.end())) != emitted.end();
         ++at) {
      const auto& [session, handle, tick] = *at;
      ADD_FAILURE() << handle << " twice at " << tick << " for session " << session;
    }
  }
  /// Splits space into slices along x: nearly all entities cross their borders all the time.
  void cut_up(std::size_t workers) {
    cluster->change_map(
        [&](ClusterMap& map) {
          const RegionEntry whole = map.regions.front();
          map.regions.clear();
          const double width_m = 1600.0 / static_cast<double>(workers);
          for (std::size_t w = 0; w < workers; ++w) {
            RegionEntry slice = whole;
            slice.region = RegionId{whole.region.number + static_cast<std::uint32_t>(w)};
            if (w > 0) slice.created_epoch = Epoch{0};
            if (w > 0) slice.low.x = -800 + width_m * static_cast<double>(w);
            if (w + 1 < workers) slice.high.x = -800 + width_m * static_cast<double>(w + 1);
            slice.owner = WorkerSlot::at(w);
            map.regions.push_back(slice);
          }
        },
        100'000);
  }
  void read(std::span<const std::byte> bytes) {
    struct Records final : BlockVisitor {
      Records(Played& to, SessionId of, std::uint8_t from)
          : bases(to.bases), tracks(to.track_bases), session(of), stream(from) {}
      test::SessionBases& bases;
      std::map<std::pair<SessionId, Handle>, TrackBases>& tracks;
      SessionId session;
      std::uint8_t stream;
      std::vector<std::pair<GroupFrame, TrackRecord>> all;
      void on_own(const OwnSection& own) override { bases.add(session, own); }
      const OwnBasis* own_basis(Tick tick) const override { return bases.find(session, tick); }
      void on_event(Sequence, const WorldEvent&) override {}
      void on_record(const GroupFrame& frame, const TrackRecord& record) override {
        TrackRecord read = record;
        ASSERT_TRUE((tracks[{session, record.handle}].complete(read, frame, stream, 0)))
            << "a difference to what the session has not";
        all.emplace_back(frame, read);
      }
    };
    FabricReader reader(bytes);
    while (const auto type = reader.next()) {
      BlockRecord block;
      if (*type != FabricRecord::Block || !reader.read(block)) continue;
      if (block.block[0] == std::byte{worker_message_kind}) continue;
      Records records(*this, block.session, static_cast<std::uint8_t>(1 + reader.header().slot));
      const auto header = read_block(block.block, records);
      ASSERT_TRUE(header);
      for (const auto& [frame, record] : records.all) {
        emitted.emplace_back(block.session, record.handle, header->tick.count);
        received[{block.session, record.handle}].push_back({header->tick, frame, record.track});
      }
    }
  }
  void look(const worker::Core& core) {
    if (!core.ready()) return;
    std::size_t who = 0;
    while (&cluster->worker(who) != &core) ++who;
    const world::World& world = core.world();
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->remote) continue;
      const auto at = world.pose(handle, core.next_tick());
      if (!at) continue;
      std::vector<Place>& of = places[handle];
      if (!of.empty() && of.back().by != who) ++migrations;
      of.push_back({core.next_tick().count, at->position, who});
    }
    for (const VirtualPlayer& player : cluster->players()) {
      if (const auto* here = core.player_of(player.client_id))
        avatars[here->session] = here->avatar;
    }
  }
  Tick began;  ///< all observers had everything by then
  double error_m(const Received& has, const Place& place) const;
  bool just_moved(Handle thing, std::uint32_t tick) const;
  std::uint64_t late() const;
};

const Place* place_at(const std::vector<Place>& way, std::uint32_t tick) {
  const auto found =
      std::lower_bound(way.begin(), way.end(), tick,
                       [](const Place& place, std::uint32_t t) { return place.tick < t; });
  return found != way.end() && found->tick == tick ? &*found : nullptr;
}

/// Distance of the thing from where the observer's newest track has it; nothing here turns.
double Played::error_m(const Received& has, const Place& place) const {
  const Vec3 told =
      origin_of(has.frame) +
      point_at(has.track, ticks_between(has.track.tick, Tick{place.tick})).pose.position;
  if (has.frame.parent == no_entity) return distance(told, place.at);
  const Place* parent = place_at(places.at(has.frame.parent), place.tick);
  return parent == nullptr ? 0 : distance(parent->at + told, place.at);
}

/// Number of times that an observer's error was beyond the bound of a ring for longer than the
/// ring's period, with both entity and avatar within the ring all the time.
std::uint64_t Played::late() const {
  constexpr InterestRings rings;
  // The ring follows from places of up to 4 ticks ago, and from the observer's record.
  constexpr double unsure_m = 10;
  std::uint64_t late = 0;
  for (const auto& [session, avatar] : avatars) {
    const std::vector<Place>& from = places.at(avatar);
    for (const auto& [thing, way] : places) {
      const auto tracks = received.find({session, thing});
      if (thing == avatar) continue;
      std::array<std::int32_t, interest_rings> within{};
      std::size_t has = 0;
      for (const Place& place : way) {
        const Place* eye = place_at(from, place.tick);
        if (place.tick < began.count || eye == nullptr) continue;
        const std::size_t known = tracks == received.end() ? 0 : tracks->second.size();
        while (has < known && not_after(tracks->second[has].at, Tick{place.tick})) ++has;
        const double off_m = has == 0 ? 1e9 : error_m(tracks->second[has - 1], place);
        for (std::size_t ring = 0; ring < interest_rings; ++ring) {
          const bool in = distance(place.at, eye->at) <= rings.radius_m[ring] - unsure_m;
          const bool told = off_m <= bound_m(static_cast<Precision>(ring));
          within[ring] = told || !in ? 0 : within[ring] + 1;
          if (within[ring] <= InterestRings::period_ticks[ring]) continue;
          ++late;
          within[ring] = 0;
        }
      }
    }
  }
  return late;
}

/// Whether the thing had changed its owner shortly before: its new owner sends again what the
/// observer had not acknowledged yet, at its next look.
bool Played::just_moved(Handle thing, std::uint32_t tick) const {
  constexpr std::uint32_t again_ticks = 30 + InterestRings::period_ticks.back();
  const std::vector<Place>& way = places.at(thing);
  const Place* now = place_at(way, tick);
  const Place* then = place_at(way, tick - again_ticks);
  if (now == nullptr || then == nullptr) return false;
  return std::any_of(then, now + 1, [&](const Place& place) { return place.by != now->by; });
}

TEST(Sharding, LeavesEverybodyWithTheSameNewsAtTheSameTicks) {
  const Played alone(1);
  ASSERT_EQ(alone.avatars.size(), crew_members);
  ASSERT_GT(alone.emitted.size(), 20'000U);
  EXPECT_EQ(alone.migrations, 0U);
  EXPECT_EQ(alone.late(), 0U);
  for (const std::size_t workers : {2U, 4U, 8U}) {
    if (shortened() && workers != 4) continue;
    const Played together(workers);
    EXPECT_GT(together.migrations, 100U);
    EXPECT_EQ(together.late(), 0U) << workers << " workers";
    std::printf("%zu workers: %zu records, %llu migrations\n", workers, together.emitted.size(),
                static_cast<unsigned long long>(together.migrations));
    Played::Emitted missing, more;
    std::set_difference(alone.emitted.begin(), alone.emitted.end(), together.emitted.begin(),
                        together.emitted.end(), std::back_inserter(missing));
    std::set_difference(together.emitted.begin(), together.emitted.end(), alone.emitted.begin(),
                        alone.emitted.end(), std::back_inserter(more));
    std::printf("  %zu sent again by a new owner\n", more.size());
    EXPECT_TRUE(missing.empty()) << missing.size() << " of " << alone.emitted.size();
    const auto unexplained = std::count_if(more.begin(), more.end(), [&](const auto& one) {
      return !together.just_moved(std::get<1>(one), std::get<2>(one));
    });
    EXPECT_EQ(unexplained, 0);
  }
}

}  // namespace
}  // namespace perigee::lab
