#include "exported.hpp"

#include <algorithm>

namespace perigee::gateway {
namespace {

constexpr double seconds(std::int64_t us) { return static_cast<double>(us) * 1e-6; }

}  // namespace

Exported::Exported(host::Metrics& metrics)
    : core_(metrics, metric),
      process_(metrics, process_metric),
      seal_(metrics, fabric_seal::metric) {}

void Exported::show(const fabric_seal::Seal& seal) { seal_.follow(seal.counts()); }

void Exported::on_telemetry(const Telemetry& telemetry) {
  process_.observe(process_metric.client_rtt, seconds(telemetry.rtt_us));
  process_.observe(process_metric.client_full_loop, seconds(telemetry.full_loop_rtt_us));
  process_.observe(process_metric.client_jitter, seconds(telemetry.jitter_us));
  process_.observe(process_metric.client_loss, telemetry.loss_permille * 1e-3);
  process_.observe(process_metric.client_lead, seconds(telemetry.lead_us));
  if (telemetry.sample_interval_us > 0) {
    process_.observe(process_metric.client_sample_interval, seconds(telemetry.sample_interval_us));
    process_.observe(process_metric.client_send_wait, seconds(telemetry.send_wait_us));
    process_.observe(process_metric.client_publish_wait, seconds(telemetry.publish_wait_us));
    process_.observe(process_metric.client_view_delay, seconds(telemetry.view_delay_us));
    process_.observe(process_metric.client_input_to_display,
                     seconds(telemetry.input_to_display_us));
  }
  for (const std::uint16_t size_mm : telemetry.correction_sizes_mm) {
    process_.observe(process_metric.client_correction, size_mm * 1e-3);
  }
  for (std::size_t cause = 0; cause < telemetry.corrections.size(); ++cause) {
    process_.add(process_metric.client_corrections[static_cast<CorrectionCause>(cause)],
                 telemetry.corrections[cause]);
  }
  process_.add(process_metric.client_extrapolations, telemetry.extrapolations);
  process_.add(process_metric.client_frames_animated, telemetry.frames_animated);
  process_.add(process_metric.client_bytes, telemetry.bytes_received);
}

void Exported::on_turn(Micros waited_us) {
  process_.observe(process_metric.receive_to_forward, seconds(waited_us));
}

void Exported::on_own_block(Micros since_tick_us, Micros held_us) {
  process_.observe(process_metric.tick_to_gateway, seconds(since_tick_us));
  process_.observe(process_metric.block_hold, seconds(held_us));
}

void Exported::show(const Snapshot& snapshot) {
  core_.add_since(exported_.counts, snapshot.counts);
  process_.add_since(process_metric.transport_drops, exported_.transport_drops,
                     snapshot.transport_drops);
  process_.add_since(process_metric.gateway_drops, exported_.drops, snapshot.drops);
  process_.set(process_metric.sessions, snapshot.sessions);
  process_.set(process_metric.sessions_playing, snapshot.playing);
  process_.set(process_metric.handshakes, snapshot.handshakes);
  process_.set(process_metric.sessions_leaving, snapshot.leaving);
}

void Exported::show_losses(ProcessMetrics::CounterOf<SocketLoss> losses,
                           const host::UdpCounts& socket) {
  process_.follow(losses[SocketLoss::KernelBuffer], socket.kernel_dropped);
  process_.follow(losses[SocketLoss::Oversized], socket.received_oversized);
  process_.follow(losses[SocketLoss::Empty], socket.received_empty);
  process_.follow(losses[SocketLoss::ReceiveFailed], socket.receive_failed);
  process_.follow(losses[SocketLoss::SendQueue], socket.send_queue_full);
  process_.follow(losses[SocketLoss::SendFailed], socket.send_failed);
}

void Exported::show(const host::UdpCounts& sessions, const host::UdpCounts& handshakes,
                    const host::UdpCounts& fabric) {
  show_losses(process_metric.public_losses, sessions);
  show_losses(process_metric.handshake_losses, handshakes);
  show_losses(process_metric.fabric_losses, fabric);
  process_.follow(process_metric.public_sent_in_runs, sessions.sent_in_runs);
  process_.follow(process_metric.fabric_sent_in_runs, fabric.sent_in_runs);
}

void Exported::show_doors(const host::UdpCounts& doors) {
  show_losses(process_metric.door_losses, doors);
}

void Exported::show_awake(Micros now_us, Micros awake_us) {
  const Micros passed_us = std::max<Micros>(now_us - awake_shown_at_us_, 1);
  process_.set(process_metric.awake,
               static_cast<double>(awake_us - awake_shown_us_) / static_cast<double>(passed_us));
  awake_shown_at_us_ = now_us;
  awake_shown_us_ = awake_us;
}

void Exported::show(const Counts<host::SessionCall>& calls) {
  process_.follow(process_metric.session_calls, calls);
}

void Exported::show_clock_error(Micros error_us) {
  process_.set(process_metric.clock_error, seconds(error_us));
}

void Exported::flush() {
  core_.flush();
  process_.flush();
  seal_.flush();
}

}  // namespace perigee::gateway
