/// The open WatchMap calls: each is sent every new cluster map. A watcher costs memory but no
/// thread, and a slow watcher does not delay the others.
#pragma once

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "directory.pb.h"

namespace perigee::directory {

class MapWatchers {
 public:
  explicit MapWatchers(std::uint32_t watchers_max);
  ~MapWatchers();

  /// A watcher that is sent the newest map and each later one; a slow one skips maps in between.
  /// The call ends at once if there are `watchers_max` already, or after stop().
  grpc::ServerWriteReactor<v1::ClusterMap>* add();
  /// A call that ends at once.
  static grpc::ServerWriteReactor<v1::ClusterMap>* refuse(const grpc::Status& status);
  void send(std::shared_ptr<const v1::ClusterMap> newest);
  /// Ends all watches; a write under way completes first.
  void stop();
  std::uint32_t count() const;

 private:
  class Watcher;
  void run();
  void on_written(Watcher& watcher, bool ok);
  void on_cancelled(Watcher& watcher);

  const std::uint32_t watchers_max_;
  mutable std::mutex mutex_;
  std::condition_variable woken_;
  std::set<Watcher*> watchers_;
  std::shared_ptr<const v1::ClusterMap> newest_;
  bool stopping_ = false;
  std::thread writer_;
};

}  // namespace perigee::directory
