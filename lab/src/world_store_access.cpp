#include "perigee/lab/world_store_access.hpp"

#include <array>
#include <utility>

namespace perigee::lab {

WorldStoreAccess::WorldStoreAccess(Needs needs)
    : queue_(needs.queue),
      processes_(needs.processes),
      delay_us_(needs.delay_us),
      after_stored_(needs.after_stored) {
  if (!delay_us_) return;
  store_ = std::move(world_store::open_sqlite(":memory:")).value();
  keeper_ = std::make_unique<world_keeper::Keeper>(*store_, needs.game);
}

// Results are reported only to the process that asked.
void WorldStoreAccess::write_soon(std::size_t index, std::function<void()> work) {
  writers_[index].waiting.push_back(std::move(work));
  queue_.after(*delay_us_, [this, index, incarnation = processes_[index].incarnation] {
    write_one(index, incarnation);
  });
}

void WorldStoreAccess::write_one(std::size_t index, std::uint64_t incarnation) {
  if (!processes_.runs(index, incarnation)) return;
  if (!works() || processes_.stands_still(index)) {
    return queue_.after(*delay_us_, [this, index, incarnation] { write_one(index, incarnation); });
  }
  auto& waiting = writers_[index].waiting;
  const auto work = std::move(waiting.front());
  waiting.pop_front();
  work();
}

void WorldStoreAccess::connect(std::size_t index, const ClusterMap& map) {
  if (!exists()) return;
  if (writers_.size() <= index) writers_.resize(index + 1);
  Writer* writer = &writers_[index];
  const WorkerEntry& entry = map.workers[index];
  *writer = {.self = {map.cluster_id, entry.slot, entry.incarnation}};
  PERIGEE_ASSERT(keeper_->begin(writer->self).ok(), "the store must belong to this world");
  WorkerProcess* process = &processes_[index];
  process->core->outputs.to_store = [this, index, writer, process](const worker::OutcomeRow& row) {
    write_soon(index, [this, writer, process, row] {
      const auto became = keeper_->append(writer->self, std::array{row});
      PERIGEE_ASSERT(became.ok(), "a store in memory must not fail");
      if (after_stored_ && became->front() == worker::Journalled::Stands) after_stored_(row.entry);
      process->core->on_stored(row.number, became->front());
    });
  };
  process->core->outputs.to_lasting = [this, index, writer,
                                       process](const worker::LastingRow& row) {
    write_soon(index, [this, writer, process, row] {
      const std::int64_t unix_s = queue_.now_us() / 1'000'000;
      const auto became = keeper_->keep(writer->self, std::array{row}, unix_s);
      PERIGEE_ASSERT(became.ok(), "a store in memory must not fail");
      process->core->on_kept(row.number, became->front());
    });
  };
  process->core->outputs.take_profile = [this, index, writer, process](std::uint64_t number,
                                                                       std::uint64_t owner) {
    write_soon(index, [this, writer, process, number, owner] {
      const auto profiles = keeper_->take_profiles(writer->self, std::array{owner});
      PERIGEE_ASSERT(profiles.ok(), "a store in memory must not fail");
      process->core->on_profile(number, profiles->front());
    });
  };
  process->core->outputs.to_checkpoint = [this, index, writer](worker::CheckpointPart part) {
    write_soon(index, [this, writer, part = std::move(part)] {
      PERIGEE_ASSERT(keeper_->write(writer->self, part).ok(), "a store in memory must not fail");
    });
  };
}

void WorldStoreAccess::fence_the_dead(std::size_t index, const ClusterMap& map) {
  if (!exists() || writers_[index].failover_records == map.failover_records) return;
  writers_[index].failover_records = map.failover_records;
  write_soon(index, [this, self = writers_[index].self, map] {
    PERIGEE_ASSERT(keeper_->fence(self, map).ok(), "a store in memory must not fail");
  });
}

void WorldStoreAccess::restore(std::size_t index, const ClusterMap& map, Tick start) {
  const auto checkpoint = keeper_->load(writers_[index].self, map);
  PERIGEE_ASSERT(checkpoint.ok(), "a written checkpoint must be readable");
  processes_[index].core->restore(*checkpoint, start);
}

}  // namespace perigee::lab
