// Whoever owns what: the same clients hear of the same things at the same ticks.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "perigee/netcode/hash.hpp"
#include "sky.hpp"

namespace perigee::replication {
namespace {

constexpr Handle things = 400;
constexpr std::uint32_t clients = 6;
constexpr int ticks = 1200;  // twice as long as what rests is not told of

/// Where everything is at a tick, whoever owns it: a third never moves, a third stops for good,
/// some come late and some go.
std::optional<Published> recorded(Handle handle, int tick) {
  if (handle % 10 == 3 && tick < 501) return std::nullopt;
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

using Emitted = std::set<std::tuple<SessionId, Handle, std::uint32_t>>;

/// What all workers together send, if `owner` says whose each thing is.
template <class Owner>
Emitted play(std::size_t workers, Owner owner) {
  struct Worker {
    Sky sky;
    std::vector<Observer> observers = std::vector<Observer>(clients);
    std::vector<Heard> heard = std::vector<Heard>(clients);
  };
  Emitted out;
  std::vector<Worker> all(workers);
  for (std::size_t w = 0; w < workers; ++w) {
    for (std::uint32_t c = 0; c < clients; ++c) all[w].observers[c].session = 1000 + 7 * c;
  }
  for (int tick = 0; tick < ticks; ++tick) {
    for (Worker& worker : all) worker.sky.publication.clear();
    for (Handle handle = 1; handle <= things; ++handle) {
      if (const auto at = recorded(handle, tick)) {
        all[owner(handle)].sky.publication.push_back(*at);
      }
    }
    for (Worker& worker : all) {
      worker.sky.publish();
      for (std::uint32_t c = 0; c < clients; ++c) {
        Observer& observer = worker.observers[c];
        Heard& heard = worker.heard[c];
        observer.position = {200.0 * c - 500 + tick * 0.5, 0, 100.0 * c};
        observer.near_radius_m = 200;  // as the record of its avatar's owner would have it
        heard.records.clear();
        worker.sky.write(observer, heard);
        for (const auto& r : heard.records) {
          out.emplace(observer.session, r.record.handle, worker.sky.now.count);
        }
      }
      ++worker.sky.now;
      EXPECT_EQ(worker.sky.publisher.counters().records_over_limit, 0U);
      EXPECT_EQ(worker.sky.publisher.counters().events_deferred, 0U);
    }
  }
  return out;
}

TEST(Sharding, DoesNotChangeWhoHearsOfWhatAndWhen) {
  const Emitted alone = play(1, [](Handle) { return 0U; });
  EXPECT_GT(alone.size(), 20'000U);
  for (const std::size_t workers : {2U, 4U, 8U}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const Emitted together =
          play(workers, [&](Handle handle) { return mix64(handle, seed) % workers; });
      EXPECT_TRUE(together == alone) << workers << " workers, assignment " << seed << ": "
                                     << together.size() << " updates, alone " << alone.size();
    }
  }
}

}  // namespace
}  // namespace perigee::replication
