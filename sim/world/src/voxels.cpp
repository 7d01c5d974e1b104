#include "perigee/world/voxels.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "cell_boxes.hpp"
#include "perigee/base/assert.hpp"

namespace perigee::world {
namespace {

auto name_of(const VoxelEdit& edit) { return std::tuple(edit.tick.count, edit.actor, edit.index); }

bool earlier(const VoxelEdit& a, const VoxelEdit& b) {
  if (a.tick != b.tick) return before(a.tick, b.tick);
  return name_of(a) < name_of(b);
}

/// The boxes of the plan's initial state, chunk by chunk.
std::vector<Box> born_boxes(const std::shared_ptr<const VoxelPlan>& plan) {
  const VoxelPatch patch(plan);
  std::vector<Box> boxes;
  for (std::uint16_t chunk = 0; chunk < plan->chunks(); ++chunk) add_boxes(patch, chunk, boxes);
  return boxes;
}

}  // namespace

void add_boxes(const VoxelPatch& patch, std::uint16_t chunk, std::vector<Box>& out) {
  const VoxelPlan& plan = patch.plan();
  const Cell low = plan.chunk_corner(chunk);
  const Cell high{low.x + chunk_cells, low.y + chunk_cells, low.z + chunk_cells};
  const Bounds inside = inflated(plan.bounds_of(low, high), -plan.cell_m / 2);
  VoxelCutout cutout;
  patch.cut(inside, patch.newest(), {}, cutout);
  for_each_box(cutout, inside, [&](const Box& box) {
    out.push_back(box);
    return true;
  });
}

Cell VoxelPlan::cell_of(std::uint32_t index) const {
  const auto i = static_cast<std::int32_t>(index);
  return {i % size.x, i / size.x / size.z, i / size.x % size.z};
}

std::uint16_t VoxelPlan::chunk_of(const Cell& cell) const {
  const std::int32_t row = cell.y / chunk_cells * (size.z / chunk_cells) + cell.z / chunk_cells;
  return static_cast<std::uint16_t>(row * (size.x / chunk_cells) + cell.x / chunk_cells);
}

Cell VoxelPlan::chunk_corner(std::uint16_t chunk) const {
  const std::int32_t along_x = size.x / chunk_cells;
  const std::int32_t along_z = size.z / chunk_cells;
  return {chunk % along_x * chunk_cells, chunk / along_x / along_z * chunk_cells,
          chunk / along_x % along_z * chunk_cells};
}

Bounds VoxelPlan::bounds_of(const Cell& low, const Cell& high) const {
  return {Vec3{1.0 * low.x, 1.0 * low.y, 1.0 * low.z} * cell_m,
          Vec3{1.0 * high.x, 1.0 * high.y, 1.0 * high.z} * cell_m};
}

VoxelPlan make_voxel_plan(const Cell& size, double cell_m,
                          const std::function<bool(const Cell&)>& solid) {
  for (const std::int32_t along : {size.x, size.y, size.z}) {
    PERIGEE_ASSERT(along > 0 && along % chunk_cells == 0 && along <= VoxelPlan::side_max,
                   "a patch must consist of whole chunks");
  }
  VoxelPlan plan{size, cell_m, {}};
  PERIGEE_ASSERT(plan.cells() / chunk_volume <= 0xffff, "more chunks than 16 bits can number");
  plan.initial.resize(plan.cells() / 8);
  for (std::uint32_t i = 0; i < plan.cells(); ++i) {
    if (!solid(plan.cell_of(i))) continue;
    plan.initial[i / 8] = static_cast<std::uint8_t>(plan.initial[i / 8] | 1U << (i % 8));
  }
  return plan;
}

ShapePtr make_voxel_shape(VoxelPlan plan) {
  const auto kept = std::make_shared<const VoxelPlan>(std::move(plan));
  return std::make_shared<const Shape>(born_boxes(kept), kept->bounds_of({}, kept->size), kept);
}

VoxelPatch::VoxelPatch(std::shared_ptr<const VoxelPlan> plan)
    : plan_(std::move(plan)), settled_(plan_->initial), versions_(plan_->chunks()) {
  settled_.resize(settled_.size() + 4);
  edits_.reserve(edits_max);
}

bool VoxelPatch::settled(const Cell& cell) const {
  const std::uint32_t i = plan_->index_of(cell);
  return plan_->contains(cell) && (settled_[i / 8] >> (i % 8) & 1) != 0;
}

void VoxelPatch::set(const Cell& cell, bool solid) {
  const std::uint32_t i = plan_->index_of(cell);
  const unsigned bit = 1U << (i % 8);
  settled_[i / 8] =
      static_cast<std::uint8_t>(solid ? settled_[i / 8] | bit : settled_[i / 8] & ~bit);
}

bool VoxelPatch::solid(const Cell& cell, Tick tick) const {
  if (!plan_->contains(cell)) return false;
  const std::uint32_t index = plan_->index_of(cell);
  bool is = settled(cell);
  for (const VoxelEdit& edit : edits_) {
    if (!before(edit.tick, tick)) break;
    if (edit.cell == index) is = edit.solid;
  }
  return is;
}

std::size_t VoxelPatch::place_of(const VoxelEdit& edit) const {
  return static_cast<std::size_t>(std::lower_bound(edits_.begin(), edits_.end(), edit, earlier) -
                                  edits_.begin());
}

const VoxelEdit* VoxelPatch::find(Tick tick, Handle actor, std::uint8_t index) const {
  const VoxelEdit name{tick, actor, index};
  const std::size_t at = place_of(name);
  return at < edits_.size() && name_of(edits_[at]) == name_of(name) ? &edits_[at] : nullptr;
}

bool VoxelPatch::add(const VoxelEdit& edit) {
  if (edit.cell >= plan_->cells() || edits_.size() == edits_max) return false;
  if (find(edit.tick, edit.actor, edit.index) != nullptr) return false;
  edits_.insert(edits_.begin() + static_cast<std::ptrdiff_t>(place_of(edit)), edit);
  std::uint16_t& version = versions_[plan_->chunk_of(plan_->cell_of(edit.cell))];
  version = next_version(version);
  return true;
}

bool VoxelPatch::remove(const VoxelEdit& edit) {
  const VoxelEdit* known = find(edit.tick, edit.actor, edit.index);
  if (known == nullptr || !(*known == edit)) return false;
  edits_.erase(edits_.begin() + (known - edits_.data()));
  std::uint16_t& version = versions_[plan_->chunk_of(plan_->cell_of(edit.cell))];
  version = next_version(version);
  return true;
}

bool VoxelPatch::settle(const VoxelEdit& edit) {
  const VoxelEdit* known = find(edit.tick, edit.actor, edit.index);
  if (known == nullptr) return false;
  const Cell cell = plan_->cell_of(known->cell);
  const bool changes = settled(cell) != known->solid;
  set(cell, known->solid);
  edits_.erase(edits_.begin() + (known - edits_.data()));
  return changes;
}

void VoxelPatch::settle_before(Tick tick) {
  std::size_t count = 0;
  for (; count < edits_.size() && before(edits_[count].tick, tick); ++count) {
    set(plan_->cell_of(edits_[count].cell), edits_[count].solid);
  }
  edits_.erase(edits_.begin(), edits_.begin() + static_cast<std::ptrdiff_t>(count));
}

ChunkBits VoxelPatch::settled_chunk(std::uint16_t chunk) const {
  const Cell corner = plan_->chunk_corner(chunk);
  ChunkBits bits{};
  for (std::uint32_t row = 0; row < bits.size(); ++row) {
    const auto [y, z] = std::div(static_cast<int>(row), chunk_cells);
    bits[row] = settled_[plan_->index_of({corner.x, corner.y + y, corner.z + z}) / 8];
  }
  return bits;
}

ChunkBits VoxelPatch::chunk(std::uint16_t chunk) const {
  const Cell corner = plan_->chunk_corner(chunk);
  ChunkBits bits = settled_chunk(chunk);
  for (const VoxelEdit& edit : edits_) {
    const Cell cell = plan_->cell_of(edit.cell);
    if (plan_->chunk_of(cell) != chunk) continue;
    const auto row =
        static_cast<std::size_t>((cell.y - corner.y) * chunk_cells + cell.z - corner.z);
    const unsigned bit = 1U << (cell.x - corner.x);
    bits[row] = static_cast<std::uint8_t>(edit.solid ? bits[row] | bit : bits[row] & ~bit);
  }
  return bits;
}

void VoxelPatch::replace(std::uint16_t chunk, std::uint16_t version, const ChunkBits& bits) {
  const Cell corner = plan_->chunk_corner(chunk);
  std::erase_if(edits_, [&](const VoxelEdit& edit) {
    return plan_->chunk_of(plan_->cell_of(edit.cell)) == chunk;
  });
  for (std::uint32_t row = 0; row < bits.size(); ++row) {
    const auto [y, z] = std::div(static_cast<int>(row), chunk_cells);
    settled_[plan_->index_of({corner.x, corner.y + y, corner.z + z}) / 8] = bits[row];
  }
  versions_[chunk] = version;
}

std::uint64_t VoxelPatch::hash() const {
  StateHash hash;
  for (const std::uint8_t eight : settled_) hash.add(eight);
  for (const VoxelEdit& edit : edits_) {
    hash.add(edit.tick.count).add(edit.actor).add(edit.index).add(edit.cell).add(edit.solid);
  }
  return hash.value();
}

std::optional<Cell> first_difference(const VoxelCutout& a, const VoxelCutout& b) {
  for (std::int32_t y = a.low.y; y < a.low.y + a.size.y; ++y) {
    for (std::int32_t z = a.low.z; z < a.low.z + a.size.z; ++z) {
      for (std::int32_t x = a.low.x; x < a.low.x + a.size.x; ++x) {
        const Cell cell{x, y, z};
        if (b.contains(cell) && a.solid(cell) != b.solid(cell)) return cell;
      }
    }
  }
  return std::nullopt;
}

void VoxelPatch::cut(const Bounds& around, Tick tick, std::span<const VoxelEdit> more,
                     VoxelCutout& out) const {
  const Cell& size = plan_->size;
  const auto [x0, x1] = cells_between(around.low.x, around.high.x, plan_->cell_m, 0, size.x);
  const auto [y0, y1] = cells_between(around.low.y, around.high.y, plan_->cell_m, 0, size.y);
  const auto [z0, z1] = cells_between(around.low.z, around.high.z, plan_->cell_m, 0, size.z);
  out.cell_m = plan_->cell_m;
  out.low = {x0, y0, z0};
  out.size = {x1 - x0, y1 - y0, z1 - z0};
  if (x0 == x1) return;
  const std::uint32_t mask = (1U << (x1 - x0)) - 1U;
  for (std::int32_t y = y0; y < y1; ++y) {
    for (std::int32_t z = z0; z < z1; ++z) {
      const std::uint32_t first = plan_->index_of({x0, y, z});
      std::uint32_t bits = 0;
      std::memcpy(&bits, settled_.data() + first / 8, sizeof bits);
      out.row({x0, y, z}) = static_cast<std::uint16_t>(bits >> (first % 8) & mask);
    }
  }
  const auto apply = [&](const VoxelEdit& edit) {
    const Cell cell = plan_->cell_of(edit.cell);
    if (!out.contains(cell)) return;
    const unsigned bit = 1U << (cell.x - x0);
    std::uint16_t& row = out.row(cell);
    row = static_cast<std::uint16_t>(edit.solid ? row | bit : row & ~bit);
  };
  std::size_t next = 0;
  const auto apply_more = [&](Tick until) {  // those of earlier ticks
    for (; next < more.size() && before(more[next].tick, until); ++next) apply(more[next]);
  };
  for (const VoxelEdit& edit : edits_) {
    if (!before(edit.tick, tick)) break;
    apply_more(edit.tick);
    apply(edit);
  }
  apply_more(tick);
}

}  // namespace perigee::world
