#include "perigee/world/neighbour_grid.hpp"

#include <algorithm>
#include <bit>

namespace perigee::world {
namespace {

constexpr double door_cell_m = 128;  // queries for doors have a radius of 30 m

double longest_edge_m(const Bounds& bounds) {
  const Vec3 size = bounds.size();
  return std::max({size.x, size.y, size.z});
}

}  // namespace

GridCells::GridCells(const WorldLimits& limits)
    : cell_m_(limits.cell_m),
      heads_(std::bit_ceil(std::max(std::size_t{limits.entities_max}, std::size_t{2})), none),
      bucket_shift_(64 - std::countr_zero(heads_.size())) {
  entries_.reserve(limits.entities_max);
}

void GridCells::clear() {
  entries_.clear();
  free_ = none;
  std::fill(heads_.begin(), heads_.end(), none);
}

GridCells::Cell GridCells::cell_of(const Vec3& point) const {
  const auto floor = [&](double x) {
    const double cells = x / cell_m_;
    const auto whole = static_cast<std::int64_t>(cells);
    return static_cast<double>(whole) > cells ? whole - 1 : whole;
  };
  return {floor(point.x), floor(point.y), floor(point.z)};
}

std::uint32_t GridCells::add(const EntityRecord& record, const Bounds& bounds) {
  std::uint32_t place = free_;
  if (place == none) {
    place = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    free_ = entries_[place].next;
  }
  std::uint32_t& head = heads_[bucket(cell_of(bounds.center()))];
  entries_[place] = {&record, bounds, head};
  head = place;
  return place;
}

void GridCells::remove(std::uint32_t entry) {
  std::uint32_t* link = &heads_[bucket(cell_of(entries_[entry].bounds.center()))];
  while (*link != entry) link = &entries_[*link].next;
  *link = entries_[entry].next;
  entries_[entry] = {nullptr, {}, free_};
  free_ = entry;
}

NeighbourGrid::NeighbourGrid(const WorldLimits& limits)
    : cell_m_(limits.cell_m),
      still_(limits),
      moving_(limits),
      doors_({.entities_max = limits.entities_max / 8 + 1, .cell_m = door_cell_m}) {
  large_.reserve(limits.entities_max);
}

void NeighbourGrid::begin(Tick tick) {
  tick_ = tick;
  valid_ = true;
  moving_.clear();
  large_.clear();
}

bool NeighbourGrid::is_large(const Bounds& bounds) const {
  return longest_edge_m(bounds) > cell_m_;
}

void NeighbourGrid::add(const EntityRecord& record, const Bounds& bounds) {
  if (is_large(bounds)) {
    large_.push_back({&record, bounds});
  } else {
    moving_.add(record, bounds);
  }
}

void NeighbourGrid::keep(EntityRecord& record, const Bounds& bounds) {
  record.cell_entry = GridCells::none;
  if (is_large(bounds)) {
    insert_in_id_order(still_large_, &record);
  } else {
    record.cell_entry = still_.add(record, bounds);
  }
}

void NeighbourGrid::unkeep(EntityRecord& record) {
  if (record.cell_entry == GridCells::none) {
    std::erase(still_large_, &record);
  } else {
    still_.remove(record.cell_entry);
  }
}

void NeighbourGrid::add_door(EntityRecord& record, const Bounds& path) {
  if (longest_edge_m(path) > door_cell_m) {
    record.door_entry = GridCells::none;
    wide_doors_.push_back(&record);
  } else {
    record.door_entry = doors_.add(record, path);
  }
}

void NeighbourGrid::remove_door(const EntityRecord& record) {
  if (record.door_entry && *record.door_entry != GridCells::none) doors_.remove(*record.door_entry);
  std::erase(wide_doors_, &record);
  std::erase(carried_doors_, &record);
}

}  // namespace perigee::world
