/// The gateway without its sockets: netcode towards clients, fabric towards workers. Driven by
/// (now, event); sends through Outputs. All memory is allocated at construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/technique_order.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/gateway/block_sender.hpp"
#include "perigee/gateway/client_frames.hpp"
#include "perigee/gateway/client_payloads.hpp"
#include "perigee/gateway/client_telemetry.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/disconnector.hpp"
#include "perigee/gateway/door_paths.hpp"
#include "perigee/gateway/echoes.hpp"
#include "perigee/gateway/endings.hpp"
#include "perigee/gateway/joins.hpp"
#include "perigee/gateway/leaves.hpp"
#include "perigee/gateway/outputs.hpp"
#include "perigee/gateway/resume_tokens.hpp"
#include "perigee/gateway/sessions.hpp"
#include "perigee/gateway/technique_orders.hpp"
#include "perigee/gateway/worker_links.hpp"
#include "perigee/gateway/worker_records.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::gateway {

struct CoreSettings {
  GatewaySlot slot;  ///< the slot that the directory granted
  /// gateway_number is set to `slot`, issue_of to ours; clients_max limits the sessions.
  transport::ServerSettings transport;
  /// Blocks wait this long for those of other workers. 0..20000 µs; more: fewer packets, more
  /// latency.
  Micros coalesce_us = 1'000;
  std::uint32_t payloads_per_flush_max = 4;  ///< 1..16; more: one client takes more of a turn
  std::optional<DoorKeys> door_keys;         ///< none: no clients behind doors
  /// Each region is a world of its own: a client plays in the region of its token or not at all,
  /// and its session ends with the region.
  bool rooms = false;
};

struct ClientDatagram {
  Address from;
  Micros received_us = 0;      ///< on the clock of now_us; the kernel's stamp, if there is one
  FineTick received;           ///< `received_us` on the world's clock
  std::span<std::byte> bytes;  ///< decrypted in place
};

/// Owns the components, and starts and ends sessions in all of them.
class Core : private transport::Outbox, private Disconnector {
 public:
  static constexpr Micros housekeeping_period_us = 10'000;

  /// The only source of random bytes.
  Core(const CoreSettings& settings, const transport::RandomBytes& random, Outputs& outputs);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// Older versions of the same incarnation are ignored.
  void on_map(Micros now_us, const ClusterMap& map);
  void on_client_datagram(Micros now_us, std::uint64_t unix_s, const ClientDatagram& datagram);
  /// Of a door: a sealed header, then a client's datagram. Only with CoreSettings::door_keys.
  void on_door_datagram(Micros now_us, std::uint64_t unix_s, const ClientDatagram& datagram);
  void on_fabric_datagram(Micros now_us, const Address& from, std::span<const std::byte> datagram);
  /// Does everything that is due: keep-alives, timeouts, joins, leaves, coalesced blocks.
  void advance(Micros now_us, std::uint64_t unix_s);
  void on_claim(Micros now_us, std::uint64_t claim_id, transport::Server::ClaimAnswer answer);
  /// A connect token of 2048 bytes. Ignored if the client is gone, or if it is no resume token.
  void on_resume_token(Micros now_us, std::uint64_t client_id, std::span<const std::byte> token);
  /// Renews at once all tokens that may name only gateways that are gone.
  void prepare_farewell(Micros now_us) { resume_tokens_.prepare_farewell(now_us); }
  /// True if there is no other gateway, or if each playing client has a token made since the last
  /// change of the other gateways or does not acknowledge tokens.
  bool could_all_come_back() const { return resume_tokens_.all_current(); }
  /// Disconnects the client if it is here; its avatar is removed at once.
  void kick_client(Micros now_us, std::uint64_t client_id);
  /// Sends the order to that client, if the client is here, until the client answers. Client 0: to
  /// all. Order ids grow. The answer goes to Outputs.
  void order_techniques(Micros now_us, std::uint64_t client_id, std::uint64_t order_id,
                        const TechniqueOrder& order);
  /// When advance() has something to do next.
  Micros next_deadline() const;
  /// Sends the fabric batches; called at the end of every loop turn.
  void flush() { links_.flush(); }
  /// Disconnects all clients, and sends one leave record each to their workers, which keep the
  /// avatars for a while.
  void disconnect_all(Micros now_us);
  /// From now on, tokens sealed with either key are accepted.
  void set_keys(const transport::Key& current, const std::optional<transport::Key>& previous) {
    server_.set_keys(current, previous);
  }
  /// From now on, headers that doors sealed with either key are accepted.
  void set_door_keys(const DoorKeys& keys) { door_paths_.set_keys(keys); }

  Snapshot snapshot() const;
  /// Grows with every client that connects, disconnects or changes its address.
  std::uint64_t client_changes() const { return client_changes_; }
  /// Of clients without a door between.
  std::vector<Address> client_addresses() const;
  using PlayerFigures = ClientTelemetry::Figures;
  /// All connected clients, by slot.
  void for_each_player(
      const std::function<void(const Session&, const PlayerFigures&)>& visit) const;
  /// The same with the region where the client's avatar was to be spawned.
  void for_each_region_of_player(const std::function<void(const Session&, RegionId)>& visit) const;
  const CoreSettings& settings() const { return settings_; }

 private:
  void send(const Address& to, std::span<const std::byte> datagram) override;  // of Outbox
  void claim(const transport::ClaimRequest& request) override;                 // of Outbox
  void kick(Micros now_us, std::uint32_t slot) override;                       // of Disconnector
  void to_fabric(const Address& to, std::span<const std::byte> datagram);
  void on_datagram(Micros now_us, std::uint64_t unix_s, const transport::Sender& from,
                   const ClientDatagram& datagram);
  void handle_events(Micros now_us);
  void start_session(Micros now_us, const transport::ServerEvent& event);
  void end_session(Micros now_us, const transport::ServerEvent& event);
  bool plays_another_game(std::uint64_t schema_hash) const;
  void end_sessions_of_other_games(Micros now_us);

  CoreSettings settings_;
  Outputs& outputs_;
  Counts<Count> counts_;
  Counts<Drop> drops_;
  ClusterMap map_;
  WorkerLinks links_;
  DoorPaths door_paths_;
  transport::Server server_;
  Sessions sessions_;
  ClientTelemetry telemetry_;
  ClientPayloads payloads_;
  ResumeTokens resume_tokens_;
  TechniqueOrders technique_orders_;
  Echoes echoes_;
  BlockSender block_sender_;
  Endings endings_;
  Leaves leaves_;
  Joins joins_;
  ClientFrames client_frames_;
  WorkerRecords worker_records_;
  std::uint64_t client_changes_ = 0;
  bool closing_ = false;
  Micros next_housekeeping_us_ = 0;
};

}  // namespace perigee::gateway
