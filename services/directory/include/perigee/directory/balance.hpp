/// Load balancing between workers. Computes the next few ownership changes from the cost per tick
/// of each cell of the world. Pure: the same costs give the same plan.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/directory/space.hpp"

namespace perigee::directory {

/// Cost of the entities in each cell, in milliseconds per tick. Empty cells are absent.
using CostMap = std::map<CostCell, double>;
double cost_in(const CostMap& costs, const CellBox& box);

struct BalanceSettings {
  double uneven_max = 1.15;  ///< most loaded worker / mean. Lower: more moves for less gain
  double idle_ms = 1;        ///< no balancing below this mean load
  double merge_share = 0.5;  ///< merge siblings that cost less than this share of the mean load
  /// Leave a plane in place if the loads of its two owners differ by less than this share of the
  /// mean load. Lower: planes follow measurement noise.
  double slide_share = 0.1;
  /// Moves and slides under way at once. Each costs two workers a copy. Lower: reacts more slowly.
  std::size_t changes_max = 4;
};

struct WorkerShare {
  WorkerSlot slot;
  bool draining = false;   ///< must end up owning no region
  double overhead_ms = 0;  ///< part of a tick that no change of ownership reduces
  std::optional<WorkerSlot> standby = std::nullopt;
  double copy_share = 0;  ///< cost of its replica at the standby / cost of its entities
  /// Pinned load: cost of this worker's entities that are in another worker's regions and do not
  /// migrate there. The key is that other worker. Plans count this cost for the region's owner,
  /// because the entities may migrate at any time.
  std::map<WorkerSlot, double> pinned_ms;
};

enum class ChangeKind : std::uint8_t {
  Split,  ///< cells from `at` along `axis` become a new region with the same owner
  Merge,  ///< `region` absorbs its sibling; both must have the same owner
  Slide,  ///< the plane between `region` and its sibling moves to `at`
  Move,   ///< `to` becomes the owner of `region`
  last = Move
};
inline constexpr std::size_t change_kinds = static_cast<std::size_t>(ChangeKind::last) + 1;
struct Change {
  ChangeKind kind{};
  RegionId region;
  Axis axis{};
  std::int32_t at = 0;
  WorkerSlot to;
  friend bool operator==(const Change&, const Change&) = default;
};

class Balancer {
 public:
  explicit Balancer(const BalanceSettings& settings) : settings_(settings) {}

  /// Changes to start now, in this order; call it at most once a second. Regions in `busy` have a
  /// change under way: the plan leaves them alone. They count for their new owner, which is the one
  /// in `owners`.
  std::vector<Change> plan(const Space& space, const std::map<RegionId, WorkerSlot>& owners,
                           const std::vector<WorkerShare>& workers, const CostMap& costs,
                           const std::set<RegionId>& busy);
  /// All moves that empty draining workers. Apply them before any plan.
  static std::vector<Change> drains(const Space& space,
                                    const std::map<RegionId, WorkerSlot>& owners,
                                    const std::vector<WorkerShare>& workers, const CostMap& costs,
                                    const std::set<RegionId>& busy);

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
  std::optional<Change> balance_around_pinned_load(const View& view) const;
  bool burdens(const View& view, const Load& load) const;
  const Load* taker(const View& view, const Load& from) const;
  static std::optional<Change> halve(const View& view, const Load& from, double wanted_ms);
  static std::optional<Change> give_any(const View& view, const Load& from, const Load& to);
  static std::optional<Shift> best_shift(const View& view, const Plane& plane);
  static std::optional<Change> slide_from(const View& view, const Load& from);
  std::optional<Change> slide(const View& view);
  std::optional<Change> merge(const View& view) const;

  BalanceSettings settings_;
  /// A plane that reverses its direction waits twice as long as last time, up to 16 plans.
  struct Slid {
    std::int32_t direction = 0;
    int wait = 1, left = 0;
  };
  std::map<RegionId, Slid> slid_;
};

/// Applies a change to the map. Returns the region that the change created, if any.
std::optional<RegionId> apply(const Change& change, Space& space,
                              std::map<RegionId, WorkerSlot>& owners);

}  // namespace perigee::directory
