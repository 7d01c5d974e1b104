/// Sockets, clock, directory and timers around the gateway's core. Everything on the loop's thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exported.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/session_link.hpp"
#include "perigee/host/udp_socket.hpp"

namespace perigee::gateway {

struct DoorOptions {
  Address listen;        ///< of clients
  Address fabric;        ///< of workers
  Address public_udp;    ///< what tokens name
  Address fabric_reach;  ///< where workers find `fabric`
  std::string name;      ///< unique in the cluster
  std::string directory;
  std::string session;  ///< control port of the session service; empty: tokens are not claimed
  Micros drain_us_max = 5'000'000;  ///< of prepare_to_close()
  Micros busy_poll_us = 0;  ///< looks for datagrams this long after the last one; 0: sleeps at once
  CoreSettings core;        ///< slot and transport.address are filled in
};

class Door : private Outputs {
 public:
  Door(host::Loop& loop, Exported& exported, const DoorOptions& options);
  ~Door() override;
  /// Opens the sockets and begins to look for the directory.
  Result<Ok> open();
  /// Registered, with a map and a good clock.
  bool ready() const;
  /// Why not; empty once it is.
  std::string_view not_ready_because() const;
  /// Tokens sealed with either key are good from now on.
  void set_keys(const host::BackendKeys& keys);
  /// Ten times a second: brings metrics up to date, and tells the kernel who the clients are.
  void show();
  /// Sees to it that clients can come back by another gateway, if one lives.
  void prepare_to_close();
  /// They can, or there is no other, or it has taken too long.
  bool may_close() const;
  /// Tells clients and workers; stop the loop a little later, so that the datagrams leave.
  void close();

 private:
  void to_client(const Address& to, std::span<const std::byte> datagram) override;
  void to_fabric(const Address& to, std::span<const std::byte> datagram) override;
  void on_telemetry(const Telemetry& telemetry) override;
  void on_own_block(Tick tick, Micros received_us, Micros sent_us) override;
  void claim(const transport::ClaimRequest& request) override;
  void want_resume_token(std::uint64_t client_id) override;
  void released(std::uint64_t client_id, std::uint64_t issue, Release how) override;
  void on_techniques(std::uint64_t client_id, std::uint64_t order_id,
                     const Techniques& techniques) override;

  void link_session();
  void on_registered(const host::Registration& registration);
  void on_map(const ClusterMap& map);
  void on_clients(std::span<const host::Datagram> datagrams);
  void on_workers(std::span<const host::Datagram> datagrams);
  void end_turn();
  void introduce_clients();

  host::Loop& loop_;
  Exported& exported_;
  DoorOptions options_;
  ClusterMap map_;
  std::optional<Core> core_;
  std::optional<host::UdpSocket> outside_;     ///< packets of sessions in, everything out
  std::optional<host::UdpSocket> handshakes_;  ///< the same port: requests, answers, garbage
  std::optional<host::UdpSocket> fabric_;
  std::optional<host::DirectoryClient> directory_;
  std::optional<host::SessionLink> session_;
  host::Timer timer_;
  bool closed_ = false;
  std::optional<Micros> closing_since_us_;
  std::uint64_t introduced_changes_ = 0;  ///< of the core's clients, that the sockets know of
  Micros armed_us_ = 0;                   ///< 0: the timer is not set
  Micros first_received_us_ = 0;          ///< of this turn; 0: none
};

}  // namespace perigee::gateway
