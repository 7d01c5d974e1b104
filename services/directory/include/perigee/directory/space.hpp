/// The world cut into regions: a kd-tree of boxes. Leaves are regions, inner nodes the planes
/// between them. All planes lie on the grid of cost cells, so that each cell is in exactly one
/// region.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/base/ids.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/base/worker_report.hpp"

namespace perigee::directory {

inline constexpr double cell_m = cost_cell_m;
inline constexpr std::int32_t region_cells_min = 4;  ///< 1 km; smaller ones would be mostly border
/// The maximum that a worker's report can name.
inline constexpr std::uint32_t regions_max = WorkerReport::regions_max;

enum class Axis : std::uint8_t { X, Y, Z };

/// In cells: low inclusive, high exclusive.
struct CellBox {
  std::array<std::int32_t, 3> low{}, high{};
  std::int32_t length(Axis axis) const {
    return high[static_cast<std::size_t>(axis)] - low[static_cast<std::size_t>(axis)];
  }
  bool contains(const CostCell& cell) const;
  Vec3 low_m() const;
  Vec3 high_m() const;
  friend bool operator==(const CellBox&, const CellBox&) = default;
};
/// The smallest box of cells around the given box.
CellBox cells_around(const Vec3& low_m, const Vec3& high_m);

struct Leaf {
  RegionId region;
  CellBox box;
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

/// A plane between two sibling regions; `below` is on the side of smaller coordinates.
struct Plane {
  Axis axis{};
  std::int32_t at = 0;  ///< first cell above
  RegionId below, above;
};

/// Serialized form of a Space: its nodes in preorder, the side of smaller coordinates first.
struct SpaceNode {
  std::optional<RegionId> region;  ///< set for a leaf; an inner node is divided by:
  Axis axis{};
  std::int32_t at = 0;
  friend bool operator==(const SpaceNode&, const SpaceNode&) = default;
};
struct SavedSpace {
  std::vector<SpaceNode> nodes;
  RegionId next;  ///< id of the next new region
  friend bool operator==(const SavedSpace&, const SavedSpace&) = default;
};

class Space {
 public:
  explicit Space(const CellBox& world);
  /// Divides the world across x into parts of nearly equal width; ids ascend with x.
  static Result<Space> sliced(const CellBox& world, std::uint32_t parts);
  /// Restores the result of saved(). Any tree that is impossible in this world is an error.
  static Result<Space> restored(const CellBox& world, const SavedSpace& saved);
  SavedSpace saved() const;
  Space(const Space& other);
  Space& operator=(const Space& other);
  Space(Space&&) noexcept;
  Space& operator=(Space&&) noexcept;
  ~Space();

  const CellBox& world() const;
  /// In an order that does not depend on changes of other regions.
  std::vector<Leaf> leaves() const;
  const CellBox* box_of(RegionId region) const;
  std::size_t size() const;  ///< number of regions
  /// None: outside the world.
  std::optional<RegionId> region_of(const CostCell& cell) const;
  std::optional<RegionId> region_at(const Vec3& point_m) const {
    return region_of(cost_cell_at(point_m));
  }
  /// Planes with an undivided region on either side: only those can slide or be removed.
  std::vector<Plane> planes() const;
  /// The region that this one can merge with.
  std::optional<RegionId> sibling(RegionId region) const;

  /// Turns the cells from `at` on into a new region, with an id that was never used before. If a
  /// change is impossible, split(), merge() and slide() return an error and change nothing.
  Result<RegionId> split(RegionId region, Axis axis, std::int32_t at);
  /// `region` absorbs its sibling's space.
  Result<Ok> merge(RegionId region);
  /// Moves the plane between `region` and its sibling.
  Result<Ok> slide(RegionId region, std::int32_t to);

 private:
  struct Node;
  Node* find(RegionId region) const;
  std::unique_ptr<Node> root_;
  RegionId next_{1};
};

}  // namespace perigee::directory
