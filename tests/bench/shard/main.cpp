// bench_shard: the cost of replicating a world that several workers share to clients, compared with
// one worker that owns all of it: the same entities on the same paths, the same records in the end.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "bench/common/suite.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/replication/publisher.hpp"

namespace perigee::bench {
namespace {

using namespace replication;

constexpr double half_m = 5'000;
constexpr double reach_m = 3'000 + 200;  // a worker serves observers this near to its regions
constexpr double beyond_m = 32;          // entities migrate this far into another region
constexpr std::uint32_t moving_share = 5;

struct Plan {
  std::uint32_t things = 100'000, observers = 200;
};

/// Recorded paths: to and fro between the world's edges. One entity in five moves.
class Ways {
 public:
  explicit Ways(const Plan& plan) : starts_(plan.things) {
    Random random(7);
    const auto within = [&](double m) { return random.between(-m, m); };
    for (Start& start : starts_) {
      start.from = {within(half_m), within(50), within(half_m)};
      start.velocity = {within(25), 0, within(25)};
    }
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size()); }
  static bool moves(std::uint32_t thing) { return thing % moving_share == 0; }
  Vec3 at(std::uint32_t thing, Tick tick) const {
    const Start& start = starts_[thing];
    if (!moves(thing)) return start.from;
    const double s = tick.count * seconds_per_tick;
    return {folded(start.from.x + start.velocity.x * s), start.from.y,
            folded(start.from.z + start.velocity.z * s)};
  }
  Vec3 velocity(std::uint32_t thing, Tick tick) const {
    return (at(thing, tick + 1) - at(thing, tick)) / seconds_per_tick;
  }
  /// Most are small: a client knows some 2,000 of them.
  static double visible_m(std::uint32_t thing) {
    const std::uint64_t of_20 = mix64(thing) % 20;
    return of_20 == 0 ? 3'000 : of_20 < 6 ? 1'000 : 300;
  }

 private:
  struct Start {
    Vec3 from, velocity;
  };
  static double folded(double at_m) {
    const double all_m = 4 * half_m;
    double on_m = at_m + half_m;
    on_m -= all_m * static_cast<double>(static_cast<std::int64_t>(on_m / all_m) - (on_m < 0));
    return (on_m < 2 * half_m ? on_m : all_m - on_m) - half_m;
  }
  std::vector<Start> starts_;
};

struct Cost {
  std::int64_t gather_ns = 0, tell_ns = 0;
  std::uint64_t served = 0, records = 0;
};

/// Blocks are kept while the clock runs, and acknowledged after it has been stopped.
struct SentBlocks : BlockVisitor {
  std::vector<std::pair<std::uint32_t, std::vector<std::byte>>> blocks;  ///< by observer
  AckWindow events;
  void on_own(const OwnSection&) override {}
  void on_event(Sequence sequence, const WorldEvent&) override { events.mark(sequence); }
  void on_record(const GroupFrame&, const TrackRecord&) override {}
};

/// Workers that share the world in boxes.
class Shards {
 public:
  Shards(const Ways& ways, const Plan& plan, std::uint32_t workers)
      : ways_(ways),
        owners_(ways.size()),
        watching_from_(plan.observers),
        chosen_(plan.observers),
        tallies_(plan.observers) {
    for (std::uint32_t w = 0; w < workers; ++w) {
      const std::size_t room = ways.size() / workers * 5 / 4 + 1'000;
      workers_.push_back(std::make_unique<Worker>(room, plan.observers, box(w, workers)));
      workers_[w]->publisher.was_at = [this](Handle handle, Tick tick) {
        return std::optional(PastPlace{bounds_of(handle - 1, tick), !Ways::moves(handle - 1)});
      };
    }
    for (std::uint32_t thing = 0; thing < ways.size(); ++thing) {
      owners_[thing] = owner_at(ways.at(thing, now_), 0);
    }
  }
  Cost tick() {
    Cost cost;
    migrate();
    publish();
    const std::int64_t begin = thread_time_ns();
    for (std::uint32_t w = 0; w < workers_.size(); ++w) gather(w);
    const std::int64_t gathered = thread_time_ns();
    for (auto& worker : workers_) send(*worker, cost);
    cost.gather_ns = gathered - begin;
    cost.tell_ns = thread_time_ns() - gathered;
    for (auto& worker : workers_) acknowledge(*worker);
    choose();
    ++now_;
    return cost;
  }
  std::uint64_t records() const {
    std::uint64_t out = 0;
    for (const auto& worker : workers_) out += worker->publisher.counters().records;
    return out;
  }

 private:
  struct Worker {
    Publisher publisher;
    std::vector<Observer> observers;
    std::vector<SentBlocks> sent;
    world::Bounds region;
    std::vector<Published> published;  ///< in this tick
    Worker(std::size_t room, std::uint32_t watching, const world::Bounds& of)
        : publisher({}, room), observers(watching), sent(watching), region(of) {
      for (std::uint32_t o = 0; o < watching; ++o) observers[o].session = o + 1;
    }
  };
  /// Halves along x, then along z, then along x again.
  static world::Bounds box(std::uint32_t w, std::uint32_t workers) {
    const std::uint32_t columns = workers <= 2 ? workers : workers / 2;
    const std::uint32_t lines = workers / columns;
    const double wide_m = 2 * half_m / columns, deep_m = 2 * half_m / lines;
    const Vec3 low{-half_m + wide_m * (w % columns), -1e3, -half_m + deep_m * (w / columns)};
    return {low, low + Vec3{wide_m, 2e3, deep_m}};
  }
  static world::Bounds around(const Vec3& at) { return {at - Vec3{1, 1, 1}, at + Vec3{1, 1, 1}}; }
  world::Bounds bounds_of(std::uint32_t thing, Tick tick) const {
    return around(ways_.at(thing, tick));
  }
  std::uint8_t owner_at(const Vec3& at, std::uint8_t so_far) const {
    if (distance_to(workers_[so_far]->region, at) <= beyond_m && now_ != start) return so_far;
    for (std::uint8_t w = 0; w < workers_.size(); ++w) {
      if (distance_to(workers_[w]->region, at) == 0) return w;
    }
    return so_far;
  }
  Published published(std::uint32_t thing) const {
    Published out;
    out.identity = std::uint64_t{thing + 1} * 7919;
    out.handle = thing + 1;
    out.streams = true;
    out.local.position = out.position = ways_.at(thing, now_);
    out.velocity = out.world_velocity = ways_.velocity(thing, now_);
    out.resting = !Ways::moves(thing);
    out.visible_m = Ways::visible_m(thing);
    out.bounds = around(out.position);
    return out;
  }
  // Not measured: a migration costs more than this elsewhere.
  void migrate() {
    known_.clear();
    for (std::uint32_t thing = 0; thing < ways_.size(); thing += moving_share) {
      const std::uint8_t before = owners_[thing];
      const std::uint8_t after = owner_at(ways_.at(thing, now_), before);
      owners_[thing] = after;
      if (after == before || now_ == start) continue;
      for (std::uint32_t o = 0; o < chosen_.size(); ++o) {
        Worker& from = *workers_[before];
        if (!from.publisher.knows(from.observers[o], thing + 1)) continue;
        const TrackVersion has = from.publisher.held_by(from.observers[o], thing + 1);
        from.publisher.let_go(from.observers[o], thing + 1);
        known_.push_back({after, o, thing + 1, has});
      }
      auto tracks = workers_[before]->publisher.tracks_of(thing + 1);
      leaving_.push_back({before, after, thing + 1, std::move(tracks)});
    }
  }
  // Not measured: reading the paths from all over memory costs as much as the index, and a real
  // worker does not do it.
  void publish() {
    for (auto& worker : workers_) worker->published.clear();
    const auto add = [&](std::uint32_t thing) {
      workers_[owners_[thing]]->published.push_back(published(thing));
    };
    for (std::uint32_t thing = 0; thing < ways_.size(); thing += moving_share) add(thing);
    for (std::uint32_t thing = 0; now_ == start && thing < ways_.size(); ++thing) {
      if (!Ways::moves(thing)) add(thing);
    }
    for (std::uint32_t o = 0; o < watching_from_.size(); ++o) {
      watching_from_[o] = ways_.at(o * moving_share, now_);
    }
  }
  void gather(std::uint32_t w) {
    Worker& worker = *workers_[w];
    worker.publisher.begin(now_);
    for (const Leaving& one : leaving_) {
      if (one.from == w) worker.publisher.remove(one.handle);
    }
    for (const Published& entity : worker.published) worker.publisher.put(entity);
    worker.publisher.finish();
    for (const Leaving& one : leaving_) {
      if (one.to == w) worker.publisher.adopt_tracks(one.handle, one.tracks);
    }
    for (const Known& known : known_) {
      if (known.by != w) continue;
      worker.publisher.adopt(worker.observers[known.observer], known.handle, known.has);
    }
    if (w + 1 == workers_.size()) leaving_.clear();
  }
  void send(Worker& worker, Cost& cost) {
    BlockHeader header;
    header.tick = now_;
    for (std::uint32_t o = 0; o < worker.observers.size(); ++o) {
      Observer& observer = worker.observers[o];
      if (!worker.publisher.serves(observer)) continue;
      observer.position = watching_from_[o];
      if (distance_to(worker.region, observer.position) > reach_m) continue;
      observer.stretch = chosen_[o].stretch;
      observer.near_radius_m = chosen_[o].near_m;
      worker.publisher.write_blocks(observer, header, nullptr,
                                    [&](SessionId, std::uint8_t, std::span<const std::byte> bytes) {
                                      worker.sent[o].blocks.emplace_back(
                                          o, std::vector(bytes.begin(), bytes.end()));
                                    });
      if (observer.turn(now_, choice_ticks)) {
        const Tally ours = worker.publisher.take_tally(observer);
        tallies_[o].bytes += ours.bytes;
        for (std::size_t i = 0; i < ours.within.size(); ++i) {
          tallies_[o].within[i] += ours.within[i];
        }
      }
      ++cost.served;
    }
  }
  static void acknowledge(Worker& worker) {
    for (std::uint32_t o = 0; o < worker.sent.size(); ++o) {
      SentBlocks& sent = worker.sent[o];
      for (const auto& block : sent.blocks) read_block(block.second, sent);
      sent.blocks.clear();
      AcknowledgeFrame frame;
      frame.stream_epoch = worker.observers[o].stream_epoch;
      frame.events = sent.events;
      frame.newest_block = {};
      worker.observers[o].acknowledge(frame);
    }
  }
  void choose() {
    for (std::uint32_t o = 0; o < chosen_.size(); ++o) {
      if (!workers_[0]->observers[o].turn(now_, choice_ticks)) continue;
      chosen_[o] = workers_[0]->publisher.choose(chosen_[o], tallies_[o], {});
      tallies_[o] = {};
    }
  }

  static constexpr Tick start{1'200};
  struct Known {
    std::uint8_t by = 0;
    std::uint32_t observer = 0;
    Handle handle = no_entity;
    TrackVersion has;
  };
  struct Leaving {
    std::uint8_t from = 0, to = 0;
    Handle handle = no_entity;
    std::vector<SharedTrack> tracks;
  };
  const Ways& ways_;
  Tick now_ = start;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::uint8_t> owners_;
  std::vector<Vec3> watching_from_;  ///< by observer
  std::vector<Known> known_;
  std::vector<Leaving> leaving_;
  std::vector<Choice> chosen_;
  std::vector<Tally> tallies_;
};

/// Samples of many ticks, in microseconds of processor time per tick.
struct Samples {
  std::vector<double> all_us, gather_us, tell_us;
  double served = 0;
  void add(const Cost& cost) {
    gather_us.push_back(static_cast<double>(cost.gather_ns) * 1e-3);
    tell_us.push_back(static_cast<double>(cost.tell_ns) * 1e-3);
    all_us.push_back(gather_us.back() + tell_us.back());
    served += static_cast<double>(cost.served);
  }
};

double mean(const std::vector<double>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double measure(const Run& run, const Plan& plan, const Ways& ways, std::uint32_t workers,
               Figures& figures) {
  print_progress(std::to_string(workers) + " workers beside one");
  Shards one(ways, plan, 1), several(ways, plan, workers);
  for (int i = 0; i < (run.quick ? 70 : 600); ++i) one.tick(), several.tick();
  const std::uint64_t before_one = one.records(), before_several = several.records();
  Samples alone, together;
  for (int i = 0; i < (run.quick ? 8 : 600); ++i) {
    alone.add(one.tick());
    together.add(several.tick());
  }
  const std::string n = "_" + std::to_string(workers);
  figures.add("efficiency" + n, mean(alone.all_us) / mean(together.all_us), "");
  figures.add("gather_efficiency" + n, mean(alone.gather_us) / mean(together.gather_us), "");
  figures.add("tell_efficiency" + n, mean(alone.tell_us) / mean(together.tell_us), "");
  figures.add("tick_us" + n, mean(together.all_us), "us");
  figures.add("workers_per_observer" + n, together.served / alone.served, "");
  if (workers == 2) {
    figures.add("tick_us_1", mean(alone.all_us), "us");
    figures.add("gather_us_1", mean(alone.gather_us), "us");
  }
  const std::uint64_t a = one.records() - before_one, b = several.records() - before_several;
  return static_cast<double>(std::max(a, b) - std::min(a, b));
}

Result<Ok> shard_suite(const Run& run, Figures& figures) {
  const Plan plan = run.quick ? Plan{.things = 2'000, .observers = 8} : Plan{};
  const Ways ways(plan);
  double differ = 0;
  for (const std::uint32_t workers : {2U, 4U, 8U}) {
    differ += measure(run, plan, ways, workers, figures);
  }
  figures.add("records_differ", differ, "");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("shard", argc, argv, perigee::bench::shard_suite);
}
