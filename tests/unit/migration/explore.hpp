/// Visits every reachable state, and checks the guarantees in each.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "digest.hpp"
#include "steps.hpp"

namespace perigee::migration::checker {

struct Seen {
  std::size_t states = 0;
  std::size_t steps = 0;
  std::size_t ends = 0;  ///< states in which no progress step is possible
  bool whole = false;    ///< all states were visited
  std::string wrong;     ///< a violation and its steps, one per line; empty: none
};

template <const Rules& rules>
Cluster<rules> at_peace(const Bounds& bounds) {
  Cluster<rules> out;
  out.left = bounds;
  for (std::uint32_t region = 0; region < regions; ++region) {
    const auto worker = static_cast<WorkerId>(region);
    const auto standby = static_cast<WorkerId>((region + 1) % workers);
    Owner<rules> owner{.region = Region<Traits, rules>(LogId{region}, Epoch{1}),
                       .standby = {},
                       .worker = worker,

                       .word = 1,
                       .replicates_to = standby};
    Hands<rules> hands(out, owner);
    if (region == 0) owner.region.admit(the_group, out.now, hands);
    owner.standby.fill(owner.region.appended());
    owner.region.wait_for_standby();
    owner.standby.filled();
    owner.standby.on_record(true);
    out.records[region] = {
        .owner = worker, .standby = standby, .in_sync = true, .word = owner.word};
    out.replicas[region] = Replica{standby, Epoch{1}, owner.region.ledger(), {}, false};
    out.streams[region] = {Epoch{1}, true, {}};
    out.owners.push_back(owner);
  }
  out.simulated[out.now] = LogId{0};
  return out;
}

template <const Rules& rules>
class Explorer {
 public:
  using World = Cluster<rules>;
  explicit Explorer(std::size_t states_max) : states_max_(states_max) {}

  Seen run(const World& start) {
    visit(start, 0);
    out_.states = seen_.size();
    out_.whole = out_.wrong.empty() && seen_.size() < states_max_;
    return out_;
  }

 private:
  struct Hash {
    std::size_t operator()(const Fingerprint& print) const { return print.a; }
  };

  bool stopped() const { return !out_.wrong.empty() || seen_.size() >= states_max_; }

  void visit(const World& world, std::size_t depth) {
    const Fingerprint self = fingerprint(world);
    if (!seen_.insert(self).second) return;
    if (const std::string wrong = broken(world); !wrong.empty()) return blame(wrong);
    bool at_rest = true;
    Steps<rules>::each(world, [&](const Happening& what, World&& next) {
      ++out_.steps;
      at_rest = at_rest && (what.nature != Nature::Progress || fingerprint(next) == self);
      way_.push_back(what);
      visit(next, depth + 1);
      way_.pop_back();
      return !stopped();
    });
    if (stopped() || !at_rest) return;
    ++out_.ends;
    if (const std::string wrong = unfinished(world); !wrong.empty()) blame(wrong);
  }

  static std::size_t owned(const World& world) {
    return static_cast<std::size_t>(
        std::count_if(world.owners.begin(), world.owners.end(), [&](const auto& owner) {
          return owner->region.epoch() == world.records[owner->region.id().number].epoch &&
                 owner->region.owns(the_group);
        }));
  }

  static std::string broken(const World& world) {
    if (!world.wrong.empty()) return world.wrong;
    return owned(world) > 1 ? "the group is owned twice" : "";
  }

  /// Checks that must hold once everything in flight has arrived.
  static std::string unfinished(const World& world) {
    for (std::uint32_t region = 0; region < regions; ++region) {
      const Record& record = world.records[region];
      const bool there =
          std::any_of(world.owners.begin(), world.owners.end(), [&](const auto& own) {
            return own->region.id().number == region && own->region.epoch() == record.epoch;
          });
      if (!there && !record.ended) return "a region stays without an owner";
    }
    return owned(world) == 0 && !world.may_be_lost ? "the group is lost" : "";
  }

  void blame(const std::string& wrong) {
    out_.wrong = wrong;
    for (const Happening& step : way_) {
      out_.wrong += "\n  ";
      out_.wrong += step.what;
      out_.wrong += " " + std::to_string(step.first) + " " + std::to_string(step.second);
    }
  }

  std::size_t states_max_;
  std::unordered_set<Fingerprint, Hash> seen_;
  std::vector<Happening> way_;
  Seen out_;
};

template <const Rules& rules>
Seen explore(const Bounds& bounds, std::size_t states_max) {
  return Explorer<rules>(states_max).run(at_peace<rules>(bounds));
}

}  // namespace perigee::migration::checker
