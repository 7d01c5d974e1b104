#include "map_stream.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "perigee/host/map_difference.hpp"

namespace perigee::directory {

grpc::ServerWriteReactor<v1::ClusterMap>* MapStream::add(grpc::CallbackServerContext& context,
                                                         bool differences) {
  if (!differences) return stream_.add(context);
  return stream_.add(context,
                     [this](const Map& had, const Map& newest) { return step(had, newest); });
}

void MapStream::send(Map map) {
  Map forgotten;  // freed without the mutex
  {
    const std::lock_guard lock(mutex_);
    if (bases_.size() == bases_max) {
      forgotten = std::move(bases_.front());
      bases_.pop_front();
    }
    bases_.push_back(map);
  }
  stream_.send(std::move(map));
}

/// Null: the whole map.
MapStream::Map MapStream::step(const Map& had, const Map& newest) {
  if (newest_.lock() != newest) {
    newest_ = newest;
    differences_.clear();
  }
  const auto known = std::find_if(differences_.begin(), differences_.end(),
                                  [&](const Difference& each) { return each.base.lock() == had; });
  if (known != differences_.end()) return known->difference;
  auto difference = host::map_difference(*had, *newest);
  differences_.push_back({had, nullptr});
  if (difference) {
    differences_.back().difference = std::make_shared<const v1::ClusterMap>(std::move(*difference));
  }
  return differences_.back().difference;
}

}  // namespace perigee::directory
