/// The world store as one worker incarnation uses it: begun, fenced and read when the map says so.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "perigee/host/directory_client.hpp"
#include "perigee/store_thread/store_thread.hpp"

namespace perigee::worker {

using store_thread::StoreThread;

class WorldStoreSession {
 public:
  /// `begun`: the store accepts what this incarnation writes.
  WorldStoreSession(host::Loop& loop, world_store::Store& store, const world::GameModule& game,
                    StoreThread::Events events);

  /// Whether the store knows the worker's incarnation of this map. Otherwise the store is told, and
  /// `begun` follows; until then the store would not keep anything that is written.
  bool knows(const ClusterMap& map, WorkerSlot slot);
  /// Fences incarnations that this map has as ended, if its failover records are new.
  void fence(const ClusterMap& map);
  /// Reads the newest checkpoint once; `loaded` follows.
  void load(const ClusterMap& map);
  /// Another incarnation begins: its checkpoint has not been read.
  void on_new_core() { loading_ = false; }

  /// The reason why the store cannot be used now; empty: it can.
  std::string_view not_ready_because();
  StoreThread& thread() { return thread_; }

 private:
  std::optional<world_keeper::Self> self_;  ///< the identity that the store's thread has
  bool begun_ = false;
  bool loading_ = false;
  std::vector<FailoverRecord> fenced_;  ///< the last records passed to the store
  // Last: its thread ends before the members that its callbacks use.
  StoreThread thread_;
};

}  // namespace perigee::worker
