// Initial state of the directory's core, and restoring it from its saved state.
#include <algorithm>
#include <utility>

#include "perigee/directory/core.hpp"
#include "perigee/netcode/assert.hpp"

namespace perigee::directory {
namespace {

constexpr std::uint64_t versions_skipped = 1'000'000;

/// Inner planes lie on the grid of cells; the world's outer faces are where the settings put them.
std::vector<RegionEntry> drawn(const CoreSettings& settings, const Space& space) {
  std::vector<RegionEntry> out;
  const CellBox& world = space.world();
  const auto face = [&](Axis axis, const CellBox& box, bool high) {
    const auto i = static_cast<std::size_t>(axis);
    const std::int32_t cell = high ? box.high[i] : box.low[i];
    const Vec3& edge = high ? settings.world_high : settings.world_low;
    if (cell != (high ? world.high[i] : world.low[i])) return cell * cell_m;
    return axis == Axis::X ? edge.x : axis == Axis::Y ? edge.y : edge.z;
  };
  for (const Leaf& leaf : space.leaves()) {
    RegionEntry region{.region = leaf.region};
    region.low = {face(Axis::X, leaf.box, false), face(Axis::Y, leaf.box, false),
                  face(Axis::Z, leaf.box, false)};
    region.high = {face(Axis::X, leaf.box, true), face(Axis::Y, leaf.box, true),
                   face(Axis::Z, leaf.box, true)};
    out.push_back(region);
  }
  std::sort(out.begin(), out.end(),
            [](const RegionEntry& a, const RegionEntry& b) { return a.region < b.region; });
  return out;
}

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
    out = std::max(out, worker.handle_base / handles_per_worker);
  }
  return out;
}

}  // namespace

Core::Core(const CoreSettings& settings, std::uint32_t incarnation, Micros now_us)
    : settings_(settings),
      space_(new_space(settings)),
      blocks_(0, now_us),
      balancer_(settings.balancing),
      dilation_(settings.dilating),
      advanced_us_(now_us) {
  map_.incarnation = incarnation;
  map_.version = 1;
  map_.time.base.wall_us = now_us;
  draw_map();
}

Core::Core(const CoreSettings& settings, Saved saved, Micros now_us)
    : settings_(settings),
      space_(known_space(settings, saved)),
      blocks_(blocks_granted(saved), now_us),
      balance_(saved.balance),
      balancer_(settings.balancing),
      dilation_(settings.dilating),
      ordered_percent_(saved.rate_percent),
      advanced_us_(now_us),
      unsure_until_us_(now_us + unsure_us) {
  map_ = std::move(saved.map);
  workers_ = std::move(saved.workers);
  gateways_ = std::move(saved.gateways);
  // Members ignore versions older than the last they saw, and the latest may not have been saved.
  map_.version += versions_skipped;
  for (const RegionEntry& region : map_.regions) note_change(region.region, std::nullopt);
  distrust_copies();
  for (const WorkerEntry& worker : map_.workers) {
    if (worker.alive) workers_[worker.slot].heard_us = now_us;
  }
  for (const GatewayEntry& gateway : map_.gateways) {
    if (gateway.alive) gateways_[gateway.slot].heard_us = now_us;
  }
  if (!workers_.empty()) first_worker_us_ = now_us;
  for (const RegionEntry& region : map_.regions) {
    if (!region.owner) lost_us_.emplace(region.region, now_us);
  }
}

Result<Ok> Core::check(const CoreSettings& settings, const Saved& saved) {
  const auto in_order = [](const auto& entries, const auto& members) {
    bool fits = entries.size() == members.size();
    for (std::size_t i = 0; fits && i < entries.size(); ++i) fits = entries[i].slot == i;
    return fits;
  };
  if (saved.map.incarnation == 0 || !in_order(saved.map.workers, saved.workers) ||
      !in_order(saved.map.gateways, saved.gateways)) {
    return Error{"its members do not match its map"};
  }
  if (saved.rate_percent &&
      (*saved.rate_percent < Dilation::percent_min || *saved.rate_percent > 100)) {
    return Error{"its rate of world time is out of range"};
  }
  if (blocks_granted(saved) > handle_blocks_max) return Error{"it grants more handles than exist"};
  const auto space = space_of(settings, saved);
  if (!space) return space.error();
  const std::vector<RegionEntry> boxes = drawn(settings, *space);
  bool fits = boxes.size() == saved.map.regions.size();
  for (std::size_t i = 0; fits && i < boxes.size(); ++i) {
    const RegionEntry& region = saved.map.regions[i];
    fits = region.region == boxes[i].region && region.low == boxes[i].low &&
           region.high == boxes[i].high;
    if (region.owner && *region.owner >= saved.workers.size()) {
      return Error{"a region's owner is not a worker"};
    }
  }
  if (!fits) return Error{"its regions have planes that are not allowed here"};
  return Ok{};
}

void Core::draw_map() {
  std::vector<RegionEntry> regions = drawn(settings_, space_);
  for (RegionEntry& region : regions) {
    const RegionEntry* known = map_.region(region.region);
    if (known == nullptr) continue;
    const Vec3 low = region.low, high = region.high;
    region = *known;
    region.low = low;
    region.high = high;
  }
  map_.regions = std::move(regions);
}

}  // namespace perigee::directory
