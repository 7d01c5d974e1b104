/// Sim.Observe: makes an observation of the world for viewers, while there are any.
#pragma once

#include <memory>

#include "perigee/host/newest_stream.hpp"
#include "perigee/worker/observation.hpp"
#include "perigee/world/game.hpp"
#include "sim.pb.h"

namespace perigee::worker {

class ObservationFeed {
 public:
  static constexpr std::uint32_t viewers_max = 16;

  explicit ObservationFeed(const world::GameModule& game);
  /// A call of Sim.Observe.
  grpc::ServerWriteReactor<sim::v1::Observation>* add(grpc::CallbackServerContext& context) {
    return viewers_.add(context);
  }
  static grpc::ServerWriteReactor<sim::v1::Observation>* refuse(const grpc::Status& why) {
    return host::NewestStream<sim::v1::Observation>::refuse(why);
  }
  /// Called ten times a second on the loop's thread, with the world between two ticks. Null: there
  /// is none yet.
  void show(const world::World* world);
  void stop() { viewers_.stop(); }
  std::uint32_t viewers() const { return viewers_.counts().watching; }
  std::uint64_t cancelled() const { return viewers_.counts().cancelled; }

 private:
  sim::v1::Observation kinds_;  ///< with the kinds alone
  ObservationWriter writer_;
  host::NewestStream<sim::v1::Observation> viewers_{
      {.watchers_max = viewers_max, .unread_us_max = 5'000'000}};
};

}  // namespace perigee::worker
