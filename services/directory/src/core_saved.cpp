// Initial state of the directory's core, and restoring it from its saved state.
#include <algorithm>
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
  PERIGEE_ASSERT(space.ok(), "settings.regions must be checked by the caller");
  return std::move(space).value();
}

Space known_space(const CoreSettings& settings, const Saved& saved) {
  auto space = space_of(settings, saved);
  PERIGEE_ASSERT(space.ok(), "saved state must pass check()");
  return std::move(space).value();
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
          .rate_percent = parts_->time.ordered_percent()};
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
  if (saved.rate_percent &&
      (*saved.rate_percent < Dilation::percent_min || *saved.rate_percent > 100)) {
    return Error{"its rate of world time is out of range"};
  }
  if (blocks_granted(saved) > handle_blocks_max) return Error{"it grants more handles than exist"};
  const auto space = space_of(settings, saved);
  if (!space) return space.error();
  const std::vector<RegionEntry> boxes = drawn({settings.world_low, settings.world_high}, *space);
  bool fits = boxes.size() == saved.map.regions.size();
  for (std::size_t i = 0; fits && i < boxes.size(); ++i) {
    const RegionEntry& region = saved.map.regions[i];
    fits = region.region == boxes[i].region && region.low == boxes[i].low &&
           region.high == boxes[i].high;
    if (region.owner && region.owner->index() >= saved.workers.size()) {
      return Error{"a region's owner is not a worker"};
    }
  }
  if (!fits) return Error{"its regions have planes that are not allowed here"};
  return Ok{};
}

}  // namespace perigee::directory
