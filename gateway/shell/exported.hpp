/// The gateway's metrics: the core's counters, client telemetry, and socket losses.
#pragma once

#include <array>

#include "perigee/gateway/core.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/session_link.hpp"
#include "perigee/host/udp_socket.hpp"

namespace perigee::gateway {

enum class Family : std::uint8_t {
  Packets,
  Bytes,
  Payloads,
  Blocks,
  FramesForwarded,
  Telemetry,
  Sessions,
  ResumeTokens,
  Orders,
  SessionCalls,
  Drops,
  SocketLosses,
  SentInRuns,
  ClientCorrections,
  ClientExtrapolations,
  ClientFramesAnimated,
  ClientBytes,
  last = ClientBytes
};
enum class Level : std::uint8_t {
  Sessions,
  Playing,
  Handshakes,
  Leaving,
  ClockError,
  Awake,
  last = Awake
};
enum class Spread : std::uint8_t {
  ClientRtt,
  ClientFullLoop,
  ClientJitter,
  ClientLoss,
  ClientLead,
  ClientCorrection,
  ReceiveToForward,
  TickToGateway,
  BlockHold,
  ClientSampleInterval,
  ClientSendWait,
  ClientPublishWait,
  ClientViewDelay,
  ClientInputToDisplay,
  last = ClientInputToDisplay
};

class Exported {
 public:
  explicit Exported(host::Metrics& metrics);
  void on_telemetry(const Telemetry& telemetry);
  /// Time from the kernel to the fabric of the turn's first datagram.
  void on_turn(Micros waited_us);
  /// A block with the own avatar: time since its tick began, and time that it waited here.
  void on_own_block(Micros since_tick_us, Micros held_us);
  void show(const Snapshot& snapshot);
  /// The next core counts from zero again.
  void on_new_core() { exported_ = {}; }
  void show(const host::UdpCounts& sessions, const host::UdpCounts& handshakes,
            const host::UdpCounts& fabric);
  /// Total time that the loop stayed awake instead of sleeping.
  void show_awake(Micros now_us, Micros awake_us);
  void show(const Counts<host::SessionCall>& calls);
  void show_clock_error(Micros error_us);
  /// Publishes to Prometheus; once per turn or less often.
  void flush();

 private:
  void grow(Family family, std::size_t label, std::uint64_t& exported, std::uint64_t total);

  /// Totals of the current core that the counters already contain.
  struct Totals {
    std::array<std::uint64_t, enum_count<Count>> counts{};
    std::array<std::uint64_t, enum_count<transport::Drop>> transport_drops{};
    std::array<std::uint64_t, enum_count<Drop>> drops{};
  };

  host::CounterTable<Family> counters_;
  host::GaugeTable<Level> levels_;
  host::HistogramTable<Spread> spreads_;
  Totals exported_;
  Micros awake_shown_at_us_ = 0;
  Micros awake_shown_us_ = 0;
};

}  // namespace perigee::gateway
