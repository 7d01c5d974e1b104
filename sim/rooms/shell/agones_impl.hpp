/// The inside of Agones: agones.cpp has the streams, agones_calls.cpp the calls.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "agones.hpp"
#include "agones_beta.grpc.pb.h"
#include "agones_news.hpp"
#include "agones_streams.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/host/calls_under_way.hpp"

namespace perigee::rooms {
namespace sdk = agones::dev::sdk;

struct Agones::Impl : std::enable_shared_from_this<Impl> {
  Impl(host::Loop& loop, AgonesOptions options, Events events);
  void start();
  void beat();
  void keep_health(Micros now_us);
  void keep_watch(Micros now_us);
  void ask_once(Micros now_us);
  void make(FleetCall call);
  void set_counter(FleetCall call, const char* name, std::uint32_t count, std::uint32_t capacity);
  struct OpenCall {
    grpc::ClientContext context;
  };
  template <class Open>
  std::shared_ptr<Open> begin();
  template <class Reply, class Begin>
  void tell(FleetCall call, Begin method);
  void on_seen(const GameServerNews& seen);
  void note(const grpc::Status& status, std::string_view what);
  void answered(FleetCall call, const grpc::Status& status);
  /// Runs `then` on the loop's thread, if this still exists then.
  template <class Then>
  void on_loop(const Then& then) {
    loop.post([weak = weak_from_this(), then] {
      if (const auto alive = weak.lock()) then(*alive);
    });
  }
  void stop();

  host::Loop& loop;
  const AgonesOptions options;
  const Events events;
  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<sdk::SDK::Stub> stub;
  const std::unique_ptr<sdk::beta::SDK::Stub> counters;

  // The loop's thread only.
  std::optional<host::Timer> timer;
  FleetMember member;
  std::optional<FleetFigures> figures;
  std::shared_ptr<HealthStream> health;
  Micros health_us = health_us_max;
  Micros beaten_at_us = 0;
  Micros health_retry_at_us = 0;
  std::shared_ptr<WatchStream> watch;
  Micros watch_retry_at_us = 0;
  bool informed = false;  // since the watch began
  Micros ask_at_us = 0;   // not before; a call under way: far ahead
  std::string found;
  bool left = false;
  bool complained = false;
  std::optional<Micros> ended_at_us;

  host::CallsUnderWay calls;

  std::mutex mutex;  // guards everything below
  std::condition_variable changed;
  std::size_t streams = 0;
  std::optional<GameServerNews> last_seen;
};

/// A call with its deadline, until calls.end().
template <class Open>
std::shared_ptr<Open> Agones::Impl::begin() {
  auto open = std::make_shared<Open>();
  open->context.set_deadline(std::chrono::system_clock::now() +
                             std::chrono::microseconds(call_us_max));
  const bool runs = calls.begin(open->context, host::Loop::clock_us() + call_us_max);
  PERIGEE_ASSERT(runs, "calls begin on the loop's thread, which also stops them");
  return open;
}

}  // namespace perigee::rooms
