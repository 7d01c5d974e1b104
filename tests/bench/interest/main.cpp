// bench_interest: the cost of deciding which observer receives which entities, and a check that no
// update is late.
#include <algorithm>
#include <array>
#include <memory>

#include "bench/common/suite.hpp"
#include "bench/interest/crowd.hpp"
#include "perigee/replication/publisher.hpp"

namespace perigee::bench {
namespace {

using replication::InterestIndex;
using replication::Observer;
using replication::Viewpoint;

constexpr InterestRings rings;
constexpr std::int32_t warm_ticks = 120;  // so that near lanes and stretches have settled

constexpr std::uint32_t record_bytes = 16;  // of the budget, for an entity that is due

/// The contract, for some observers: an entity that was within a ring (its radius, divided by the
/// stretch) for the ring's period had an update in it.
class Contract {
 public:
  Contract(std::size_t observers, std::size_t entities)
      : observers_(observers), entities_(entities), within_(observers * entities) {}

  void updated(std::size_t observer, std::uint32_t entity) {
    if (observer < observers_) within_[observer * entities_ + entity] = {};
  }
  void tick(Crowd& crowd) {
    for (std::size_t o = 0; o < observers_; ++o) {
      const Observer& observer = crowd.observers()[o];
      for (std::uint32_t e = 0; e < entities_; ++e) {
        auto& within = within_[o * entities_ + e];
        const double away_m = distance(crowd.at(e), observer.position);
        for (std::size_t ring = 0; ring < interest_rings; ++ring) {
          // A ring of a second ago may have been wider.
          const bool in = away_m * std::max<double>(observer.stretch, 1) <= rings.radius_m[ring];
          within[ring] = in ? static_cast<std::uint8_t>(within[ring] + 1) : std::uint8_t{0};
          if (within[ring] > InterestRings::period_ticks[ring]) {
            ++late_;
            within[ring] = 0;
          }
        }
      }
    }
  }
  void clear() {
    std::fill(within_.begin(), within_.end(), std::array<std::uint8_t, interest_rings>{});
    late_ = 0;
  }
  std::uint64_t late() const { return late_; }

 private:
  std::size_t observers_, entities_;
  std::vector<std::array<std::uint8_t, interest_rings>> within_;
  std::uint64_t late_ = 0;
};

struct Cost {
  std::int64_t ns = 0;
  std::uint64_t due = 0;
  std::int32_t ticks = 0;
};

/// One world with its index, tick by tick.
class World {
 public:
  World(const CrowdPlan& plan, std::size_t checked)
      : crowd_(plan, 5),
        index_(rings, plan.entities, plan.entities),
        budget_({}, 16),
        seen_(plan.entities),
        contract_(checked, plan.entities),
        stretched_(plan.clumps > 0) {
    for (std::int32_t t = 0; t < warm_ticks; ++t) tick(nullptr);
    contract_.clear();
  }
  void tick(Cost* cost) {
    crowd_.move();
    const std::int64_t began = thread_time_ns();
    std::uint64_t due = 0;
    index_.begin(now_);
    if (index_.wants_moving()) {
      for (std::uint32_t e = 0; e < crowd_.size(); ++e) {
        index_.add(crowd_.phase(e), false, false, crowd_.point(e));
      }
    }
    index_.finish();
    for (std::size_t o = 0; o < crowd_.observers().size(); ++o) {
      Observer& observer = crowd_.observers()[o];
      if (!observer.turn(now_, send_slot_ticks)) continue;
      const Viewpoint view{replication::to_grid(observer.position), observer.near_radius_m,
                           observer.radius_m, observer.stretch};
      ++collection_;
      std::uint32_t records = 0;
      for (const replication::Hit hit : index_.due(view)) {
        const std::uint32_t entity = replication::slot_of(hit);
        if (std::exchange(seen_[entity], collection_) == collection_) continue;
        ++records;
        contract_.updated(o, entity);
      }
      due += records;
      observer.bytes_in_period += records * record_bytes;
      if (observer.turn(now_, replication::choice_ticks)) choose(observer, view.from);
    }
    if (cost != nullptr) {
      cost->ns += thread_time_ns() - began;
      cost->due += due;
      ++cost->ticks;
    }
    contract_.tick(crowd_);
    ++now_;
  }
  std::uint64_t late() const { return contract_.late(); }
  Crowd& crowd() { return crowd_; }

 private:
  void choose(Observer& observer, const replication::GridPosition& from) {
    const replication::Tally tally{std::exchange(observer.bytes_in_period, 0),
                                   index_.count_near(from, settings_.near_m)};
    const auto choice = budget_.choose({observer.stretch, observer.near_radius_m}, tally, {});
    observer.near_radius_m = choice.near_m;
    if (stretched_) observer.stretch = choice.stretch;
  }

  Crowd crowd_;
  InterestIndex index_;
  replication::ReplicationSettings settings_;
  replication::Publisher budget_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t collection_ = 0;
  Contract contract_;
  bool stretched_;
  Tick now_{1'000};
};

/// The peer: one comparison for every pair of observer and entity of the slot's classes, as in a
/// server without an index.
Cost all_pairs(Crowd& crowd, std::size_t observers) {
  Cost cost;
  const std::int64_t began = thread_time_ns();
  for (std::size_t o = 0; o < observers; ++o) {
    const Vec3 from = crowd.observers()[o].position;
    for (std::uint32_t e = 0; e < crowd.size(); ++e) {
      const double due_m =
          std::max(300.0, due_radius_m(rings, static_cast<std::uint32_t>(o), crowd.phase(e)));
      const Vec3 away = crowd.at(e) - from;
      if (dot(away, away) <= due_m * due_m) ++cost.due;
    }
  }
  cost.ns = thread_time_ns() - began;
  return cost;
}

void measure(const Run& run, const CrowdPlan& plan, Figures& figures, std::uint64_t& late) {
  print_progress(plan.name + ": " + std::to_string(plan.observers) + " observers, " +
                 std::to_string(plan.entities) + " entities");
  World world(plan, run.quick ? 2 : 10);
  std::vector<double> ours, peers, share;
  double due_per_s = 0;
  interleave(
      run.rounds(),
      [&] {
        Cost cost;
        for (int i = 0; i < (run.quick ? 8 : 120); ++i) world.tick(&cost);
        const double seconds = cost.ticks * seconds_per_tick;
        ours.push_back(static_cast<double>(cost.ns) / static_cast<double>(cost.due));
        share.push_back(static_cast<double>(cost.ns) * 1e-9 / seconds * 100);
        due_per_s = static_cast<double>(cost.due) / seconds;
      },
      [&] {
        const Cost cost = all_pairs(world.crowd(), 20);
        peers.push_back(static_cast<double>(cost.ns) / static_cast<double>(cost.due));
      });
  figures.add_against("all_pairs", "ns_per_due_" + plan.name, median(ours), median(peers), "ns");
  figures.add("core_share_" + plan.name, median(share), "%");
  figures.add("due_per_s_" + plan.name, due_per_s, "1/s");
  late += world.late();
}

Result<Ok> interest_suite(const Run& run, Figures& figures) {
  std::uint64_t late = 0;
  const std::uint32_t some = run.quick ? 20 : 1;  // quick runs check only the format
  measure(
      run,
      {.name = "1000x10k", .observers = 1'000 / some, .entities = 10'000 / some, .half_m = 3'000},
      figures, late);
  measure(run, {.name = "200x100k", .observers = 200 / some, .entities = 100'000 / some}, figures,
          late);
  measure(run,
          {.name = "1000x100k_clumped",
           .observers = 1'000 / some,
           .entities = 100'000 / some,
           .clumps = 20},
          figures, late);
  figures.add("late_updates", static_cast<double>(late), "");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("interest", argc, argv, perigee::bench::interest_suite);
}
