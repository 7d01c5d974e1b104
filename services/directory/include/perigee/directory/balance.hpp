/// Who should own what, so that no worker carries much more than the others: from what each cell of
/// the world costs per tick to a few changes at a time. Pure: same costs, same plan.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "perigee/directory/space.hpp"
#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::directory {

/// Milliseconds of a tick that things in a cell cost, where there are any.
using CostMap = std::map<CostCell, double>;
double cost_in(const CostMap& costs, const CellBox& box);

struct BalanceSettings {
  double uneven_max = 1.15;  ///< most loaded worker / mean. Less: more moves for less
  double idle_ms = 1;        ///< below this mean load all is well as it is
  double merge_share = 0.5;  ///< siblings that cost less than this share of the mean become one
  /// Two neighbours closer to each other than this share of the mean leave their plane where it is.
  /// Less: planes follow the noise of what is measured.
  double slide_share = 0.1;
  /// Moves and slides under way at once. Each costs two workers a copy; fewer: slower to follow.
  std::size_t changes_max = 4;
};

struct WorkerShare {
  WorkerSlot slot = 0;
  bool draining = false;   ///< shall own nothing
  double overhead_ms = 0;  ///< of a tick, whatever is given to whom
  std::optional<WorkerSlot> buddy = std::nullopt;
  double copy_share = 0;  ///< of what its own things cost, what its buddy bears for their copy
  /// What its things cost that are in regions of those and do not go there. They may at any time:
  /// they count for who owns the region.
  std::map<WorkerSlot, double> stays_ms;
};

enum class ChangeKind : std::uint8_t {
  Split,  ///< cells from `at` along `axis` become a region of their own, of the same owner
  Merge,  ///< `region` takes over its sibling's space; both have one owner
  Slide,  ///< the plane between `region` and its sibling goes to `at`
  Move,   ///< `region` becomes `to`'s
  last = Move
};
inline constexpr std::size_t change_kinds = static_cast<std::size_t>(ChangeKind::last) + 1;
struct Change {
  ChangeKind kind{};
  Region region = 0;
  Axis axis{};
  std::int32_t at = 0;
  WorkerSlot to = 0;
  friend bool operator==(const Change&, const Change&) = default;
};

class Balancer {
 public:
  explicit Balancer(const BalanceSettings& settings) : settings_(settings) {}

  /// What to begin now, in this order, at most once a second. `busy`: regions with a change under
  /// way; they count for whom they will belong to, as `owners` has it, and are left alone.
  std::vector<Change> plan(const Space& space, const std::map<Region, WorkerSlot>& owners,
                           const std::vector<WorkerShare>& workers, const CostMap& costs,
                           const std::set<Region>& busy);
  /// What those give away who shall own nothing, all of it at once: it goes before any plan.
  static std::vector<Change> drains(const Space& space, const std::map<Region, WorkerSlot>& owners,
                                    const std::vector<WorkerShare>& workers, const CostMap& costs,
                                    const std::set<Region>& busy);

 private:
  struct Load;
  struct View;
  struct Shift;
  std::optional<Change> next(const View& view);
  std::optional<Change> relieve(const View& view) const;
  std::optional<Change> relieve(const View& view, const Load& from, const Load& to) const;
  static std::optional<Change> give(const View& view, const Load& from, const Load& to,
                                    double wanted_ms);
  static std::optional<Change> give_if_worth_it(const View& view, const Load& from, const Load& to,
                                                double wanted_ms);
  static std::optional<Change> give_what_fits(const View& view, const Load& from, const Load& to);
  std::optional<Change> lighten_copy(const View& view, const Load& bearer) const;
  std::optional<Change> make_up_for_what_stays(const View& view) const;
  bool burdens(const View& view, const Load& load) const;
  const Load* taker(const View& view, const Load& from) const;
  static std::optional<Change> halve(const View& view, const Load& from, double wanted_ms);
  static std::optional<Change> give_any(const View& view, const Load& from, const Load& to);
  static std::optional<Shift> best_shift(const View& view, const Plane& plane);
  static std::optional<Change> slide_from(const View& view, const Load& from);
  std::optional<Change> slide(const View& view);
  std::optional<Change> merge(const View& view) const;

  BalanceSettings settings_;
  /// A plane that went the other way last time waits twice as long, up to 16 plans.
  struct Slid {
    std::int32_t direction = 0;
    int wait = 1, left = 0;
  };
  std::map<Region, Slid> slid_;
};

/// The map once the change is made. Answers which region it concerns that was not there before.
std::optional<Region> apply(const Change& change, Space& space,
                            std::map<Region, WorkerSlot>& owners);

}  // namespace perigee::directory
