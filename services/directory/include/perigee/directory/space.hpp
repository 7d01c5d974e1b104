/// The world cut into regions: a kd-tree of boxes. Leaves are regions, inner nodes the planes
/// between them. All planes lie on the grid of cost cells, so that a cell is in exactly one region.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/netcode/result.hpp"
#include "perigee/netcode/vec.hpp"
#include "perigee/netcode/worker_report.hpp"

namespace perigee::directory {

inline constexpr double cell_m = cost_cell_m;
inline constexpr std::int32_t region_cells_min = 4;  ///< 1 km: less would be all border
/// As many as a worker's report can name.
inline constexpr std::uint32_t regions_max = WorkerReport::regions_max;

using Region = std::uint32_t;
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
/// The smallest box of cells around it.
CellBox cells_around(const Vec3& low_m, const Vec3& high_m);

struct Leaf {
  Region region = 0;
  CellBox box;
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

/// Between two regions that were one: `below` is on the smaller side.
struct Plane {
  Axis axis{};
  std::int32_t at = 0;  ///< first cell above
  Region below = 0, above = 0;
};

/// What becomes of a Space on paper: its nodes, each before what it is divided into, the smaller
/// side first.
struct SpaceNode {
  std::optional<Region> region;  ///< of a leaf; else it is divided:
  Axis axis{};
  std::int32_t at = 0;
  friend bool operator==(const SpaceNode&, const SpaceNode&) = default;
};
struct SavedSpace {
  std::vector<SpaceNode> nodes;
  Region next = 0;  ///< the id of the next part
  friend bool operator==(const SavedSpace&, const SavedSpace&) = default;
};

class Space {
 public:
  explicit Space(const CellBox& world);
  /// Cut across x into parts of equal width, as nearly as cells allow; ids from the smallest x on.
  static Result<Space> sliced(const CellBox& world, std::uint32_t parts);
  /// As saved() told. Whatever was not made by a Space of this world is an error.
  static Result<Space> restored(const CellBox& world, const SavedSpace& saved);
  SavedSpace saved() const;
  Space(const Space& other);
  Space& operator=(const Space& other);
  Space(Space&&) noexcept;
  Space& operator=(Space&&) noexcept;
  ~Space();

  const CellBox& world() const;
  /// In an order that stays as regions come and go elsewhere.
  std::vector<Leaf> leaves() const;
  const CellBox* box_of(Region region) const;
  std::size_t size() const;  ///< regions
  /// None: outside of the world.
  std::optional<Region> region_of(const CostCell& cell) const;
  std::optional<Region> region_at(const Vec3& point_m) const {
    return region_of(cost_cell_at(point_m));
  }
  /// Planes with a region on either side, not further divided: those can slide, and go.
  std::vector<Plane> planes() const;
  /// The region that this one can become one with.
  std::optional<Region> sibling(Region region) const;

  /// Cells from `at` on become a region of their own, with an id that was never used before.
  /// Changes nothing if that is not possible, as do the other two.
  Result<Region> split(Region region, Axis axis, std::int32_t at);
  /// `region` takes over its sibling's space.
  Result<Ok> merge(Region region);
  /// The plane between `region` and its sibling.
  Result<Ok> slide(Region region, std::int32_t to);

 private:
  struct Node;
  Node* find(Region region) const;
  std::unique_ptr<Node> root_;
  Region next_ = 1;
};

}  // namespace perigee::directory
