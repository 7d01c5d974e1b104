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
  for (RegionId region = 0; region < regions; ++region) {
    const auto worker = static_cast<WorkerId>(region);
    const auto standby = static_cast<WorkerId>((region + 1) % workers);
    out.records[region] = {region, 1, worker, standby, StandbyStatus::InSync, 1};
    Owner<rules> owner{Region<Traits, rules>(region, 1), worker, 1, ++out.serials};
    Hands<rules> hands(out, region, 1, 1);
    if (region == 0) owner.region.admit(the_group, {}, hands);
    out.standbys[region] = Standby{standby, 1, owner.region.ledger()};
    out.streams[region] = {true, {}};
    owner.region.on_standby_joined();
    owner.region.on_replicated(owner.region.appended(), hands);
    owner.region.on_recorded(StandbyStatus::InSync, hands);
    out.owners.push_back(owner);
  }
  out.record_requests.clear();
  out.simulated[1] = 0;
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

  static std::vector<const Owner<rules>*> holders(const World& world) {
    std::vector<const Owner<rules>*> out;
    for (const auto& owner : world.owners) {
      const RegionId region = owner->region.id();
      if (owner->region.epoch() != world.records[region].epoch || owner->region.lost()) continue;
      if (owner->region.owns(the_group)) out.push_back(&*owner);
    }
    return out;
  }

  static std::string broken(const World& world) {
    if (!world.wrong.empty()) return world.wrong;
    const auto owned = holders(world);
    if (owned.size() > 1) return "the group is owned twice";
    for (const auto* owner : owned) {
      const auto& state = owner->region.ledger().groups.at(the_group).state;
      for (std::uint8_t id = 0; id < outcomes; ++id) {
        if (state.decided[id] == Traits::contradicted) return "an outcome is contradicted";
        if (world.reported[id] != 0 && state.decided[id] != world.reported[id]) {
          return "a told outcome is not true any more";
        }
      }
    }
    return {};
  }

  /// Checks that must hold once everything in flight has arrived.
  static std::string unfinished(const World& world) {
    int lost = 0;
    for (const Record& record : world.records) {
      const bool there =
          std::any_of(world.owners.begin(), world.owners.end(), [&](const auto& own) {
            return own->region.id() == record.region && own->region.epoch() == record.epoch &&
                   !own->region.lost();
          });
      lost += !there;
    }
    if (lost > 0) return lost > 1 || !world.left.restores ? "" : "a region stays lost";
    const auto owned = holders(world);
    if (owned.empty()) return "the group is lost";
    const auto& state = owned.front()->region.ledger().groups.at(the_group).state;
    for (std::uint8_t id = 0; id < outcomes; ++id) {
      if (state.decided[id] != world.journal[id]) return "the journal does not have an outcome";
    }
    return {};
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
