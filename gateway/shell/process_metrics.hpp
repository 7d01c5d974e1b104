/// The metrics of the gateway's process, one row each; the core's counters have a table of their
/// own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/metric_table.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/host/session_link.hpp"

namespace perigee::gateway {

// One tick is 16.7 ms; 231 ms is the talk's budget from key to eye, 50 ms its buffer.
inline constexpr std::array rtt_s{0.001, 0.005, 0.01, 0.02, 0.035, 0.05, 0.06, 0.075, 0.1,
                                  0.125, 0.15,  0.2,  0.25, 0.3,   0.35, 0.5,  0.7,   1.0};
inline constexpr std::array loop_s{0.0167, 0.033, 0.05, 0.06, 0.075, 0.1, 0.125, 0.15, 0.2,
                                   0.231,  0.265, 0.3,  0.35, 0.4,   0.5, 0.7,   1.0};
inline constexpr std::array jitter_s{0.0005, 0.001, 0.002, 0.005, 0.01,
                                     0.0167, 0.033, 0.05,  0.1,   0.25};
inline constexpr std::array loss_ratio{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
inline constexpr std::array lead_s{0.0,  0.005, 0.01, 0.0167, 0.025, 0.033,
                                   0.05, 0.075, 0.1,  0.15,   0.25};
// 1 cm is the tolerance, 5 m resets.
inline constexpr std::array correction_m{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0};
inline constexpr std::array forward_s{0.00005, 0.0001, 0.0002, 0.0005, 0.001,
                                      0.002,   0.005,  0.0167, 0.05};
inline constexpr std::array tick_to_gateway_s{0.0002, 0.0005, 0.001, 0.0015, 0.002, 0.003,
                                              0.005,  0.008,  0.012, 0.0167, 0.033, 0.1};
inline constexpr std::array hold_s{0.0001, 0.00025, 0.0005, 0.00075, 0.001,
                                   0.0015, 0.002,   0.005,  0.02};
// Frames at 240, 144, 60, 30 a second.
inline constexpr std::array frame_s{0.0042, 0.007,  0.01, 0.0167, 0.02,
                                    0.025,  0.0334, 0.05, 0.1,    0.25};
inline constexpr std::array send_wait_s{0.0, 0.002, 0.005, 0.01, 0.0167, 0.02, 0.025, 0.034, 0.1};
inline constexpr std::array publish_wait_s{0.0, 0.0167, 0.0334, 0.05, 0.1, 0.25};
// With prediction a frame or two; without it, the round trip and the view delay.
inline constexpr std::array display_s{0.0042, 0.007, 0.01, 0.0167, 0.0334, 0.05, 0.067, 0.1,
                                      0.15,   0.2,   0.3,  0.4,    0.5,    0.75, 1.0};

/// How a socket loses datagrams.
enum class SocketLoss : std::uint8_t {
  KernelBuffer,
  Oversized,
  Empty,
  ReceiveFailed,
  SendQueue,
  SendFailed,
  last = SendFailed
};
using SocketLossNames = std::array<std::string_view, enum_count<SocketLoss>>;
inline constexpr SocketLossNames public_loss_names{"public_kernel_buffer", "public_oversized",
                                                   "public_empty",         "public_receive_failed",
                                                   "public_send_queue",    "public_send_failed"};
inline constexpr SocketLossNames handshake_loss_names{
    "handshake_kernel_buffer",  "handshake_oversized",  "handshake_empty",
    "handshake_receive_failed", "handshake_send_queue", "handshake_send_failed"};
inline constexpr SocketLossNames door_loss_names{"door_kernel_buffer", "door_oversized",
                                                 "door_empty",         "door_receive_failed",
                                                 "door_send_queue",    "door_send_failed"};
inline constexpr SocketLossNames fabric_loss_names{"fabric_kernel_buffer", "fabric_oversized",
                                                   "fabric_empty",         "fabric_receive_failed",
                                                   "fabric_send_queue",    "fabric_send_failed"};

struct ProcessMetrics : MetricTable<ProcessMetrics> {
  CounterOf<host::SessionCall> session_calls = counters<host::SessionCall>(
      {.name = "gateway_session_calls_total",
       .label = "result",
       .help = "Calls to the session service.",
       .note =
           "`rate(perigee_gateway_session_calls_total{result=\"failed\"}[1m]) > 0`: no new players "
           "can connect. dropped: 4096 calls were in flight, or 8192 releases and reports waited"},
      names_of(host::session_call_rows));

  Counters drops = counters({.name = "gateway_drops_total",
                             .label = "reason",
                             .help = "Datagrams, frames and blocks dropped.",
                             .note = "`sum by (reason) (rate(perigee_gateway_drops_total[1m]))`"});
  CounterOf<transport::Drop> transport_drops =
      values<transport::Drop>(drops, names_of(transport::drop_rows));
  CounterOf<Drop> gateway_drops = values<Drop>(drops, names_of(drop_rows));

  Counters socket_losses = counters(
      {.name = "gateway_socket_losses_total",
       .label = "cause",
       .help = "Datagrams lost at a socket; public_: sessions, handshake_: everything else on the "
               "public port, door_: the listener for doors.",
       .note = "`sum by (cause) (rate(perigee_gateway_socket_losses_total[1m]))`. public_ or "
               "fabric_kernel_buffer: the loop was late, or raise `net.core.rmem_max` (4 MiB are "
               "requested). handshake_kernel_buffer: a flood; log-ins are retried, connected "
               "players do not notice. send_queue: more than 4096 datagrams in one loop turn"});
  CounterOf<SocketLoss> public_losses = values<SocketLoss>(socket_losses, public_loss_names);
  CounterOf<SocketLoss> handshake_losses = values<SocketLoss>(socket_losses, handshake_loss_names);
  CounterOf<SocketLoss> door_losses = values<SocketLoss>(socket_losses, door_loss_names);
  CounterOf<SocketLoss> fabric_losses = values<SocketLoss>(socket_losses, fabric_loss_names);

  Counters sent_in_runs = counters(
      {.name = "gateway_sent_in_runs_total",
       .label = "socket",
       .help = "Datagrams sent as part of a batch to one peer (UDP GSO).",
       .note = "`rate(perigee_gateway_sent_in_runs_total{socket=\"public\"}[1m]) / on() "
               "rate(perigee_gateway_packets_total{direction=\"client_out\"}[1m])`. 0 with several "
               "payloads per client and turn: the device or kernel refuses batches"});
  Counter public_sent_in_runs = value(sent_in_runs, "public");
  Counter fabric_sent_in_runs = value(sent_in_runs, "fabric");

  Gauge awake =
      gauge({.name = "gateway_awake_ratio",
             .help = "Share of the last 100 ms during which gateway.busy_poll_us kept the loop "
                     "from sleeping.",
             .note = "0: busy polling is off or there are no players; 1: the loop never sleeps"});

  Gauge sessions = gauge({.name = "gateway_sessions",
                          .help = "Clients connected.",
                          .note = "near `gateway.clients_max`: add a gateway"});

  Gauge sessions_playing =
      gauge({.name = "gateway_sessions_playing",
             .help = "Clients that have an avatar.",
             .note = "`perigee_gateway_sessions - perigee_gateway_sessions_playing` above 0 for "
                     "more than 5 s: joins hang"});

  Gauge handshakes = gauge(
      {.name = "gateway_handshakes",
       .help = "Addresses with a valid token whose handshake has not finished.",
       .note =
           "many without sessions: a client collects tokens and does not answer the challenge"});

  Gauge sessions_leaving = gauge({.name = "gateway_sessions_leaving",
                                  .help = "Ended sessions not yet confirmed by their worker.",
                                  .note = "does not fall: the worker does not answer"});

  Gauge clock_error = gauge({.name = "gateway_clock_error_seconds",
                             .help = "Upper bound of the clock error against the directory.",
                             .note = "over 0.002 at the start: the gateway is not ready; later: "
                                     "the directory answers slowly"});

  Histogram tick_to_gateway = histogram(
      {.name = "gateway_tick_to_gateway_seconds",
       .help = "Time from a tick's start until its block reaches the gateway, for blocks with the "
               "client's own avatar.",
       .note = "`histogram_quantile(0.99, sum by (le) "
               "(rate(perigee_gateway_tick_to_gateway_seconds_bucket[1m])))`; over 8 ms: a "
               "worker's ticks are long or begin late (`perigee_sim_tick_seconds`, "
               "`perigee_sim_late_starts_total`), or the fabric stalls. As accurate as both clocks",
       .bounds = tick_to_gateway_s});

  Histogram block_hold =
      histogram({.name = "gateway_block_hold_seconds",
                 .help = "Time for which those blocks waited for other workers' blocks.",
                 .note = "`histogram_quantile(0.99, sum by (le) "
                         "(rate(perigee_gateway_block_hold_seconds_bucket[1m])))`; about "
                         "`gateway.coalesce_us`, plus the loop's lateness",
                 .bounds = hold_s});

  Histogram receive_to_forward = histogram(
      {.name = "gateway_receive_to_forward_seconds",
       .help = "Time from the kernel's receive timestamp to forwarding, for the first "
               "datagram of a loop turn.",
       .note = "`histogram_quantile(0.99, sum by (le) "
               "(rate(perigee_gateway_receive_to_forward_seconds_bucket[1m])))`; up to 0.5 "
               "ms are the wait for more inputs, from 4,000 a second on; over 1 ms: the "
               "machine is busy",
       .bounds = forward_s});

  Histogram client_rtt = histogram(
      {.name = "client_rtt_seconds",
       .help = "Network round trip time, without the gateway's hold.",
       .note =
           "see above; the difference to `perigee_client_full_loop_seconds` is caused by perigee",
       .bounds = rtt_s});

  Histogram client_full_loop =
      histogram({.name = "client_full_loop_seconds",
                 .help = "Time from sampling an input until the client learns that it was applied.",
                 .note = "`histogram_quantile(0.5, sum by (le) "
                         "(rate(perigee_client_full_loop_seconds_bucket[1m])))`; about the ping "
                         "plus 10 to 20 ms. Much more: leads are too long, see below",
                 .bounds = loop_s});

  Histogram client_jitter = histogram({.name = "client_jitter_seconds",
                                       .help = "p95 of the blocks' delay beyond the fastest path.",
                                       .note = "`histogram_quantile(0.95, sum by (le) "
                                               "(rate(perigee_client_jitter_seconds_bucket[1m])))`",
                                       .bounds = jitter_s});

  Histogram client_loss = histogram(
      {.name = "client_loss_ratio",
       .help = "Share of packets lost on the way to the client.",
       .note =
           "`histogram_quantile(0.95, sum by (le) (rate(perigee_client_loss_ratio_bucket[1m])))`",
       .bounds = loss_ratio});

  Histogram client_sample_interval =
      histogram({.name = "client_sample_interval_seconds",
                 .help = "Time between two input samples; a key press waits half of it on average.",
                 .note = "`histogram_quantile(0.5, sum by (le) "
                         "(rate(perigee_client_sample_interval_seconds_bucket[1m])))`; the "
                         "clients' frame time, at least a tick",
                 .bounds = frame_s});

  Histogram client_send_wait = histogram(
      {.name = "client_send_wait_seconds",
       .help = "Time from sampling an input to sending it.",
       .note =
           "`histogram_quantile(0.99, sum by (le) "
           "(rate(perigee_client_send_wait_seconds_bucket[1m])))`; 0, except with `send-every-ms`",
       .bounds = send_wait_s});

  Histogram client_publish_wait = histogram(
      {.name = "client_publish_wait_seconds",
       .help = "Time from applying an input on the worker until the worker sends the result, for "
               "the oldest input.",
       .note = "`histogram_quantile(0.99, sum by (le) "
               "(rate(perigee_client_publish_wait_seconds_bucket[1m])))`; a tick, because blocks "
               "are sent every second tick, and one or two until the worker's standby has the "
               "input. More: guesses, see `perigee_sim_inputs_total`",
       .bounds = publish_wait_s});

  Histogram client_view_delay = histogram(
      {.name = "client_view_delay_seconds",
       .help = "View delay: how far other entities are rendered behind the newest received tick.",
       .note = "`histogram_quantile(0.5, sum by (le) "
               "(rate(perigee_client_view_delay_seconds_bucket[1m])))`; 60 ms. More: jitter",
       .bounds = display_s});

  Histogram client_input_to_display =
      histogram({.name = "client_input_to_display_seconds",
                 .help = "Time from sampling an input to the frame that shows its full effect.",
                 .note = "`histogram_quantile(0.99, sum by (le) "
                         "(rate(perigee_client_input_to_display_seconds_bucket[1m])))`; one or two "
                         "frames, whatever the ping. The ping and more: no prediction, or the "
                         "storm breaker shows server states",
                 .bounds = display_s});

  Histogram client_lead = histogram(
      {.name = "client_lead_seconds",
       .help = "Client lead: time ahead of the newest server tick that the client could know.",
       .note =
           "`histogram_quantile(0.5, sum by (le) (rate(perigee_client_lead_seconds_bucket[1m])))`; "
           "about the ping plus 20 ms. A stall raises it at once, and it falls by 2 ms per second",
       .bounds = lead_s});

  Histogram client_correction =
      histogram({.name = "client_correction_meters",
                 .help = "Displacement of visible corrections.",
                 .note = "`histogram_quantile(0.9, sum by (le) "
                         "(rate(perigee_client_correction_meters_bucket[5m])))`",
                 .bounds = correction_m});

  CounterOf<CorrectionCause> client_corrections = counters<CorrectionCause>(
      {.name = "client_corrections_total",
       .label = "cause",
       .help = "Visible corrections (over 5 cm); several within 0.25 s count once.",
       .note = "`60 * sum by (cause) (rate(perigee_client_corrections_total[5m]))`"},
      names_of(correction_cause_rows));

  Counter client_bytes =
      counter({.name = "client_received_bytes_total",
               .help = "UDP payload bytes that clients received.",
               .note = "see above; over 64 kB/s per client: the budget is exceeded"});

  Counter client_extrapolations =
      counter({.name = "client_extrapolations_total",
               .help = "Entities extrapolated beyond their newest sample.",
               .note = "`sum(rate(perigee_client_extrapolations_total[1m])) / "
                       "sum(perigee_gateway_sessions_playing)` per player and second; many: loss, "
                       "or a worker that skips updates (`perigee_sim_records_over_limit_total`)"});

  Counter client_frames_animated = counter(
      {.name = "client_frames_animated_total",
       .help =
           "Frames in which the own avatar was animated from server states instead of predicted.",
       .note = "`rate(perigee_client_frames_animated_total[1m])`: some at every start and "
               "reconnect; continuously: clients that receive no own state"});
};
inline constexpr ProcessMetrics process_metric;

}  // namespace perigee::gateway
