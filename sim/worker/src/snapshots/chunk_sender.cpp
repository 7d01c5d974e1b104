#include "perigee/worker/snapshots/chunk_sender.hpp"

#include <algorithm>

namespace perigee::worker {
namespace {

constexpr double chunks_listed_m = 30;   // versions of chunks this near
constexpr double forgotten_m = 60;       // beyond this, the client's versions are forgotten
constexpr double contents_per_own = 1;   // 30 a second and client ...
constexpr double contents_at_once = 16;  // ... after a while without any

}  // namespace

void ChunkSender::list(ObserverState& state, const Player& player, OwnSection& own) const {
  state.contents_left = std::min(state.contents_left + contents_per_own, contents_at_once);
  const auto parent = needs_.world.pose(player.parent, needs_.next);
  if (!parent) return;
  const Vec3 at = transform(*parent, player.state.position);
  FixedVector<double, OwnSection::chunks_max> distances_m;
  for (const Handle handle : needs_.world.patches()) {
    // The owner of the patch lists its chunks when the player is migrated there.
    if (needs_.world.find(handle)->remote) continue;
    const world::VoxelPatch& patch = *needs_.world.voxels(handle);
    const world::VoxelPlan& plan = patch.plan();
    const Vec3 local = inverse_transform(*needs_.world.pose(handle, needs_.next), at);
    const double away_m = replication::distance_to(plan.bounds_of({}, plan.size), local);
    if (!needs_.publisher.knows(state.observer, handle) || away_m > forgotten_m) {
      state.chunks.erase(handle);
      continue;
    }
    if (away_m > chunks_listed_m) continue;
    ObserverState::Chunks& chunks = state.chunks[handle];
    chunks.has.resize(plan.chunks());
    chunks.sent.resize(plan.chunks());
    for (std::uint16_t chunk = 0; chunk < plan.chunks(); ++chunk) {
      if (chunks.has[chunk] == patch.version(chunk)) continue;
      const world::Cell low = plan.chunk_corner(chunk);
      const world::Cell high{low.x + chunk_cells, low.y + chunk_cells, low.z + chunk_cells};
      const double chunk_m = replication::distance_to(plan.bounds_of(low, high), local);
      if (chunk_m > chunks_listed_m) continue;
      if (distances_m.full()) {
        if (distances_m.back() <= chunk_m) continue;
        distances_m.erase(distances_m.size() - 1);
        own.chunks.erase(own.chunks.size() - 1);
      }
      std::size_t place = distances_m.size();
      while (place > 0 && distances_m[place - 1] > chunk_m) --place;
      distances_m.insert(place, chunk_m);
      own.chunks.insert(place, {handle, chunk, patch.version(chunk)});
    }
  }
}

void ChunkSender::on_report(ObserverState& state, const ChunkFrame& frame) {
  if (frame.stream_epoch != state.observer.stream_epoch) return;
  for (const ChunkReport& report : frame.reports) {
    const auto& [handle, chunk, version] = report.has;
    const world::VoxelPatch* patch = needs_.world.voxels(handle);
    const auto known = state.chunks.find(handle);
    if (patch == nullptr || known == state.chunks.end() || chunk >= patch->plan().chunks()) {
      needs_.counts.add(metric.chunk_reports_refused);
      continue;
    }
    const std::uint16_t newest = patch->version(chunk);
    if (!report.lacks) {
      if (version == newest) known->second.has[chunk] = newest;
      continue;
    }
    if (known->second.sent[chunk] == newest) continue;  // it is in flight
    if (state.contents_left < 1) {
      needs_.counts.add(metric.chunks_deferred);
      continue;
    }
    if (!state.observer.events.push(ChunkEvent{{handle, chunk, newest}, patch->chunk(chunk)},
                                    false)) {
      needs_.counts.add(metric.events_deferred);
      continue;
    }
    known->second.sent[chunk] = newest;
    state.contents_left -= 1;
    needs_.counts.add(metric.chunks_sent);
  }
}

}  // namespace perigee::worker
