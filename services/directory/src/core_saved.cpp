// Initial state of the directory's core, and restoring it from its saved state.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "core_parts.hpp"
#include "perigee/base/assert.hpp"

namespace perigee::directory {
namespace {

constexpr std::uint64_t versions_skipped = 1'000'000;

Result<Space> space_of(const CoreSettings& settings, const Saved& saved) {
  const CellBox world = cells_around(settings.world_low, settings.world_high);
  if (!saved.space.nodes.empty()) return Space::restored(world, saved.space);
  return Space::sliced(world, static_cast<std::uint32_t>(saved.map.regions.size()));
}

Space new_space(const CoreSettings& settings) {
  auto space =
      Space::sliced(cells_around(settings.world_low, settings.world_high), settings.regions);
  PERIGEE_ASSERT(space.ok(), "settings must pass check()");
  return std::move(space).value();
}

Space known_space(const CoreSettings& settings, const Saved& saved) {
  auto space = space_of(settings, saved);
  PERIGEE_ASSERT(space.ok(), "saved state must pass check()");
  return std::move(space).value();
}

std::string text_of(const Vec3& corner) {
  const auto whole = [](double meters) { return std::to_string(std::lround(meters)); };
  return whole(corner.x) + "," + whole(corner.y) + "," + whole(corner.z);
}

/// The box of the saved world: its regions fill it without gaps.
WorldBox box_of(const std::vector<RegionEntry>& regions) {
  WorldBox out{regions.front().low, regions.front().high};
  for (const RegionEntry& region : regions) {
    out.low = {std::min(out.low.x, region.low.x), std::min(out.low.y, region.low.y),
               std::min(out.low.z, region.low.z)};
    out.high = {std::max(out.high.x, region.high.x), std::max(out.high.y, region.high.y),
                std::max(out.high.z, region.high.z)};
  }
  return out;
}

Result<Ok> check_box(const WorldBox& wanted, const std::vector<RegionEntry>& saved) {
  if (saved.empty()) return Error{"it has no regions"};
  const WorldBox kept = box_of(saved);
  if (kept.low == wanted.low && kept.high == wanted.high) return Ok{};
  return Error{"its world reaches from " + text_of(kept.low) + " to " + text_of(kept.high) +
               " m: set directory.world_low_m and directory.world_high_m to these numbers"};
}

/// Each standby, owner and successor is one of the saved workers.
Result<Ok> check_named_workers(const Saved& saved) {
  const auto is_worker = [&](WorkerSlot slot) { return slot.index() < saved.workers.size(); };
  for (const WorkerEntry& worker : saved.map.workers) {
    if (worker.standby && !is_worker(*worker.standby)) {
      return Error{"the standby of worker " + std::to_string(worker.slot.index()) +
                   " is not a worker"};
    }
  }
  for (const RegionEntry& region : saved.map.regions) {
    if (region.owner && !is_worker(*region.owner)) return Error{"a region's owner is not a worker"};
  }
  for (const FailoverRecord& record : saved.map.failover_records) {
    if (!is_worker(record.successor)) return Error{"the successor of a worker is not a worker"};
  }
  return Ok{};
}

/// States from before blocks were counted gave each slot the block of its own number.
std::uint32_t blocks_granted(const Saved& saved) {
  std::uint32_t out = saved.handle_blocks;
  for (const WorkerEntry& worker : saved.map.workers) {
    out = std::max(out, block_of(worker.handle_base, handles_per_worker).number);
  }
  return out;
}

}  // namespace

Core::Core(const CoreSettings& settings, std::uint32_t cluster_id, Micros now_us) {
  PERIGEE_ASSERT(check(settings).ok(), "settings must pass check()");
  Saved fresh;
  fresh.map.cluster_id = cluster_id;
  fresh.map.version = 1;
  fresh.map.time.base.wall_us = now_us;
  parts_ = std::make_unique<Parts>(settings, std::move(fresh), new_space(settings), now_us);
  parts_->regions.draw();
}

Core::Core(const CoreSettings& settings, Saved saved, Micros now_us) {
  saved.handle_blocks = blocks_granted(saved);
  // Members ignore versions older than the last they saw, and the latest may not have been saved.
  saved.map.version += versions_skipped;
  Space space = known_space(settings, saved);
  parts_ = std::make_unique<Parts>(settings, std::move(saved), std::move(space), now_us);
  parts_->stalls.doubt(now_us);
  parts_->regions.note_restored();
  parts_->standbys.note_restored();
  parts_->members.note_restored(now_us);
  parts_->losses.note_restored(now_us);
}

Saved Core::saved() const {
  return {.map = parts_->map,
          .workers = parts_->members.workers(),
          .gateways = parts_->members.gateways(),
          .handle_blocks = parts_->blocks.granted(),
          .space = parts_->regions.space().saved(),
          .balance = parts_->balance.ordered(),
          .rate_percent = parts_->time.ordered_percent(),
          .fabric = parts_->fabric.saved()};
}

Result<Ok> Core::check(const CoreSettings& settings) {
  const Vec3 &low = settings.world_low, &high = settings.world_high;
  const std::array<std::array<double, 2>, 3> axes{
      {{low.x, high.x}, {low.y, high.y}, {low.z, high.z}}};
  for (const auto& [from, to] : axes) {
    if (!(from >= -world_reach_m && to <= world_reach_m && from < to)) {
      return Error{
          "directory.world_low_m must be below directory.world_high_m on each axis, and both "
          "within " +
          std::to_string(static_cast<int>(world_reach_m)) +
          " m of the origin, e.g. -8000,-2000,-8000 and 8000,2000,8000"};
    }
  }
  const auto space = Space::sliced(cells_around(low, high), settings.regions);
  if (space) return Ok{};
  return Error{"directory.regions: " + space.error().message + "; choose fewer, or a wider world"};
}

Result<Ok> Core::check(const CoreSettings& settings, const Saved& saved) {
  const auto in_order = [](const auto& entries, const auto& members, auto slot_of) {
    bool fits = entries.size() == members.size();
    for (std::size_t i = 0; fits && i < entries.size(); ++i) fits = slot_of(entries[i]) == i;
    return fits;
  };
  const auto worker_slot = [](const WorkerEntry& worker) { return worker.slot.index(); };
  const auto gateway_slot = [](const GatewayEntry& gateway) { return gateway.slot.index(); };
  if (saved.map.cluster_id == 0 || !in_order(saved.map.workers, saved.workers, worker_slot) ||
      !in_order(saved.map.gateways, saved.gateways, gateway_slot)) {
    return Error{"its members do not match its map"};
  }
  if (const auto named = check_named_workers(saved); !named) return named.error();
  if (saved.rate_percent &&
      (*saved.rate_percent < Dilation::percent_min || *saved.rate_percent > 100)) {
    return Error{"its rate of world time is out of range"};
  }
  if (saved.fabric.send > saved.fabric.newest || saved.fabric.newest > FabricEpochs::number_max ||
      saved.fabric.deal > FabricEpochs::number_max) {
    return Error{"its key epochs of the fabric are out of range"};
  }
  if (blocks_granted(saved) > handle_blocks_max) return Error{"it grants more handles than exist"};
  const WorldBox world{settings.world_low, settings.world_high};
  if (const auto box = check_box(world, saved.map.regions); !box) return box.error();
  const auto space = space_of(settings, saved);
  if (!space) return space.error();
  const std::vector<RegionEntry> boxes = drawn(world, *space);
  bool fits = boxes.size() == saved.map.regions.size();
  for (std::size_t i = 0; fits && i < boxes.size(); ++i) {
    const RegionEntry& region = saved.map.regions[i];
    fits = region.region == boxes[i].region && region.low == boxes[i].low &&
           region.high == boxes[i].high;
  }
  if (!fits) return Error{"its regions have planes that are not allowed here"};
  return Ok{};
}

}  // namespace perigee::directory
