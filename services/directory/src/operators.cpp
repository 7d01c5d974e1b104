// Requests of operators.
#include <algorithm>
#include <cmath>

#include "perigee/directory/core.hpp"

namespace perigee::directory {
namespace {

std::string name_of(Region region) { return "region " + std::to_string(region); }

Axis longest_axis(const CellBox& box) {
  const auto longer = [&](Axis a, Axis b) { return box.length(a) >= box.length(b) ? a : b; };
  return longer(Axis::X, longer(Axis::Z, Axis::Y));
}

/// The plane that halves the cost; the middle if there is none.
std::int32_t halving_plane(const CostMap& costs, const CellBox& box, Axis axis) {
  const auto i = static_cast<std::size_t>(axis);
  std::map<std::int32_t, double> slices;
  double all_ms = 0;
  for (const auto& [cell, ms] : costs) {
    if (!box.contains(cell)) continue;
    slices[cell[i]] += ms;
    all_ms += ms;
  }
  std::int32_t at = box.low[i] + box.length(axis) / 2;
  double below_ms = 0;
  for (const auto& [slice, ms] : slices) {
    if (below_ms + ms / 2 >= all_ms / 2) {
      at = slice;
      break;
    }
    below_ms += ms;
  }
  if (box.length(axis) < 2 * region_cells_min) return at;  // refused later, with the reason
  return std::clamp(at, box.low[i] + region_cells_min, box.high[i] - region_cells_min);
}

}  // namespace

Result<Ok> Core::may_change(Region region) const {
  const RegionEntry* entry = map_.region(region);
  if (entry == nullptr) {
    return Error{"there is no " + name_of(region) + "; perigee-ctl regions lists them"};
  }
  if (!entry->owner) {
    return Error{name_of(region) + " has no owner at the moment; start a worker, or wait"};
  }
  if (!told(*entry)) {
    return Error{
        name_of(region) +
        " has just changed, and its owner has not acknowledged that yet; try again in a second"};
  }
  return Ok{};
}

Result<WorkerSlot> Core::living(std::string_view worker) const {
  for (const WorkerEntry& entry : map_.workers) {
    if (entry.alive && workers_[entry.slot].name == worker) return entry.slot;
  }
  return Error{"no worker '" + std::string(worker) +
               "' is alive; perigee-ctl workers lists their names"};
}

bool Core::others_stay(WorkerSlot than) const {
  return std::any_of(map_.workers.begin(), map_.workers.end(), [&](const WorkerEntry& worker) {
    return worker.slot != than && worker.alive && !worker.draining;
  });
}

Result<Region> Core::split(Micros now_us, Region region, std::optional<Axis> axis,
                           std::optional<double> at_m) {
  if (const auto may = may_change(region); !may) return may.error();
  const CellBox& box = *space_.box_of(region);
  const Axis along = axis.value_or(longest_axis(box));
  if (along > Axis::Z) return Error{"an axis must be x, y or z"};
  if (at_m && !(std::abs(*at_m) < cell_m * WorkerReport::cell_max)) {
    return Error{"a plane must be within the region, at a multiple of 250 m from the origin"};
  }
  const std::int32_t at = at_m ? static_cast<std::int32_t>(std::lround(*at_m / cell_m))
                               : halving_plane(costs(), box, along);
  Space tried = space_;
  if (const auto possible = tried.split(region, along, at); !possible) return possible.error();
  return *make(now_us, {.kind = ChangeKind::Split, .region = region, .axis = along, .at = at});
}

Result<Ok> Core::merge(Micros now_us, Region region) {
  if (const auto may = may_change(region); !may) return may.error();
  Space tried = space_;
  if (const auto possible = tried.merge(region); !possible) return possible.error();
  const Region sibling = *space_.sibling(region);
  if (const auto may = may_change(sibling); !may) return may.error();
  const WorkerSlot owner = *map_.region(region)->owner;
  if (map_.region(sibling)->owner != owner) {
    return Error{name_of(region) + " and " + name_of(sibling) +
                 " have different owners; first: move " + std::to_string(sibling) + " " +
                 workers_[owner].name};
  }
  make(now_us, {.kind = ChangeKind::Merge, .region = region});
  return Ok{};
}

Result<Ok> Core::move(Micros now_us, Region region, std::string_view worker) {
  if (const auto may = may_change(region); !may) return may.error();
  const auto to = living(worker);
  if (!to) return to.error();
  if (map_.workers[*to].draining) {
    return Error{std::string(worker) + " is being drained; undrain it first"};
  }
  if (map_.region(region)->owner == *to) return Ok{};
  make(now_us, {.kind = ChangeKind::Move, .region = region, .to = *to});
  return Ok{};
}

Result<Ok> Core::drain(Micros now_us, std::string_view worker) {
  const auto slot = living(worker);
  if (!slot) return slot.error();
  if (map_.workers[*slot].draining) return Ok{};
  if (!others_stay(*slot)) {
    return Error{"no other worker could take over from " + std::string(worker) +
                 "; start one first"};
  }
  map_.workers[*slot].draining = true;
  ++map_.version;
  look(now_us);
  drain_now(now_us);
  return Ok{};
}

Result<Ok> Core::undrain(std::string_view worker) {
  const auto slot = living(worker);
  if (!slot) return slot.error();
  if (!map_.workers[*slot].draining) return Ok{};
  map_.workers[*slot].draining = false;
  ++map_.version;
  return Ok{};
}

Result<std::optional<WorkerSlot>> Core::kill(Micros now_us, std::string_view worker, bool force) {
  const auto slot = living(worker);
  if (!slot) return slot.error();
  std::optional<WorkerSlot> heir;
  if (const auto named = heir_of(now_us, *slot, End::Order)) {
    heir = *named;
    end_life(now_us, *slot, End::Order);
  } else if (force || !has_content(*slot)) {
    lose_life(now_us, *slot);
    workers_[*slot].life_over = true;
  } else {
    return Error{"the entities of " + std::string(worker) +
                 " would be lost: " + named.error().message + "; wait, drain it, or use --force"};
  }
  ++deaths_;
  assign_regions(now_us);
  choose_buddies();
  return heir;
}

Result<Ok> Core::resolve(std::uint32_t life) {
  const std::string name = "incarnation " + std::to_string(life);
  const auto of_it = [&](const auto& each) {
    return each.handle_base / handles_per_worker == life;
  };
  const auto lives = std::find_if(map_.workers.begin(), map_.workers.end(),
                                  [&](const auto& each) { return each.alive && of_it(each); });
  if (lives != map_.workers.end()) {
    const std::string& worker = workers_[lives->slot].name;
    return Error{name + " belongs to " + worker +
                 ", which is alive and answers; repair its links, or: kill " + worker};
  }
  if (std::erase_if(map_.bequests, of_it) == 0) {
    return Error{
        "no worker has taken over " + name +
        ", so its migrations are already resolved; perigee-ctl limbo lists the in-doubt ones"};
  }
  ++map_.version;
  return Ok{};
}

}  // namespace perigee::directory
