/// Ground made of cells that players dig. The set of solid cells is a function of the tick: the
/// settled state, with the edits of recent ticks on top. Prediction, worker, rewind and replay each
/// evaluate it at their own tick. An edit of tick t is in effect from the start of t + 1 on: all
/// actors of a tick see the same cells, in any order of stepping.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"  // Handle
#include "perigee/base/ring.hpp"
#include "perigee/base/wire_voxels.hpp"
#include "perigee/world/ray.hpp"
#include "perigee/world/shape.hpp"

namespace perigee::world {

struct Cell {
  std::int32_t x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const Cell&, const Cell&) = default;
};

/// Initial state of a patch; part of its type's shape. Cell (0, 0, 0) has its low corner at the
/// patch's origin.
struct VoxelPlan {
  static constexpr std::int32_t side_max = 256;  ///< cells along an axis

  Cell size;  ///< cells along each axis, multiples of chunk_cells
  double cell_m = 1;
  std::vector<std::uint8_t> initial;  ///< a set bit is solid; eight cells along x a byte

  bool contains(const Cell& cell) const {
    return cell.x >= 0 && cell.y >= 0 && cell.z >= 0 && cell.x < size.x && cell.y < size.y &&
           cell.z < size.z;
  }
  std::uint32_t cells() const { return static_cast<std::uint32_t>(size.x * size.y * size.z); }
  std::uint32_t index_of(const Cell& cell) const {
    return static_cast<std::uint32_t>((cell.y * size.z + cell.z) * size.x + cell.x);
  }
  Cell cell_of(std::uint32_t index) const;
  std::uint16_t chunks() const { return static_cast<std::uint16_t>(cells() / chunk_volume); }
  std::uint16_t chunk_of(const Cell& cell) const;
  /// The first cell of a chunk.
  Cell chunk_corner(std::uint16_t chunk) const;
  Bounds bounds_of(const Cell& low, const Cell& high) const;  ///< `high` is excluded
};
VoxelPlan make_voxel_plan(const Cell& size, double cell_m,
                          const std::function<bool(const Cell&)>& solid);
/// Code that does not know edits, e.g. a driver's client, uses the initial state.
ShapePtr make_voxel_shape(VoxelPlan plan);

/// A change of a cell that a game's step requests, as part of a proposal.
struct CellEdit {
  Handle patch = no_entity;  ///< none: no cell was within reach
  std::uint32_t cell = 0;    ///< index
  bool solid = false;        ///< the requested state
  friend constexpr bool operator==(const CellEdit&, const CellEdit&) = default;
};

/// An edit, identified by tick, actor, and the index of its proposal.
struct VoxelEdit {
  Tick tick;
  Handle actor = no_entity;
  std::uint8_t index = 0;
  std::uint32_t cell = 0;
  bool solid = false;
  friend constexpr bool operator==(const VoxelEdit&, const VoxelEdit&) = default;
};

/// The cells around one actor at one tick: recorded once, stepped through as often as needed.
struct VoxelCutout {
  static constexpr std::int32_t side_max = 16;

  double cell_m = 1;
  Cell low, size;  ///< of the cut volume; no cell outside is solid
  std::array<std::uint16_t, side_max * side_max> rows{};  ///< [y][z], a bit per x

  bool contains(const Cell& cell) const {
    return cell.x >= low.x && cell.y >= low.y && cell.z >= low.z && cell.x < low.x + size.x &&
           cell.y < low.y + size.y && cell.z < low.z + size.z;
  }
  bool solid(const Cell& cell) const {
    return contains(cell) && (row(cell) >> (cell.x - low.x) & 1) != 0;
  }
  Bounds bounds() const {
    return {Vec3{1.0 * low.x, 1.0 * low.y, 1.0 * low.z} * cell_m,
            Vec3{1.0 * (low.x + size.x), 1.0 * (low.y + size.y), 1.0 * (low.z + size.z)} * cell_m};
  }
  std::uint16_t& row(const Cell& cell) {
    return rows[static_cast<std::size_t>((cell.y - low.y) * side_max + cell.z - low.z)];
  }
  const std::uint16_t& row(const Cell& cell) const {
    return const_cast<VoxelCutout*>(this)->row(cell);
  }
};

/// Compares the common volume of two cutouts; each lies around its own actor. None: equal there.
std::optional<Cell> first_difference(const VoxelCutout& a, const VoxelCutout& b);

/// Cells of one patch over time.
class VoxelPatch {
 public:
  /// Edits beyond this number are refused: at four per second and player more than any worker has.
  static constexpr std::size_t edits_max = 1024;

  explicit VoxelPatch(std::shared_ptr<const VoxelPlan> plan);
  const VoxelPlan& plan() const { return *plan_; }
  /// Valid for ticks that are not settled yet.
  bool solid(const Cell& cell, Tick tick) const;
  /// From this tick on the state is constant.
  Tick newest() const { return edits_.empty() ? Tick{} : edits_.back().tick + 1; }
  /// The edits that are not settled yet, by tick.
  std::span<const VoxelEdit> edits() const { return edits_; }
  const VoxelEdit* find(Tick tick, Handle actor, std::uint8_t index) const;

  /// Each creates the chunk's next version. `add` returns false and does nothing if the cell does
  /// not exist, if there is no room, or if the edit is known. `remove` does so if the edit is not
  /// known.
  bool add(const VoxelEdit& edit);
  bool remove(const VoxelEdit& edit);
  /// Makes the edit final. True if it changed the cell: of two equal edits, only the first one
  /// does.
  bool settle(const VoxelEdit& edit);
  void settle_before(Tick tick);

  /// 0: initial state.
  std::uint16_t version(std::uint16_t chunk) const { return versions_[chunk]; }
  static std::uint16_t next_version(std::uint16_t version) {
    return version == 0xffff ? std::uint16_t{1} : static_cast<std::uint16_t>(version + 1);
  }
  /// State with all known edits.
  ChunkBits chunk(std::uint16_t chunk) const;
  /// State without the edits that are not settled.
  ChunkBits settled_chunk(std::uint16_t chunk) const;
  /// Replaces the known state.
  void replace(std::uint16_t chunk, std::uint16_t version, const ChunkBits& bits);
  std::uint64_t hash() const;
  /// The differences from the initial state and the unsettled edits, for another worker.
  template <class Cursor, class Patch>
  static bool walk(Cursor& cursor, Patch& patch);

  /// The cells near `around` (patch's frame) at `tick`: at most side_max along each axis, around
  /// its middle. `more` are additional edits, by tick.
  void cut(const Bounds& around, Tick tick, std::span<const VoxelEdit> more,
           VoxelCutout& out) const;

 private:
  bool settled(const Cell& cell) const;
  void set(const Cell& cell, bool solid);
  std::size_t place_of(const VoxelEdit& edit) const;

  std::shared_ptr<const VoxelPlan> plan_;
  std::vector<std::uint8_t>
      settled_;                   ///< as VoxelPlan::initial, with four bytes of padding for reads
  std::vector<VoxelEdit> edits_;  ///< by tick, actor, index
  std::vector<std::uint16_t> versions_;
};

/// The first solid cell on a ray, and the one before it.
struct CellHit {
  Cell cell, before;
  double away_m = 0;
};
/// All in the patch's frame. `solid` is valid for any cell, and false outside of `bounds`.
/// `direction` is of length 1. A ray from inside a solid cell hits at 0, and `before` is that cell.
template <class Solid>
std::optional<CellHit> cast_cells(const Solid& solid, const Bounds& bounds, double cell_m,
                                  const Vec3& from, const Vec3& direction, double range_m) {
  struct Axis {
    std::int32_t step = 0;
    double next_m = 0, each_m = 0;  ///< along the ray: to the next face, from face to face
  };
  const auto span = ray_inside(inflated(bounds, cell_m), from, direction, range_m);
  if (!span) return std::nullopt;
  const Vec3 start = from + direction * span->enters;
  const auto cell_at = [&](double x) { return static_cast<std::int32_t>(std::floor(x / cell_m)); };
  const auto axis_of = [&](double at, double way) -> Axis {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (std::abs(way) < 1e-12) return {0, never, never};
    const std::int32_t cell = cell_at(at);
    const double face = (way > 0 ? cell + 1 : cell) * cell_m;
    return {way > 0 ? 1 : -1, span->enters + (face - at) / way, cell_m / std::abs(way)};
  };
  Cell cell{cell_at(start.x), cell_at(start.y), cell_at(start.z)};
  if (solid(cell)) return CellHit{cell, cell, span->enters};
  Axis x = axis_of(start.x, direction.x);
  Axis y = axis_of(start.y, direction.y);
  Axis z = axis_of(start.z, direction.z);
  while (true) {
    const Cell before = cell;
    const bool by_x = x.next_m <= y.next_m && x.next_m <= z.next_m;
    Axis& axis = by_x ? x : y.next_m <= z.next_m ? y : z;
    std::int32_t& along = by_x ? cell.x : &axis == &y ? cell.y : cell.z;
    const double away_m = axis.next_m;
    if (!(away_m <= span->leaves)) return std::nullopt;
    along += axis.step;
    axis.next_m += axis.each_m;
    if (solid(cell)) return CellHit{cell, before, away_m};
  }
}

}  // namespace perigee::world
