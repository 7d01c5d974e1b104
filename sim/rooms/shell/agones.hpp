/// The sidecar of Agones beside a process of rooms, by gRPC: keeps the process's state in its
/// fleet, and learns the address of its players. A sidecar that is missing, slow or
/// wrong costs a warning and further attempts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "perigee/host/loop.hpp"
#include "perigee/rooms/fleet_member.hpp"

namespace perigee::rooms {

struct AgonesOptions {
  std::string target;  ///< host:port of the sidecar
  std::uint64_t schema_hash = 0;
  std::uint32_t rooms_max = 0;
  std::uint32_t clients_max = 0;
};
/// The sidecar of this pod: its port is AGONES_SDK_GRPC_PORT, or 9357.
std::string agones_target();

/// All functions and events on the loop's thread.
class Agones {
 public:
  static constexpr Micros call_us_max = 2'000'000;    ///< then a call counts as failed
  static constexpr Micros health_us_max = 2'000'000;  ///< between two signs of life, at most
  /// After the last room the sidecar has so long to take the goodbye.
  static constexpr Micros farewell_us_max = 5'000'000;
  /// Of the ports of the game server, the one with this name is the players', or the only one.
  static constexpr const char* port_name = "players";

  struct Events {
    std::function<void(std::string host_and_port)> found;  ///< the players' address; at each change
    std::function<void()> leave;                           ///< the manager removes this process
  };
  /// Signs of life begin at once.
  Agones(host::Loop& loop, AgonesOptions options, Events events);
  ~Agones();
  Agones(const Agones&) = delete;
  Agones& operator=(const Agones&) = delete;

  /// From the first call on the process is a member of its fleet. Ten times a second.
  void show(const FleetFigures& figures);
  /// The sidecar has the goodbye, or has had its time for it.
  bool done() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::rooms
