// Several observers look at the same things in the same ticks, so looks can end with a comparison
// in TrackHolders. Things move and migrate, observers come and go, blocks are lost: each client has
// tracks that tell where the things are.
#include <gtest/gtest.h>

#include <map>

#include "perigee/base/hash.hpp"
#include "sky.hpp"

namespace perigee::replication {
namespace {

constexpr Handle looked_at = 24;
constexpr std::uint32_t lookers = 4;

struct Looker {
  Observer observer;
  Received received;
  std::map<Handle, SharedTrack> has{};
  std::size_t read = 0, events_read = 0;
  Tick trusted_from;  ///< a loss is repaired by then, and a new observer has been sent everything

  void take() {
    for (; events_read < received.events.size(); ++events_read) {
      const auto* gone = std::get_if<DespawnEvent>(&received.events[events_read].event);
      if (gone != nullptr) has.erase(gone->handle);
    }
    for (; read < received.records.size(); ++read) {
      const auto& r = received.records[read];
      SharedTrack& track = has[r.record.handle];
      if (r.record.heading_only) {
        track.track.rotation = r.record.track.rotation;
        continue;
      }
      track.track = r.record.track;
      track.frame = r.frame;
      track.version = 1;
    }
  }
};

class Lookers : public testing::TestWithParam<std::uint64_t> {
 protected:
  static constexpr std::int32_t repair_ticks = 13;

  Lookers() {
    sky_.restless = [](const Published&) { return false; };
    for (Handle h = 1; h <= looked_at; ++h) add(h);
    for (Looker& each : lookers_) each.trusted_from = sky_.now + repair_ticks;
  }
  void add(Handle handle) {
    Published& added = sky_.add(handle, {handle * 8.0, 0, 0});
    added.radius_m = 1;
    if (handle % 3 == 0) added.resting = true;
    if (handle % 3 == 1) added.turn = TrackTurn::Yaw;
    known_from_[handle] = sky_.now + repair_ticks;
  }
  bool chance(std::uint32_t one_in) { return random_.below(one_in) == 0; }
  Handle any_thing() { return 1 + random_.below(looked_at); }
  Looker& any_looker() { return lookers_[random_.below(lookers)]; }

  void move_things() {
    for (Published& each : sky_.publication) {
      const bool moves = chance(each.resting ? 300 : 60);
      if (each.turn == TrackTurn::Yaw && chance(20)) {
        each.world_rotation = yaw_rotation(random_.between(0, 2 * pi));
      }
      place(each, each.position + Vec3{0, moves ? 0.3 : 0, 0});
    }
    if (!chance(100)) return;
    const Handle handle = any_thing();
    const auto before = sky_.publication.size();
    sky_.remove(handle);
    if (sky_.publication.size() == before) add(handle);
  }
  static void place(Published& thing, const Vec3& at) {
    thing.position = at;
    thing.local = {at, thing.world_rotation};
    thing.bounds = {at, at};
  }
  void replace(Looker& looker) {
    sky_.publisher.forget(looker.observer);
    looker = {};
    looker.trusted_from = sky_.now + repair_ticks;
  }
  /// Into other rings, or where nothing is known.
  void travel(Looker& looker) {
    Vec3& position = looker.observer.position;
    if (position.x > 1000 || chance(8)) {
      position.x = position.x > 1000 ? 0 : 9000;
      looker.trusted_from = sky_.now + repair_ticks;
    } else {
      position.x = random_.between(0, 200);
    }
  }
  /// Its client has lost what it had.
  void send_all_again(Looker& looker) {
    sky_.publisher.send_all_again(looker.observer);
    looker.has.clear();
    looker.trusted_from = sky_.now + repair_ticks;
  }
  /// The thing goes to another worker, and is back at once.
  void lend(Looker& looker, Handle handle) {
    if (!sky_.publisher.knows(looker.observer, handle)) return;
    const TrackVersion has = sky_.publisher.held_by(looker.observer, handle);
    sky_.publisher.let_go(looker.observer, handle);
    sky_.publisher.adopt(looker.observer, handle, has);
  }
  /// As from a worker at which its tracks were replaced in this tick.
  void adopt_newer_tracks(Handle handle) {
    const Published& thing = sky_.at(handle);
    auto tracks = sky_.publisher.tracks_of(handle);
    for (SharedTrack& shared : tracks) {
      const Precision precision = shared.frame.precision;
      shared.frame = frame_of(thing, precision);
      Track track = straight_track(thing, shared.frame, sky_.now);
      track.position = track.position - origin_of(shared.frame);
      track.curve = TrackCurve::Still;
      shared.steps = steps_of(track, precision, thing.radius_m, 0);
      shared.bytes = encode_track(handle, shared.steps);
      shared.track = track_of(shared.steps, precision);
      shared.track.tick = sky_.now;
      shared.version = next_version(shared.version);
    }
    sky_.publisher.adopt_tracks(handle, tracks);
  }
  void write(Looker& looker) {
    const bool arrives = !chance(40);
    sky_.acknowledges = arrives;
    Received lost;
    sky_.write(looker.observer, arrives ? looker.received : lost);
    if (!arrives) looker.trusted_from = sky_.now + repair_ticks;
    looker.take();
  }
  void tick() {
    move_things();
    if (chance(60)) travel(any_looker());
    if (chance(60)) replace(any_looker());
    if (chance(200)) send_all_again(any_looker());
    Published& migrant =
        sky_.publication[random_.below(static_cast<std::uint32_t>(sky_.publication.size()))];
    const bool migrates = chance(20);
    if (migrates) place(migrant, migrant.position + Vec3{0, 0.3, 0});
    sky_.publish();
    if (migrates) adopt_newer_tracks(migrant.handle);
    if (chance(15)) lend(any_looker(), any_thing());
    std::ranges::rotate(lookers_, lookers_.begin() + random_.below(lookers));
    for (Looker& each : lookers_) write(each);
    for (Looker& each : lookers_) expect_told(each);
    ++sky_.now;
  }
  void expect_told(Looker& looker) {
    if (looker.observer.position.x > 1000 || !looker.observer.turn(sky_.now, send_slot_ticks)) {
      return;
    }
    for (const Published& thing : sky_.publication) {
      if (thing.resting) continue;  // it is looked at once a second
      if (before(sky_.now, later_of(looker.trusted_from, known_from_[thing.handle]))) continue;
      ++compared_;
      ASSERT_TRUE(looker.has.contains(thing.handle)) << thing.handle;
      const SharedTrack& has = looker.has[thing.handle];
      const double away_m = distance(thing.position, looker.observer.position);
      const Precision wanted = away_m < 75 ? Precision::Finest : Precision::Fine;
      ASSERT_LE(error_of(has, thing, sky_.now), bound_m(wanted) * 1.0001) << thing.handle;
      ASSERT_TRUE(tells_heading(has, thing)) << thing.handle;
    }
  }

  Random random_{GetParam()};
  Sky sky_;
  std::vector<Looker> lookers_{lookers};
  std::map<Handle, Tick> known_from_;
  int compared_ = 0;
};

TEST_P(Lookers, HaveTracksThatTellWhatTheySee) {
  for (int i = 0; i < 3'000 && !HasFatalFailure(); ++i) tick();
  EXPECT_GT(compared_, 5'000);
}

INSTANTIATE_TEST_SUITE_P(AnySeed, Lookers, testing::Values(1, 1'000'000, 2'000'000));

}  // namespace
}  // namespace perigee::replication
