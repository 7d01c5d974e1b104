/// A player without a picture: it connects, plays and acknowledges with the parts of Client, but
/// has no scene, no prediction and no rendering. For load tests, at a fraction of a client's cost.
/// Calls as of Client. Differences that a server can notice: the claimed place continues the last
/// final motion in a straight line, and chunks of ground count as received when they are listed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "perigee/base/ring.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/client/gateway_connection.hpp"
#include "perigee/client/settings.hpp"
#include "perigee/client/stream_receiver.hpp"
#include "perigee/client/technique_control.hpp"
#include "perigee/client/thin_avatar.hpp"
#include "perigee/client/tick_pace.hpp"
#include "perigee/world/game.hpp"

namespace perigee::client {

class ThinClient final : private BlockHandler {
 public:
  ThinClient(const world::GameModule& game, const Settings& settings);

  bool begin(Micros now_us, std::span<const std::byte> token);
  void receive(Micros now_us, const Address& from, std::span<std::byte> datagram);
  void advance(Micros now_us, InputSampler& sampler);
  std::optional<transport::Client::Outgoing> poll_send();
  void disconnect(Micros now_us) { connection_.disconnect(now_us); }

  const transport::Client& transport() const { return connection_.transport(); }
  bool connected() const { return transport().connected(); }
  bool in_session() const { return transport().in_session(); }
  transport::ClientState transport_state() const { return transport().state(); }
  bool playing() const { return avatar_.running() && avatar_.next() != inputs_.first_tick(); }
  const ThinAvatar& avatar() const { return avatar_; }
  const Techniques& techniques() const { return techniques_.techniques(); }
  const TelemetryLog& telemetry() const { return telemetry_; }
  std::uint64_t inputs_sent() const { return inputs_.inputs_sent(); }
  std::uint64_t snapshots() const { return snapshots_; }

  /// Since the start, or restart_totals(), as the worker reported.
  struct Verdicts {
    std::uint64_t late = 0;     ///< inputs that arrived after their tick
    std::uint64_t guessed = 0;  ///< ticks that ran with a guess
    std::uint64_t hard_resets = 0;
  };
  Verdicts verdicts() const;
  void restart_totals();

 private:
  /// Actors that spawned before the own avatar is known.
  static constexpr std::size_t strangers_max = 64;

  void on_new_cluster_id() override { forget_world(); }
  void on_stream_restart(StreamId) override {}
  void on_own(const BlockSource& from, const OwnSection& own) override;
  void on_late_own(const BlockSource&, const OwnSection&) override {}
  void on_event(const BlockSource& from, const WorldEvent& event) override;
  void on_cue(const CueEvent&) override {}  // without a scene
  bool on_record(const BlockSource&, const GroupFrame&, const TrackRecord&) override {
    return true;
  }
  void on_block_end(const BlockSource&, bool) override {}
  void on_new_session(Micros now_us);
  void forget_world();
  void choose_techniques(world::TypeId type);
  void run_ticks(Micros now_us, InputSampler& sampler);
  void send_packet(Micros now_us);
  void write_chunk_report(FrameWriter& frames);

  const world::GameModule& game_;
  const Settings settings_;
  TelemetryLog telemetry_;
  LatencyLog latency_;
  TechniqueControl techniques_;
  Clocks clocks_;
  InputSender inputs_;
  TickPace pace_;
  ThinAvatar avatar_;
  StreamReceiver streams_;
  GatewayConnection connection_;
  Micros last_advance_us_ = 0;
  std::uint64_t snapshots_ = 0;
  Verdicts verdicts_;
  std::uint64_t hard_resets_before_ = 0;  ///< restart_totals()
  FixedVector<std::pair<Handle, world::TypeId>, strangers_max> strangers_;
  ChunkFrame chunks_due_;
  StreamId chunks_stream_ = 0;  ///< of the worker that listed them
};

}  // namespace perigee::client
