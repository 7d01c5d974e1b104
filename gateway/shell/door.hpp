/// Runs the gateway's core: sockets, clock, directory and timers. Everything runs on the loop's
/// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exported.hpp"
#include "perigee/fabric_seal/seal.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/session_link.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/tracing/connect_spans.hpp"
#include "tracer.hpp"

namespace perigee::gateway {

struct DoorOptions {
  Address listen;                      ///< UDP address for clients
  Address fabric;                      ///< UDP address for workers
  Address public_udp;                  ///< the address in tokens
  Address fabric_reach;                ///< address of `fabric` for workers
  std::optional<Address> door_listen;  ///< UDP address for doors, the relays of browsers
  Address grpc_reach;                  ///< address of the gRPC server for operators
  std::string name;                    ///< unique in the cluster
  std::string directory;
  std::string session;  ///< control port of the session service; empty: tokens are not claimed
  const host::ClusterTls* tls = nullptr;  ///< for calls; null: without TLS. Read by open() alone
  tracing::Tracer* tracer = nullptr;      ///< null: no spans. Outlives the door
  Micros drain_us_max = 5'000'000;        ///< limit for prepare_to_close()
  Micros busy_poll_us = 0;  ///< polls this long after the last datagram; 0: sleeps at once
  fabric_seal::PlainEpochs plain_epochs = fabric_seal::PlainEpochs::Refused;
  CoreSettings core;  ///< slot and transport.address are filled in
};

class Door : private Outputs {
 public:
  Door(host::Loop& loop, Exported& exported, const DoorOptions& options);
  ~Door() override;
  /// Opens the sockets and starts to connect to the directory.
  Result<Ok> open();
  /// Registered, with a map and a synchronized clock.
  bool ready() const;
  /// The reason why it is not ready; empty once it is.
  std::string_view not_ready_because() const;
  /// From now on, tokens sealed with either key are accepted.
  void set_keys(const host::BackendKeys& keys);
  /// The same for headers of doors.
  void set_door_keys(const host::BackendKeys& keys);
  /// Called ten times a second: updates the metrics, and passes the clients' addresses to the
  /// kernel.
  void show();
  /// Null before the directory has registered the gateway.
  const Core* core() const { return core_ ? &*core_ : nullptr; }
  /// Makes sure that clients can reconnect at another gateway, if one is alive.
  void prepare_to_close();
  /// Whether all clients can reconnect, or there is no other gateway, or the wait has timed out.
  bool may_close() const;
  /// Notifies clients and workers; stop the loop a little later, so that the datagrams are sent.
  void close();

 private:
  void to_client(const Address& to, std::span<const std::byte> datagram) override;
  void to_door(const Address& path, std::span<const std::byte> datagram) override;
  void to_fabric(const Address& to, std::span<const std::byte> datagram) override;
  void on_telemetry(const Telemetry& telemetry) override;
  void on_own_block(Tick tick, Micros received_us, Micros sent_us) override;
  void claim(const transport::ClaimRequest& request) override;
  void want_resume_token(std::uint64_t client_id) override;
  void joined(std::uint64_t client_id) override;
  void released(std::uint64_t client_id, std::uint64_t issue, Release how) override;
  void on_techniques(std::uint64_t client_id, std::uint64_t order_id,
                     const Techniques& techniques) override;

  void link_session();
  void on_registered(const host::Registration& registration);
  void on_map(const ClusterMap& map);
  using OnDatagram = void (Core::*)(Micros, std::uint64_t, const ClientDatagram&);
  void on_clients(std::span<const host::Datagram> datagrams, OnDatagram take);
  void on_workers(std::span<const host::Datagram> datagrams);
  void end_turn();
  void introduce_clients();

  host::Loop& loop_;
  Exported& exported_;
  DoorOptions options_;
  ClusterMap map_;
  fabric_seal::Seal seal_;
  std::optional<Core> core_;
  std::optional<host::UdpSocket> outside_;  ///< receives packets of sessions, sends everything
  /// A second socket on the same port: requests, answers, garbage.
  std::optional<host::UdpSocket> handshakes_;
  std::optional<host::UdpSocket> doors_;
  std::optional<host::UdpSocket> fabric_;
  std::optional<host::DirectoryClient> directory_;
  std::optional<host::SessionLink> session_;
  std::optional<tracing::ConnectSpans> spans_;
  host::Timer timer_;
  bool closed_ = false;
  std::optional<Micros> closing_since_us_;
  std::uint64_t introduced_changes_ = 0;  ///< value of client_changes() that the sockets reflect
  Micros armed_us_ = 0;                   ///< 0: the timer is not set
  Micros first_received_us_ = 0;          ///< the turn's first datagram; 0: none
};

}  // namespace perigee::gateway
