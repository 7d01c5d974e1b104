#include "exported.hpp"

namespace perigee::rooms {
namespace {

constexpr double seconds(Micros us) { return static_cast<double>(us) * 1e-6; }

}  // namespace

void Exported::on_tick(Micros spent_us, Micros late_us) {
  process_.observe(process_metric.tick, seconds(spent_us));
  process_.observe(process_metric.tick_late, seconds(late_us));
}

void Exported::on_telemetry(const Telemetry& telemetry) {
  process_.observe(process_metric.rtt, seconds(telemetry.rtt_us));
  for (std::size_t cause = 0; cause < telemetry.corrections.size(); ++cause) {
    process_.add(process_metric.corrections[static_cast<CorrectionCause>(cause)],
                 telemetry.corrections[cause]);
  }
}

void Exported::on_created(Micros took_us) {
  process_.add(process_metric.created);
  process_.observe(process_metric.create, seconds(took_us));
}

void Exported::show(const store_thread::StoreThread::Status& store) {
  process_.follow(process_metric.store_fault, store.faults);
  process_.set(process_metric.store_behind, store.behind ? 1 : 0);
}

void Exported::show(const Host& host, const host::UdpCounts& sessions,
                    const host::UdpCounts& handshakes) {
  std::uint32_t waiting = 0, playing = 0;
  host.for_each_open([&](const Room& room) { ++(room.played() ? playing : waiting); });
  process_.set(process_metric.rooms_waiting, waiting);
  process_.set(process_metric.rooms_playing, playing);
  process_.set(process_metric.rooms_ending, static_cast<double>(host.ending()));
  process_.follow(process_metric.records, host.records());
  const gateway::Snapshot door = host.door().snapshot();
  process_.set(process_metric.players, door.sessions);
  process_.follow(process_metric.ticks_skipped, host.ticks_skipped());
  for (std::size_t i = 0; i < session_event_counts.size(); ++i) {
    process_.follow(process_metric.session_events[static_cast<SessionEvent>(i)],
                    door.counts[session_event_counts[i]]);
  }
  process_.follow(process_metric.transport_drops, door.transport_drops);
  process_.follow(process_metric.gateway_drops, door.drops);
  const auto lost = [&](auto of) { return of(sessions) + of(handshakes); };
  const auto follow = [&](SocketLoss loss, auto of) {
    process_.follow(process_metric.socket_losses[loss], lost(of));
  };
  using Sums = host::UdpCounts;
  follow(SocketLoss::KernelBuffer, [](const Sums& sums) { return sums.kernel_dropped; });
  follow(SocketLoss::Other, [](const Sums& sums) {
    return sums.received_oversized + sums.received_empty + sums.receive_failed;
  });
  follow(SocketLoss::SendQueue, [](const Sums& sums) { return sums.send_queue_full; });
  follow(SocketLoss::SendFailed, [](const Sums& sums) { return sums.send_failed; });
  process_.flush();
}

}  // namespace perigee::rooms
