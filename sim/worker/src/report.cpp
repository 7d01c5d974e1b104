// The report to the directory, once a second.
#include <algorithm>
#include <unordered_map>

#include "perigee/worker/core.hpp"
#include "shard.hpp"

namespace perigee::worker {
namespace {

/// Microseconds per tick. Only their ratios count, because the measured time is distributed by
/// them. From docs/benchmarks.md, `tick`: 300 players more cost 5.3 ms; of 11.5 ms half is physics
/// with 1,400 awake bodies, and a third the publication of 10,000 entities.
constexpr double player_us = 18;
constexpr double awake_body_us = 4;
constexpr double thing_us = 0.4;
/// Caused by other workers: a moving ghost, and a remote player that receives records from here.
constexpr double moving_ghost_us = 3;
constexpr double observer_us = 10;
/// Smoothing of the time per weight: it follows measurements within three reports, so that noise
/// does not move borders. The weight of a migrated entity moves at once with the entity.
constexpr double news_share = 0.4;

struct InCell {
  CostCell cell{};
  double us = 0;
  std::uint32_t things = 0;
};

double weight_us(world::EntityKind kind, bool resting) {
  if (kind == world::EntityKind::Actor) return player_us;
  return kind == world::EntityKind::Body && !resting ? awake_body_us + thing_us : thing_us;
}

/// No player is that far out, but a body may be anywhere.
bool in_any_cell(const Vec3& at) {
  constexpr double edge_m = cost_cell_m * (WorkerReport::cell_max - 1);
  return std::abs(at.x) < edge_m && std::abs(at.y) < edge_m && std::abs(at.z) < edge_m;
}

/// The cost of the largest island: a body, the entities that it carries, and all that these touch.
/// Checks the few bodies that carry most. If none of them carries much, the largest island is
/// small.
double largest_island_us(const replication::Publisher& things, const world::World& world) {
  constexpr std::size_t candidates = 4;
  const auto weight = [&](const replication::Published& thing) {
    return weight_us(world.types()[thing.type].kind, thing.resting);
  };
  std::unordered_map<Handle, double> on_body;
  things.for_each([&](const replication::Published& thing) {
    if (world.types()[thing.type].kind == world::EntityKind::Body && !thing.resting) {
      on_body[thing.handle] += weight(thing);
    }
  });
  things.for_each([&](const replication::Published& thing) {
    if (const auto body = on_body.find(thing.parent); body != on_body.end()) {
      body->second += weight(thing);
    }
  });
  std::vector<std::pair<double, Handle>> dearest;
  dearest.reserve(on_body.size());
  for (const auto& [body, us] : on_body) dearest.emplace_back(-us, body);
  const auto end =
      dearest.begin() + static_cast<std::ptrdiff_t>(std::min(candidates, dearest.size()));
  std::partial_sort(dearest.begin(), end, dearest.end());
  double largest_us = 0;
  for (auto body = dearest.begin(); body != end; ++body) {
    double us = 0;
    for (const Handle member : world.group_of(body->second).members) {
      us += weight_us(world.types()[world.find(member)->type].kind, false);
    }
    largest_us = std::max(largest_us, us);
  }
  return largest_us;
}

}  // namespace

/// The load that does not leave with migrated entities.
auto Core::of_others() const -> OfOthers {
  const std::size_t sent = observers_.size() - std::min(observers_.size(), players_.clients());
  OfOthers out{.all_us = observer_us * static_cast<double>(sent)};
  shard_->world.for_each_lively([&](const world::Entity& entity) {
    if (!entity.remote) return;
    out.all_us += moving_ghost_us;
    if (shard_->ghosts.copied(entity.handle)) out.copies_us += moving_ghost_us;
  });
  return out;
}

WorkerReport Core::report(std::optional<double> load_ms) {
  // Regions that wait for the checkpoint have no content yet: the directory must not change them.
  const WorkerEntry* self = map_.worker(slot_);
  WorkerReport out{.incarnation = self != nullptr ? self->incarnation : Incarnation{},
                   .map_version = awaits_checkpoint() ? 0 : map_.version,
                   .players = static_cast<std::uint32_t>(players_.clients())};
  if (shard_) {
    out.in_sync_with = shard_->standby_stream.in_sync_with();
    out.standby_word = shard_->standby_stream.word();
    out.suspects = shard_->replicas.suspects();
  }
  if (!ready() || self == nullptr) return out;
  // Groups in doubt still count, until their receiver has acknowledged them.
  shard_->migrations.for_each_in_doubt([&](std::span<const std::byte>) { ++out.entities; });
  for (const world::Present& of_type : shard_->world.present()) out.entities += of_type.own;
  out.handle_blocks = shard_->world.handle_blocks();
  std::erase_if(out.handle_blocks,
                [](HandleBlock block) { return block.number >= WorkerReport::handle_blocks_max; });

  std::unordered_map<std::uint64_t, InCell> by_cell;
  double sum_us = 0;
  publisher_.for_each([&](const replication::Published& thing) {
    if (!in_any_cell(thing.position)) return;
    const CostCell cell = cost_cell_at(thing.position);
    const auto bits = [](std::int32_t at) {
      return static_cast<std::uint64_t>(std::int64_t{at} + WorkerReport::cell_max);
    };
    InCell& in = by_cell[bits(cell[0]) << 42 | bits(cell[1]) << 21 | bits(cell[2])];
    const double us = weight_us(shard_->world.types()[thing.type].kind, thing.resting);
    in.cell = cell;
    in.us += us;
    ++in.things;
    sum_us += us;
  });
  const OfOthers others = of_others();
  const double all_us = sum_us + others.all_us;
  out.load_ms = load_ms.value_or(all_us * 1e-3);
  if (all_us > 0) {
    const double now = out.load_ms / all_us;
    ms_per_weight_ =
        ms_per_weight_ > 0 ? ms_per_weight_ + news_share * (now - ms_per_weight_) : now;
  }
  out.overhead_ms = others.all_us * ms_per_weight_;
  out.copies_ms = others.copies_us * ms_per_weight_;

  out.largest_island_ms = largest_island_us(publisher_, shard_->world) * ms_per_weight_;

  std::map<RegionId, std::uint32_t> regions;
  for (const auto& [bits, in] : by_cell) {
    out.cells.push_back({in.cell, in.us * ms_per_weight_});
    const RegionEntry* region = map_.region_at(middle_of(in.cell));
    if (region != nullptr) regions[region->region] += in.things;
  }
  for (const auto& [region, things] : regions) {
    if (out.regions.size() < WorkerReport::regions_max) out.regions.push_back({region, things});
  }
  keep_dearest(out.cells);
  out.players = std::min(out.players, out.entities);
  return out;
}

}  // namespace perigee::worker
