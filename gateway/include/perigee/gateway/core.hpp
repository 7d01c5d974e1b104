/// The gateway without its sockets: netcode towards clients, fabric towards workers. Driven by
/// (now, event); sends through Outputs. All memory is allocated at construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/technique_order.hpp"
#include "perigee/base/telemetry.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/gateway/block_queue.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/due_list.hpp"
#include "perigee/gateway/telemetry_check.hpp"
#include "perigee/gateway/worker_links.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::gateway {

/// Largest block that shares a payload with the echo frame. Up to block_bytes_limit is accepted,
/// but postpones the echo to the next payload.
inline constexpr std::size_t block_bytes_advised =
    transport::payload_bytes_max - 2 * frame_header_bytes - echo_frame_bytes;
inline constexpr std::size_t block_bytes_limit = transport::payload_bytes_max - frame_header_bytes;

struct CoreSettings {
  GatewaySlot slot;  ///< the slot that the directory granted
  /// gateway_number is set to `slot`, issue_of to ours; clients_max limits the sessions.
  transport::ServerSettings transport;
  /// Blocks wait this long for those of other workers. 0..20000 µs; more: fewer packets, more
  /// latency.
  Micros coalesce_us = 1'000;
  std::uint32_t payloads_per_flush_max = 4;  ///< 1..16; more: one client takes more of a turn
};

/// How a session ended, for the session service.
enum class Release : std::uint8_t { Left, Lost };

/// Outgoing datagrams, client telemetry, and requests to the session service, which are answered
/// later. All spans are valid during the call only.
class Outputs {
 public:
  virtual ~Outputs() = default;
  virtual void to_client(const Address& to, std::span<const std::byte> datagram) = 0;
  virtual void to_fabric(const Address& to, std::span<const std::byte> datagram) = 0;
  virtual void on_telemetry(const Telemetry&) {}  ///< optional
  /// A block of the avatar's owner, with the tick in its header, is being sent to the client.
  virtual void on_own_block(Tick, Micros /*received_us*/, Micros /*sent_us*/) {}
  /// Only with CoreSettings::transport.claims. Answered by Core::on_claim().
  virtual void claim(const transport::ClaimRequest&) {
    PERIGEE_ASSERT(false, "a gateway with claims must override claim()");
  }
  /// Requests a token for every player, and again for renewal. Answered by Core::on_resume_token(),
  /// or not at all.
  virtual void want_resume_token(std::uint64_t /*client_id*/) {}
  /// `issue`: of the token of the connection that ended.
  virtual void released(std::uint64_t /*client_id*/, std::uint64_t /*issue*/, Release) {}
  /// The techniques that a client uses after it has received this order and all before it.
  virtual void on_techniques(std::uint64_t /*client_id*/, std::uint64_t /*order_id*/,
                             const Techniques&) {}
};

struct ClientDatagram {
  Address from;
  Micros received_us = 0;      ///< on the clock of now_us; the kernel's stamp, if there is one
  FineTick received;           ///< `received_us` on the world's clock
  std::span<std::byte> bytes;  ///< decrypted in place
};

class Core : private transport::Outbox {
 public:
  static constexpr Micros join_period_us = 100'000;
  /// A successor that has a dead worker's players confirms them within this time.
  static constexpr Micros successor_limit_us = 1'000'000;
  static constexpr Micros join_limit_us = 8'000'000;
  /// Limit for joins of sessions that have played: as long as an avatar waits for its player. Less:
  /// players of a stalled worker are disconnected.
  /// players of a stalled worker are disconnected.
  static constexpr Micros rejoin_limit_us = 30'000'000;
  /// After this long without data of its own avatar, a client's worker is asked for the avatar,
  /// repeatedly. Less: also during stalls that end by themselves; more: players stand still for
  /// longer.
  static constexpr Micros own_silence_us = 2'000'000;
  static constexpr Micros search_period_us = 500'000;
  static constexpr Micros leave_period_us = 100'000;
  static constexpr std::uint32_t leaves_max = 20;
  static constexpr Micros telemetry_period_us_min = 200'000;
  static constexpr std::uint32_t frames_per_payload_max = 32;
  static constexpr Micros housekeeping_period_us = 10'000;
  /// Resume tokens live 5 min: renewed after 100 to 140 s, not for all clients at once ...
  static constexpr Micros resume_renewal_us = 100'000'000;
  static constexpr Micros resume_spread_us = 40'000'000;
  /// ... requested again if there is no answer ...
  static constexpr Micros resume_retry_us = 2'000'000;
  static constexpr Micros resume_repeat_us = 500'000;      ///< ... and sent until acknowledged ...
  static constexpr std::uint32_t resume_repeats_max = 40;  ///< ... by clients that support them.
  /// After a change of the other gateways all tokens are renewed; the delay gives the session
  /// service time to learn of it.
  static constexpr Micros resume_settle_us = 500'000;
  /// More: if this gateway dies soon, its clients have outdated tokens.
  static constexpr Micros resume_change_spread_us = 10'000'000;
  /// Less: a load peak at the session service's store.
  static constexpr Micros resume_farewell_spread_us = 1'000'000;
  static constexpr Micros order_repeat_us = 250'000;
  /// 10 s; then the order is given up, and the operator has to repeat it.
  static constexpr std::uint32_t order_repeats_max = 40;

  /// The only source of random bytes.
  Core(const CoreSettings& settings, const transport::RandomBytes& random, Outputs& outputs);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// Older versions of the same incarnation are ignored.
  void on_map(Micros now_us, const ClusterMap& map);
  void on_client_datagram(Micros now_us, std::uint64_t unix_s, const ClientDatagram& datagram);
  void on_fabric_datagram(Micros now_us, const Address& from, std::span<const std::byte> datagram);
  /// Does everything that is due: keep-alives, timeouts, joins, leaves, coalesced blocks.
  void advance(Micros now_us, std::uint64_t unix_s);
  void on_claim(Micros now_us, std::uint64_t claim_id, transport::Server::ClaimAnswer answer);
  /// A connect token of 2048 bytes. Ignored if the client is gone, or if it is no resume token.
  void on_resume_token(Micros now_us, std::uint64_t client_id, std::span<const std::byte> token);
  /// Renews at once all tokens that may name only gateways that are gone.
  void prepare_farewell(Micros now_us);
  /// Whether each player has a token made since the last change of the other gateways, or does not
  /// acknowledge tokens; or there is no other gateway.
  bool could_all_come_back() const;
  /// Disconnects the client if it is here; its avatar is removed at once.
  void kick_client(Micros now_us, std::uint64_t client_id);
  /// Sends the order to that client, if it is here, until it answers; client 0: to all. Ids grow;
  /// the answer goes to Outputs.
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

  Snapshot snapshot() const;
  /// Grows with every client that connects, disconnects or changes its address.
  std::uint64_t client_changes() const { return client_changes_; }
  std::vector<Address> client_addresses() const;
  const CoreSettings& settings() const { return settings_; }

 private:
  enum class Phase : std::uint8_t { Free, Joining, Playing };
  /// The token with which the client can reconnect.
  struct Resume {
    Micros next_ask_us = 0;
    Micros next_tell_us = 0;
    std::uint32_t number = 0;      ///< number of the newest token
    std::uint32_t tells_left = 0;  ///< 0: acknowledged, given up, or no token
    /// Values of `others_changed_` when the newest token was requested, when the last received one
    /// was requested, and when the one that the client has was requested.
    std::uint32_t asked_under = 0, made_under = 0, held_under = 0;
    std::uint16_t size = 0;
    std::array<std::byte, resume_token_bytes_max> token{};
  };
  /// An operator's order to the client, until it is answered.
  struct Order {
    bool open = false;  ///< neither answered nor given up
    std::uint32_t tells_left = 0;
    Micros next_tell_us = 0;
    std::uint64_t id = 0;             ///< id of the newest order
    std::uint32_t number = 0;         ///< number of the newest order, within the session
    TechniqueOrder wanted;            ///< all unanswered orders combined
    std::uint32_t desync_number = 0;  ///< number of the newest order with a desync
  };
  /// The newest state received from a worker.
  struct Received {
    Incarnation incarnation;
    Tick newest;  ///< newest tick of its blocks
  };
  /// A worker incarnation that ended without a successor: clients have to remove its entities.
  struct Ended {
    WorkerSlot worker;
    Tick tick;  ///< the tick after that of its newest block
    std::uint32_t tells_left = 0;
    Micros next_tell_us = 0;
  };
  struct OwnBlock {
    Tick tick;
    Micros received_us = 0;
  };
  struct Session {
    Phase phase = Phase::Free;
    SessionId id = 0;
    std::uint64_t client_id = 0;
    std::uint64_t issue = 0;        ///< the token's issue number
    std::uint64_t schema_hash = 0;  ///< schema of the client's game; 0: the issuer did not set it
    RegionId region;                ///< where the avatar is to be spawned
    bool has_worker = false;        ///< asked or playing there
    WorkerSlot worker;
    Incarnation incarnation;  ///< the worker's `incarnation` when it was asked or answered
    HandleBase handle_base;   ///< names that incarnation in the map
    /// Set while the avatar should be at the successor of its worker, until that one confirms.
    std::optional<Micros> successor_answers_by_us;
    Micros own_received_us = 0;  ///< last block with the own avatar, while playing
    Micros join_by_us = 0;       ///< deadline of the join; then the client is disconnected
    Micros next_join_us = 0;
    bool has_received = false;  ///< a payload arrived, so there is something to echo
    std::uint64_t newest_sequence = 0;
    Micros newest_received_us = 0;
    Micros next_telemetry_us = 0;
    TelemetryCheck reports;
    Micros flush_at_us = 0;
    BlockQueue queue;
    std::optional<OwnBlock> own_block;  ///< the oldest waiting one
    Resume resume;
    Order order;
  };
  /// Outlives its session: the client's slot may be reused at once.
  struct Leave {
    SessionId session = 0;
    WorkerSlot worker;
    bool lost = false;
    std::uint32_t sent = 0;
    Micros next_us = 0;
  };

  void send(const Address& to, std::span<const std::byte> datagram) override;  // of Outbox
  void claim(const transport::ClaimRequest& request) override;                 // of Outbox
  void to_fabric(const Address& to, std::span<const std::byte> datagram);

  // core.cpp: sessions
  void handle_events(Micros now_us);
  void start_session(Micros now_us, const transport::ServerEvent& event);
  void end_session(Micros now_us, const transport::ServerEvent& event);
  std::uint32_t next_generation(std::uint32_t slot);
  bool plays_another_game(std::uint64_t schema_hash) const;
  void end_sessions_of_other_games(Micros now_us);
  void kick(Micros now_us, std::uint32_t slot);
  void send_leave(Micros now_us, SessionId session, WorkerSlot worker, bool lost);
  void forget_leave(SessionId session, WorkerSlot worker);
  void on_left(WorkerSlot worker, const LeftRecord& left);
  bool leaving(SessionId session, WorkerSlot worker) const;
  void advance_leaves(Micros now_us);

  // joins.cpp
  bool worker_lost(const Session& session) const;
  void follow(Session& session, WorkerSlot worker);
  bool follow_successor(Micros now_us, Session& session);
  void give_up_successors(Micros now_us);
  void join_anew(Micros now_us, Session& session);
  void begin_join(Micros now_us, Session& session, Micros limit_us);
  void advance_joins(Micros now_us);
  void send_join(Micros now_us, Session& session);
  void search_avatars(Micros now_us);

  // endings.cpp
  void note_received(WorkerSlot worker, Tick tick);
  bool is_over(WorkerSlot worker, const Received& has_received) const;
  void note_endings(Micros now_us);
  void advance_endings(Micros now_us);
  void tell_ending(Micros now_us, const Ended& ended);

  // resume.cpp
  void advance_resumes(Micros now_us);
  void tell_resume(Micros now_us, std::uint32_t slot);
  void note_gateways(Micros now_us);
  void renew_within(Micros now_us, Micros spread_us);
  void on_resume_received(Session& session, std::uint32_t number);

  // orders.cpp
  void advance_orders(Micros now_us);
  void order(Micros now_us, std::uint32_t slot, std::uint64_t order_id,
             const TechniqueOrder& wanted);
  void tell_order(Micros now_us, std::uint32_t slot);
  void on_order_answer(Session& session, std::span<const std::byte> bytes);

  // upstream.cpp: client -> worker
  void on_payload(Micros now_us, const ClientDatagram& datagram,
                  const transport::ReceivedPayload& payload);
  void on_frame(Micros now_us, Session& session, FineTick received, const Frame& frame);
  void on_gateway_frame(Micros now_us, Session& session, std::span<const std::byte> bytes);

  // downstream.cpp: worker -> client
  Session* find_session(SessionId id);
  void on_record(Micros now_us, WorkerSlot worker, FabricRecord type, FabricReader& reader);
  void on_joined(Micros now_us, WorkerSlot worker, const JoinedRecord& joined);
  void on_refused(Micros now_us, WorkerSlot worker, const RefusedRecord& refused);
  void on_block(Micros now_us, WorkerSlot worker, const BlockRecord& block);
  void queue_block(Micros now_us, Session& session, std::uint8_t stream, std::uint8_t priority,
                   std::span<const std::byte> block);
  void send_payload(Micros now_us, std::uint32_t slot, std::span<const std::byte> payload);
  void send_blocks(Micros now_us, std::uint32_t slot);
  void add_echo(Micros now_us, std::uint32_t slot, FrameWriter& writer) const;

  void drop(Drop reason) { drops_.add(reason); }

  CoreSettings settings_;
  Outputs& outputs_;
  ClusterMap map_;
  WorkerLinks links_;
  transport::Server server_;
  std::vector<Session> sessions_;  ///< by client slot
  /// Number of sessions that each slot has had.
  std::vector<std::uint32_t> generations_;
  std::array<std::optional<Received>, workers_max> received_;  ///< by worker
  std::vector<Ended> ended_;                                   ///< at most workers_max
  std::vector<Leave> leaves_;         ///< at most one per client slot; never grows
  DueList due_;                       ///< clients with queued blocks; all wait equally long
  std::vector<Address> others_;       ///< addresses of living gateways, as in tokens
  std::uint32_t others_changed_ = 1;  ///< number of changes
  Micros others_changed_us_ = 0;      ///< time of the last change
  std::uint32_t playing_ = 0;
  bool orders_open_ = false;       ///< some session has an open order
  bool successors_asked_ = false;  ///< some session waits for a successor
  std::uint64_t client_changes_ = 0;
  bool closing_ = false;
  Micros next_housekeeping_us_ = 0;
  Micros next_search_us_ = 0;
  Counts<Count> counts_;
  Counts<Drop> drops_;
};

}  // namespace perigee::gateway
