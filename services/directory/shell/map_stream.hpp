/// The streams of the cluster map to members: whole maps, and for watchers that understand them,
/// differences to the map that the watcher has.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "directory.grpc.pb.h"
#include "perigee/host/newest_stream.hpp"

namespace perigee::directory {

class MapStream {
 public:
  using Map = std::shared_ptr<const v1::ClusterMap>;
  /// Maps that may be the base of a difference. A watcher that is further behind gets a whole map.
  static constexpr std::size_t bases_max = 16;

  explicit MapStream(std::uint32_t watchers_max) : stream_({.watchers_max = watchers_max}) {}

  grpc::ServerWriteReactor<v1::ClusterMap>* add(grpc::CallbackServerContext& context,
                                                bool differences);
  static grpc::ServerWriteReactor<v1::ClusterMap>* refuse(const grpc::Status& status) {
    return Stream::refuse(status);
  }
  /// Any thread; does not wait for watchers.
  void send(Map map);
  void stop() { stream_.stop(); }
  std::uint32_t watching() const { return stream_.counts().watching; }

 private:
  using Stream = host::NewestStream<v1::ClusterMap>;
  Map step(const Map& had, const Map& newest);

  std::mutex mutex_;
  std::deque<Map> bases_;  ///< guarded by mutex_; the newest last

  // Only for the stream's thread: the differences to one map, which most watchers share.
  struct Difference {
    std::weak_ptr<const v1::ClusterMap> base;
    Map difference;
  };
  std::weak_ptr<const v1::ClusterMap> newest_;
  std::vector<Difference> differences_;
  Stream stream_;  ///< last: its thread uses the members above
};

}  // namespace perigee::directory
