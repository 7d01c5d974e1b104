#include "exported.hpp"

#include <algorithm>
#include <array>

namespace perigee::gateway {
namespace {

using Names = std::string_view;

template <class Row, std::size_t N>
constexpr std::array<Names, N> names_of(const std::array<Row, N>& rows) {
  std::array<Names, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = rows[i].name;
  return names;
}
template <std::size_t A, std::size_t B>
constexpr std::array<Names, A + B> joined(const std::array<Names, A>& a,
                                          const std::array<Names, B>& b) {
  std::array<Names, A + B> all;
  for (std::size_t i = 0; i < A; ++i) all[i] = a[i];
  for (std::size_t i = 0; i < B; ++i) all[A + i] = b[i];
  return all;
}

constexpr std::array<Names, 4> directions{"client_in", "client_out", "fabric_in", "fabric_out"};
constexpr std::array<Names, 2> ways{"in", "out"};
constexpr std::array<Names, 15> session_events{
    "started",       "joined",           "left",         "timed_out",
    "replaced",      "ended_by_gateway", "join_refused", "join_unanswered",
    "join_repeated", "leave_unanswered", "moved",        "kicked",
    "inherited",     "other_game",       "searched"};
constexpr std::array<Names, 3> resume_steps{"asked", "sent", "acknowledged"};
constexpr std::array<Names, 3> order_steps{"told", "answered", "unanswered"};
constexpr auto link_calls = names_of(host::session_call_rows);
constexpr auto transport_reasons = names_of(transport::drop_rows);
constexpr auto reasons = joined(transport_reasons, names_of(drop_rows));
constexpr std::array<Names, 18> socket_losses{
    "public_kernel_buffer",     "public_oversized",     "public_empty",
    "public_receive_failed",    "public_send_queue",    "public_send_failed",
    "handshake_kernel_buffer",  "handshake_oversized",  "handshake_empty",
    "handshake_receive_failed", "handshake_send_queue", "handshake_send_failed",
    "fabric_kernel_buffer",     "fabric_oversized",     "fabric_empty",
    "fabric_receive_failed",    "fabric_send_queue",    "fabric_send_failed"};
constexpr std::array<Names, 2> sending_sockets{"public", "fabric"};
constexpr auto causes = names_of(correction_cause_rows);

constexpr std::array counter_rows{
    host::CounterRow<Family>{Family::Packets,
                             "gateway_packets_total",
                             "Datagrams, including invalid ones.",
                             {"direction", directions}},
    host::CounterRow<Family>{Family::Bytes,
                             "gateway_bytes_total",
                             "UDP payload bytes, including invalid datagrams.",
                             {"direction", directions}},
    host::CounterRow<Family>{Family::Payloads,
                             "gateway_payloads_total",
                             "Authenticated payloads from and to clients.",
                             {"direction", ways}},
    host::CounterRow<Family>{Family::Blocks,
                             "gateway_blocks_total",
                             "Blocks received from workers, and packed into payloads.",
                             {"direction", ways}},
    host::CounterRow<Family>{Family::FramesForwarded, "gateway_frames_forwarded_total",
                             "Client frames sent to workers."},
    host::CounterRow<Family>{Family::Telemetry, "gateway_telemetry_total",
                             "Telemetry frames accepted."},
    host::CounterRow<Family>{Family::Sessions,
                             "gateway_session_events_total",
                             "Session events.",
                             {"event", session_events}},
    host::CounterRow<Family>{Family::ResumeTokens,
                             "gateway_resume_tokens_total",
                             "Resume tokens, with which clients reconnect.",
                             {"step", resume_steps}},
    host::CounterRow<Family>{Family::Orders,
                             "gateway_technique_orders_total",
                             "Operators' technique orders to clients.",
                             {"step", order_steps}},
    host::CounterRow<Family>{Family::SessionCalls,
                             "gateway_session_calls_total",
                             "Calls to the session service.",
                             {"result", link_calls}},
    host::CounterRow<Family>{Family::Drops,
                             "gateway_drops_total",
                             "Datagrams, frames and blocks dropped.",
                             {"reason", reasons}},
    host::CounterRow<Family>{Family::SocketLosses,
                             "gateway_socket_losses_total",
                             "Datagrams lost at a socket; public_: sessions, handshake_: "
                             "everything else on the public port.",
                             {"cause", socket_losses}},
    host::CounterRow<Family>{Family::SentInRuns,
                             "gateway_sent_in_runs_total",
                             "Datagrams sent as part of a batch to one peer (UDP GSO).",
                             {"socket", sending_sockets}},
    host::CounterRow<Family>{Family::ClientCorrections,
                             "client_corrections_total",
                             "Visible corrections (over 5 cm); several within 0.25 s count once.",
                             {"cause", causes}},
    host::CounterRow<Family>{Family::ClientExtrapolations, "client_extrapolations_total",
                             "Entities extrapolated beyond their newest sample."},
    host::CounterRow<Family>{
        Family::ClientFramesAnimated, "client_frames_animated_total",
        "Frames in which the own avatar was animated from server states instead of predicted."},
    host::CounterRow<Family>{Family::ClientBytes, "client_received_bytes_total",
                             "UDP payload bytes that clients received."},
};
static_assert(host::one_row_each(counter_rows, Family::last), "one row for each Family");

constexpr std::array level_rows{
    host::GaugeRow<Level>{Level::Sessions, "gateway_sessions", "Clients connected."},
    host::GaugeRow<Level>{Level::Playing, "gateway_sessions_playing",
                          "Clients that have an avatar."},
    host::GaugeRow<Level>{Level::Handshakes, "gateway_handshakes",
                          "Addresses with a valid token whose handshake has not finished."},
    host::GaugeRow<Level>{Level::Leaving, "gateway_sessions_leaving",
                          "Ended sessions not yet confirmed by their worker."},
    host::GaugeRow<Level>{Level::ClockError, "gateway_clock_error_seconds",
                          "Upper bound of the clock error against the directory."},
    host::GaugeRow<Level>{
        Level::Awake, "gateway_awake_ratio",
        "Share of the last 100 ms during which gateway.busy_poll_us kept the loop from sleeping."},
};
static_assert(host::one_row_each(level_rows, Level::last), "one row for each Level");

// One tick is 16.7 ms; 231 ms is the talk's budget from key to eye, 50 ms its buffer.
constexpr std::array rtt_s{0.001, 0.005, 0.01, 0.02, 0.035, 0.05, 0.06, 0.075, 0.1,
                           0.125, 0.15,  0.2,  0.25, 0.3,   0.35, 0.5,  0.7,   1.0};
constexpr std::array loop_s{0.0167, 0.033, 0.05, 0.06, 0.075, 0.1, 0.125, 0.15, 0.2,
                            0.231,  0.265, 0.3,  0.35, 0.4,   0.5, 0.7,   1.0};
constexpr std::array jitter_s{0.0005, 0.001, 0.002, 0.005, 0.01, 0.0167, 0.033, 0.05, 0.1, 0.25};
constexpr std::array loss_ratio{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
constexpr std::array lead_s{0.0, 0.005, 0.01, 0.0167, 0.025, 0.033, 0.05, 0.075, 0.1, 0.15, 0.25};
// 1 cm is the tolerance, 5 m resets.
constexpr std::array correction_m{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0};
constexpr std::array forward_s{0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.0167, 0.05};
constexpr std::array tick_to_gateway_s{0.0002, 0.0005, 0.001, 0.0015, 0.002, 0.003,
                                       0.005,  0.008,  0.012, 0.0167, 0.033, 0.1};
constexpr std::array hold_s{0.0001, 0.00025, 0.0005, 0.00075, 0.001, 0.0015, 0.002, 0.005, 0.02};
// Frames at 240, 144, 60, 30 a second.
constexpr std::array frame_s{0.0042, 0.007, 0.01, 0.0167, 0.02, 0.025, 0.0334, 0.05, 0.1, 0.25};
constexpr std::array send_wait_s{0.0, 0.002, 0.005, 0.01, 0.0167, 0.02, 0.025, 0.034, 0.1};
constexpr std::array publish_wait_s{0.0, 0.0167, 0.0334, 0.05, 0.1, 0.25};
// With prediction a frame or two; without it, the round trip and the view delay.
constexpr std::array display_s{0.0042, 0.007, 0.01, 0.0167, 0.0334, 0.05, 0.067, 0.1,
                               0.15,   0.2,   0.3,  0.4,    0.5,    0.75, 1.0};

constexpr std::array spread_rows{
    host::HistogramRow<Spread>{Spread::ClientRtt, "client_rtt_seconds",
                               "Network round trip time, without the gateway's hold.", rtt_s},
    host::HistogramRow<Spread>{
        Spread::ClientFullLoop, "client_full_loop_seconds",
        "Time from sampling an input until the client learns that it was applied.", loop_s},
    host::HistogramRow<Spread>{Spread::ClientJitter, "client_jitter_seconds",
                               "p95 of the blocks' delay beyond the fastest path.", jitter_s},
    host::HistogramRow<Spread>{Spread::ClientLoss, "client_loss_ratio",
                               "Share of packets lost on the way to the client.", loss_ratio},
    host::HistogramRow<Spread>{
        Spread::ClientLead, "client_lead_seconds",
        "Client lead: time ahead of the newest server tick that the client could know.", lead_s},
    host::HistogramRow<Spread>{Spread::ClientCorrection, "client_correction_meters",
                               "Displacement of visible corrections.", correction_m},
    host::HistogramRow<Spread>{Spread::ReceiveToForward, "gateway_receive_to_forward_seconds",
                               "Time from the kernel's receive timestamp to forwarding, for the "
                               "first datagram of a loop turn.",
                               forward_s},
    host::HistogramRow<Spread>{Spread::TickToGateway, "gateway_tick_to_gateway_seconds",
                               "Time from a tick's start until its block reaches the gateway, for "
                               "blocks with the client's own avatar.",
                               tick_to_gateway_s},
    host::HistogramRow<Spread>{Spread::BlockHold, "gateway_block_hold_seconds",
                               "Time for which those blocks waited for other workers' blocks.",
                               hold_s},
    host::HistogramRow<Spread>{
        Spread::ClientSampleInterval, "client_sample_interval_seconds",
        "Time between two input samples; a key press waits half of it on average.", frame_s},
    host::HistogramRow<Spread>{Spread::ClientSendWait, "client_send_wait_seconds",
                               "Time from sampling an input to sending it.", send_wait_s},
    host::HistogramRow<Spread>{Spread::ClientPublishWait, "client_publish_wait_seconds",
                               "Time from applying an input on the worker until the worker sends "
                               "the result, for the oldest input.",
                               publish_wait_s},
    host::HistogramRow<Spread>{
        Spread::ClientViewDelay, "client_view_delay_seconds",
        "View delay: how far other entities are rendered behind the newest received tick.",
        display_s},
    host::HistogramRow<Spread>{
        Spread::ClientInputToDisplay, "client_input_to_display_seconds",
        "Time from sampling an input to the frame that shows its full effect.", display_s},
};
static_assert(host::one_row_each(spread_rows, Spread::last), "one row for each Spread");

/// The metric of a counter of the core.
struct Shown {
  Count count;
  Family family;
  std::size_t label;
};
constexpr std::array shown{
    Shown{Count::ClientDatagramsReceived, Family::Packets, 0},
    Shown{Count::ClientBytesReceived, Family::Bytes, 0},
    Shown{Count::ClientDatagramsSent, Family::Packets, 1},
    Shown{Count::ClientBytesSent, Family::Bytes, 1},
    Shown{Count::FabricDatagramsReceived, Family::Packets, 2},
    Shown{Count::FabricBytesReceived, Family::Bytes, 2},
    Shown{Count::FabricDatagramsSent, Family::Packets, 3},
    Shown{Count::FabricBytesSent, Family::Bytes, 3},
    Shown{Count::PayloadsReceived, Family::Payloads, 0},
    Shown{Count::FramesForwarded, Family::FramesForwarded, 0},
    Shown{Count::BlocksReceived, Family::Blocks, 0},
    Shown{Count::BlocksSent, Family::Blocks, 1},
    Shown{Count::PayloadsSent, Family::Payloads, 1},
    Shown{Count::TelemetryReceived, Family::Telemetry, 0},
    Shown{Count::SessionsStarted, Family::Sessions, 0},
    Shown{Count::SessionsJoined, Family::Sessions, 1},
    Shown{Count::SessionsLeft, Family::Sessions, 2},
    Shown{Count::SessionsTimedOut, Family::Sessions, 3},
    Shown{Count::SessionsReplaced, Family::Sessions, 4},
    Shown{Count::SessionsEndedByGateway, Family::Sessions, 5},
    Shown{Count::SessionsKicked, Family::Sessions, 11},
    Shown{Count::SessionsMoved, Family::Sessions, 10},
    Shown{Count::JoinsRefused, Family::Sessions, 6},
    Shown{Count::JoinsUnanswered, Family::Sessions, 7},
    Shown{Count::JoinsRepeatedForLostOwner, Family::Sessions, 8},
    Shown{Count::AvatarsSearched, Family::Sessions, 14},
    Shown{Count::SessionsInherited, Family::Sessions, 12},
    Shown{Count::SessionsOfOtherGame, Family::Sessions, 13},
    Shown{Count::LeavesUnanswered, Family::Sessions, 9},
    Shown{Count::ResumeTokensAsked, Family::ResumeTokens, 0},
    Shown{Count::ResumeTokensSent, Family::ResumeTokens, 1},
    Shown{Count::ResumeTokensAcknowledged, Family::ResumeTokens, 2},
    Shown{Count::OrdersTold, Family::Orders, 0},
    Shown{Count::OrdersAnswered, Family::Orders, 1},
    Shown{Count::OrdersUnanswered, Family::Orders, 2},
};
constexpr bool all_shown() {
  if (shown.size() != enum_count<Count>) return false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (static_cast<std::size_t>(shown[i].count) != i) return false;
  }
  return true;
}
static_assert(all_shown(), "every Count is exported, in enum order");

constexpr double seconds(std::int64_t us) { return static_cast<double>(us) * 1e-6; }

}  // namespace

Exported::Exported(host::Metrics& metrics)
    : counters_(metrics, counter_rows),
      levels_(metrics, level_rows),
      spreads_(metrics, spread_rows) {}

void Exported::on_telemetry(const Telemetry& telemetry) {
  spreads_.observe(Spread::ClientRtt, seconds(telemetry.rtt_us));
  spreads_.observe(Spread::ClientFullLoop, seconds(telemetry.full_loop_rtt_us));
  spreads_.observe(Spread::ClientJitter, seconds(telemetry.jitter_us));
  spreads_.observe(Spread::ClientLoss, telemetry.loss_permille * 1e-3);
  spreads_.observe(Spread::ClientLead, seconds(telemetry.lead_us));
  if (telemetry.sample_interval_us > 0) {
    spreads_.observe(Spread::ClientSampleInterval, seconds(telemetry.sample_interval_us));
    spreads_.observe(Spread::ClientSendWait, seconds(telemetry.send_wait_us));
    spreads_.observe(Spread::ClientPublishWait, seconds(telemetry.publish_wait_us));
    spreads_.observe(Spread::ClientViewDelay, seconds(telemetry.view_delay_us));
    spreads_.observe(Spread::ClientInputToDisplay, seconds(telemetry.input_to_display_us));
  }
  for (const std::uint16_t size_mm : telemetry.correction_sizes_mm) {
    spreads_.observe(Spread::ClientCorrection, size_mm * 1e-3);
  }
  for (std::size_t cause = 0; cause < telemetry.corrections.size(); ++cause) {
    counters_.add_labelled(Family::ClientCorrections, cause, telemetry.corrections[cause]);
  }
  counters_.add(Family::ClientExtrapolations, telemetry.extrapolations);
  counters_.add(Family::ClientFramesAnimated, telemetry.frames_animated);
  counters_.add(Family::ClientBytes, telemetry.bytes_received);
}

void Exported::on_turn(Micros waited_us) {
  spreads_.observe(Spread::ReceiveToForward, seconds(waited_us));
}

void Exported::on_own_block(Micros since_tick_us, Micros held_us) {
  spreads_.observe(Spread::TickToGateway, seconds(since_tick_us));
  spreads_.observe(Spread::BlockHold, seconds(held_us));
}

void Exported::grow(Family family, std::size_t label, std::uint64_t& exported,
                    std::uint64_t total) {
  counters_.add_labelled(family, label, total - exported);
  exported = total;
}

void Exported::show(const Snapshot& snapshot) {
  for (const Shown& row : shown) {
    grow(row.family, row.label, exported_.counts[static_cast<std::size_t>(row.count)],
         snapshot.counts[row.count]);
  }
  std::size_t label = 0;  // the transport's reasons first, then ours
  for (const auto& row : transport::drop_rows) {
    grow(Family::Drops, label++, exported_.transport_drops[static_cast<std::size_t>(row.what)],
         snapshot.transport_drops[row.what]);
  }
  for (const auto& row : drop_rows) {
    grow(Family::Drops, label++, exported_.drops[static_cast<std::size_t>(row.what)],
         snapshot.drops[row.what]);
  }
  levels_.set(Level::Sessions, snapshot.sessions);
  levels_.set(Level::Playing, snapshot.playing);
  levels_.set(Level::Handshakes, snapshot.handshakes);
  levels_.set(Level::Leaving, snapshot.leaving);
}

void Exported::show(const host::UdpCounts& sessions, const host::UdpCounts& handshakes,
                    const host::UdpCounts& fabric) {
  std::size_t label = 0;
  for (const host::UdpCounts* socket : {&sessions, &handshakes, &fabric}) {
    for (const std::uint64_t lost :
         {socket->kernel_dropped, socket->received_oversized, socket->received_empty,
          socket->receive_failed, socket->send_queue_full, socket->send_failed}) {
      counters_.follow_labelled(Family::SocketLosses, label++, lost);
    }
  }
  counters_.follow_labelled(Family::SentInRuns, 0, sessions.sent_in_runs);
  counters_.follow_labelled(Family::SentInRuns, 1, fabric.sent_in_runs);
}

void Exported::show_awake(Micros now_us, Micros awake_us) {
  const Micros passed_us = std::max<Micros>(now_us - awake_shown_at_us_, 1);
  levels_.set(Level::Awake,
              static_cast<double>(awake_us - awake_shown_us_) / static_cast<double>(passed_us));
  awake_shown_at_us_ = now_us;
  awake_shown_us_ = awake_us;
}

void Exported::show(const Counts<host::SessionCall>& calls) {
  for (const auto& row : host::session_call_rows) {
    counters_.follow_labelled(Family::SessionCalls, static_cast<std::size_t>(row.what),
                              calls[row.what]);
  }
}

void Exported::show_clock_error(Micros error_us) {
  levels_.set(Level::ClockError, seconds(error_us));
}

void Exported::flush() {
  counters_.flush();
  spreads_.flush();
}

}  // namespace perigee::gateway
