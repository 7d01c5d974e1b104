/// The listener's thread: its connections and the bytes that wait for gRPC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "descriptor.hpp"
#include "guarded_connection.hpp"
#include "perigee/host/connection_crowd.hpp"
#include "perigee/host/guarded_listener.hpp"

struct epoll_event;

namespace perigee::host {

/// The source of an epoll event.
enum Side : std::uint64_t { of_client, of_server, of_listener, of_waker, sides };
constexpr std::uint64_t key_of(Side side, std::uint64_t id = 0) { return id * sides + side; }

/// Kernel buffer of each direction of a connection.
inline constexpr int kernel_bytes_max = 64 * 1024;

struct GuardedListener::Impl {
  Impl(Descriptor on, const GrpcLimits& wanted, const TlsServer* encrypted);
  void run();
  void take_orders();
  void set_epoll(int what, int descriptor, std::uint32_t events, std::uint64_t key);
  void accept_some();
  void admit(Descriptor client, const Address& from);
  void on_event(const epoll_event& event);
  void settle(GuardedConnection& connection, const GuardedConnection::Moved& moved);
  bool may_pass(const GuardedConnection& connection) const;
  void pass(GuardedConnection& connection);
  void pass_waiting();
  bool give_to_server(GuardedConnection& connection);
  void follow(GuardedConnection& connection);
  void follow_end(int descriptor, std::uint32_t& sent, std::uint32_t events, std::uint64_t key);
  void count(GrpcBreach why);
  void close(std::uint64_t id);
  void close_crowded(std::optional<std::uint64_t> chosen);
  void close_late(Micros now_us);
  void close_revoked();
  std::vector<CrowdMember> crowd() const;

  const GrpcLimits limits;
  const TlsServer* const tls;  ///< null: plain
  Descriptor listener, epoll, waker;
  HandOver hand_over;
  std::map<std::uint64_t, GuardedConnection> connections;
  /// Closed here but not cleaned up by gRPC yet. They count as open: otherwise memory would grow
  /// with the rate at which unauthenticated clients connect and disconnect.
  std::vector<GuardedConnection::FarEnd> clearing;
  std::set<std::uint64_t> waiting;  ///< connections with bytes for gRPC
  std::uint64_t made = 0;
  Micros next_look_us = 0;
  std::uint64_t tls_generation = 0;  ///< for which connections were looked at
  std::array<std::byte, GuardedConnection::read_bytes_max> room{};

  mutable std::mutex mutex;
  Counts<GrpcBreach> breaches;          // guarded by mutex
  std::size_t connections_counted = 0;  // guarded by mutex; of the last turn
  bool accepting = true;                // guarded by mutex
  bool stopping = false;                // guarded by mutex
  std::latch accepts_no_more{1};
  std::thread thread;
};

}  // namespace perigee::host
