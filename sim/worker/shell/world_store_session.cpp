#include "world_store_session.hpp"

#include <utility>

namespace perigee::worker {

WorldStoreSession::WorldStoreSession(host::Loop& loop, world_store::Store& store,
                                     const world::GameModule& game, StoreThread::Events events)
    : thread_(loop, store, game,
              StoreThread::Events{.begun =
                                      [this, begun = std::move(events.begun)] {
                                        begun_ = true;
                                        begun();
                                      },
                                  .stored = std::move(events.stored),
                                  .loaded =
                                      [this, loaded = std::move(events.loaded)](auto checkpoint) {
                                        loading_ = false;
                                        loaded(std::move(checkpoint));
                                      },
                                  .kept = std::move(events.kept),
                                  .profile = std::move(events.profile)}) {}

bool WorldStoreSession::knows(const ClusterMap& map, WorkerSlot slot) {
  const WorkerEntry* entry = map.worker(slot);
  if (entry == nullptr) return true;
  const world_keeper::Self self{map.cluster_id, slot, entry->incarnation};
  if (self_ != self) {
    self_ = self;
    begun_ = false;
    thread_.begin(self);
  }
  return begun_;
}

void WorldStoreSession::fence(const ClusterMap& map) {
  if (fenced_ == map.failover_records) return;
  fenced_ = map.failover_records;
  thread_.fence(map);
}

void WorldStoreSession::load(const ClusterMap& map) {
  if (!std::exchange(loading_, true)) thread_.load(map);
}

std::string_view WorldStoreSession::not_ready_because() {
  if (!begun_) return "the world store does not answer: see the log";
  if (thread_.behind()) return "the world store does not work: see the log";
  return {};
}

}  // namespace perigee::worker
