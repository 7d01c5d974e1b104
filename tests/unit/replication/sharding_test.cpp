// With any distribution of owners: the same clients receive updates of the same entities at the
// same ticks, including entities that change owners meanwhile. A new owner may repeat the track
// that a client has, once.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "perigee/base/hash.hpp"
#include "sanitized.hpp"
#include "sky.hpp"

namespace perigee::replication {
namespace {

constexpr Handle things = 400;
constexpr std::uint32_t clients = 6;
constexpr int ticks = 1200;  // twice the interval at which resting entities are sent
constexpr std::uint32_t begin_tick = 1200;
// As with records of observers: 5 Hz, in force 6 ticks later.
constexpr std::int32_t record_ticks = 12, delay_ticks = 6;

constexpr int comes_at = 501;
bool comes_late(Handle handle) { return handle % 10 == 3; }

/// State of all entities at a tick, independent of the owner: a third never moves, a third stops
/// for good, some spawn late and some despawn.
std::optional<Published> recorded(Handle handle, int tick) {
  if (tick < 0 || (comes_late(handle) && tick < comes_at)) return std::nullopt;
  if (handle % 10 == 7 && tick > 702) return std::nullopt;
  Random random(handle);
  const auto axis = [&](double m) { return random.between(-m, m); };
  const Vec3 from{axis(1500), axis(50), axis(1500)}, velocity{axis(100), 0, axis(100)};
  const int moving_ticks = handle % 3 == 0   ? 0
                           : handle % 3 == 1 ? 150 + static_cast<int>(handle)
                                             : ticks;
  Published out =
      thing(handle, from + velocity * (std::min(tick, moving_ticks) * seconds_per_tick));
  out.resting = tick >= moving_ticks;
  return out;
}

ReplicationSettings settings() {
  ReplicationSettings out;
  out.near_max = 12;  // so that not all entities fit, and the publisher has to choose
  out.client_budget_bytes_per_s = 6'000;
  return out;
}

using Emitted = std::set<std::tuple<SessionId, Handle, std::uint32_t>>;
/// Owner of an entity at a tick.
using Owner = std::function<std::size_t(Handle, int tick)>;

struct Client {
  Choice chosen, in_force{.near_m = 300};
  Tally tally;
  std::map<Handle, std::pair<Tick, Precision>> has;  ///< the newest track of each entity
  std::set<Handle> adopted;  ///< entities without a record of their new owner
};

struct Worker {
  Sky sky{settings()};
  std::vector<Observer> observers = std::vector<Observer>(clients);
  std::vector<Received> received = std::vector<Received>(clients);

  Worker() {
    sky.publisher.was_at = [](Handle handle, Tick tick) -> std::optional<PastPlace> {
      const auto then = recorded(handle, static_cast<int>(tick.count - begin_tick));
      if (!then) return std::nullopt;
      return PastPlace{then->bounds, then->resting};
    };
    // Of the others the tracks tell where they will be.
    sky.restless = [](const Published& p) { return !p.resting && p.handle % 4 != 0; };
    for (std::uint32_t c = 0; c < clients; ++c) observers[c].session = 1000 + 7 * c;
  }
};

struct Cluster {
  std::vector<Worker> workers;
  std::vector<Client> clients_of = std::vector<Client>(clients);
  Emitted emitted;
  int migrations = 0, repeated = 0;
  float stretch_max = 1, near_min_m = 300;

  explicit Cluster(std::size_t count) : workers(count) {}

  /// Places each entity at its owner, and passes on which clients know it.
  void place(const Owner& owner, int tick) {
    struct Known {
      std::size_t worker;
      std::uint32_t client;
      Handle handle;
      TrackVersion has;
    };
    std::vector<Known> known;
    std::map<Handle, std::pair<std::size_t, std::vector<SharedTrack>>> tracks;
    for (Worker& worker : workers) worker.sky.publication.clear();
    for (Handle handle = 1; handle <= things; ++handle) {
      const auto at = recorded(handle, tick);
      if (!at) continue;
      const std::size_t now = owner(handle, tick);
      workers[now].sky.publication.push_back(*at);
      const std::size_t before = owner(handle, tick - 1);
      if (tick == 0 || before == now || !recorded(handle, tick - 1)) continue;
      ++migrations;
      tracks[handle] = {now, workers[before].sky.publisher.tracks_of(handle)};
      for (std::uint32_t c = 0; c < clients; ++c) {
        Publisher& from = workers[before].sky.publisher;
        if (!from.knows(workers[before].observers[c], handle)) continue;
        const TrackVersion has = from.held_by(workers[before].observers[c], handle);
        from.let_go(workers[before].observers[c], handle);
        known.push_back({now, c, handle, has});
      }
    }
    for (Worker& worker : workers) worker.sky.publish();
    for (const auto& [handle, of] : tracks) {
      workers[of.first].sky.publisher.adopt_tracks(handle, of.second);
    }
    for (const auto& [w, c, handle, has] : known) {
      workers[w].sky.publisher.adopt(workers[w].observers[c], handle, has);
      if (has.version != 0) clients_of[c].adopted.insert(handle);
    }
  }
  /// The new owner of an entity names itself by the track that the client has.
  static bool repeats(Client& client, const Received::Record& received) {
    const TrackRecord& record = received.record;
    const bool first = client.adopted.erase(record.handle) > 0;
    const std::pair now{record.track.tick, received.frame.precision};
    const auto [known, is_new] = client.has.emplace(record.handle, now);
    const bool same = !is_new && !record.heading_only && known->second == now;
    if (!record.heading_only) known->second = now;
    return first && same;
  }
  /// Chooses as the avatar's owner does: by the sum of all tallies of the last period; in force
  /// once all workers have the record.
  void choose(std::uint32_t c, Tick now) {
    Client& client = clients_of[c];
    const Observer& any = workers[0].observers[c];
    if (any.turn(now - record_ticks, choice_ticks)) {
      client.chosen = workers[0].sky.publisher.choose(client.in_force, client.tally, {});
      client.tally = {};
    }
    if (any.turn(now - record_ticks - delay_ticks, choice_ticks)) client.in_force = client.chosen;
    stretch_max = std::max(stretch_max, client.in_force.stretch);
    near_min_m = std::min(near_min_m, client.in_force.near_m);
  }
  void serve(std::uint32_t c, int tick) {
    const Tick now = workers[0].sky.now;
    choose(c, now);
    for (Worker& worker : workers) {
      Observer& observer = worker.observers[c];
      Received& received = worker.received[c];
      observer.position = {200.0 * c - 500 + tick * 0.5, 0, 100.0 * c};
      observer.stretch = clients_of[c].in_force.stretch;
      observer.near_radius_m = clients_of[c].in_force.near_m;
      received.records.clear();
      worker.sky.write(observer, received);
      for (const auto& r : received.records) {
        if (repeats(clients_of[c], r)) {
          ++repeated;
          continue;
        }
        const bool once = emitted.emplace(observer.session, r.record.handle, now.count).second;
        EXPECT_TRUE(once) << "twice: " << r.record.handle << " at " << now.count;
      }
      if (!observer.turn(now, choice_ticks)) continue;
      const Tally ours = worker.sky.publisher.take_tally(observer);
      clients_of[c].tally.bytes += ours.bytes;
      for (std::size_t i = 0; i < ours.within.size(); ++i) {
        clients_of[c].tally.within[i] += ours.within[i];
      }
    }
  }
};

Cluster play(std::size_t workers, const Owner& owner) {
  Cluster cluster(workers);
  for (int tick = 0; tick < ticks; ++tick) {
    cluster.place(owner, tick);
    for (std::uint32_t c = 0; c < clients; ++c) cluster.serve(c, tick);
    for (Worker& worker : cluster.workers) ++worker.sky.now;
  }
  for (const Worker& worker : cluster.workers) {
    EXPECT_EQ(worker.sky.publisher.counters().records_over_limit, 0U);
    EXPECT_EQ(worker.sky.publisher.counters().events_deferred, 0U);
  }
  return cluster;
}

void expect_same(const Cluster& alone, const Cluster& together, std::uint64_t seed) {
  std::vector<std::tuple<SessionId, Handle, std::uint32_t>> differ;
  std::set_symmetric_difference(alone.emitted.begin(), alone.emitted.end(),
                                together.emitted.begin(), together.emitted.end(),
                                std::back_inserter(differ));
  EXPECT_TRUE(differ.empty()) << together.workers.size() << " workers, assignment " << seed << ": "
                              << differ.size() << " of " << alone.emitted.size() << " differ, "
                              << (differ.empty() ? 0 : std::get<1>(differ.front())) << " at "
                              << (differ.empty() ? 0 : std::get<2>(differ.front()));
}

TEST(Sharding, DoesNotChangeWhoReceivesWhatAndWhen) {
  const Cluster alone = play(1, [](Handle, int) { return 0U; });
  EXPECT_GT(alone.emitted.size(), 20'000U);
  EXPECT_GT(alone.stretch_max, 1.2F) << "nothing had to be chosen";
  EXPECT_LT(alone.near_min_m, 300.0F);
  for (const std::size_t workers : {2U, 4U, 8U}) {
    for (std::uint64_t seed = 1; seed <= seeds_of(2); ++seed) {
      expect_same(alone,
                  play(workers, [&](Handle handle, int) { return mix64(handle, seed) % workers; }),
                  seed);
    }
  }
}

TEST(Sharding, DoesNotShowWhenThingsChangeHands) {
  const Cluster alone = play(1, [](Handle, int) { return 0U; });
  for (const std::size_t workers : {2U, 4U, 8U}) {
    // Each entity migrates at its own times, at any tick of a slot; none migrates in the tick of
    // its spawn.
    const Cluster together = play(workers, [&](Handle handle, int tick) {
      const int at = std::max(tick, (comes_late(handle) ? comes_at : 0) + 6);
      const auto turn = static_cast<std::uint64_t>(at + static_cast<int>(handle) * 13) / 67;
      return mix64(handle, turn) % workers;
    });
    EXPECT_GT(together.migrations, 2'000);
    EXPECT_GT(together.repeated, 100) << "every owner names itself";
    expect_same(alone, together, 0);
  }
}

}  // namespace
}  // namespace perigee::replication
