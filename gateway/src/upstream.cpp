// Client -> worker.
#include <algorithm>

#include "perigee/gateway/core.hpp"

namespace perigee::gateway {

void Core::on_client_datagram(Micros now_us, std::uint64_t unix_s, const ClientDatagram& datagram) {
  counts_.add(metric.client_datagrams_received);
  counts_.add(metric.client_bytes_received, datagram.bytes.size());
  const auto payload = server_.receive(now_us, unix_s, datagram.from, datagram.bytes);
  handle_events(now_us);
  if (payload) on_payload(now_us, datagram, *payload);
}

void Core::on_payload(Micros now_us, const ClientDatagram& datagram,
                      const transport::ReceivedPayload& payload) {
  counts_.add(metric.payloads_received);
  Session& session = sessions_[payload.slot];
  if (!session.has_received || payload.sequence > session.newest_sequence) {
    session.has_received = true;
    session.newest_sequence = payload.sequence;
    session.newest_received_us = datagram.received_us;
  }
  FrameReader frames(payload.bytes);
  for (std::uint32_t n = 0; n < frames_per_payload_max; ++n) {
    const auto frame = frames.next();
    if (!frame) {
      if (!frames.ok()) drop(Drop::FrameMalformed);
      return;
    }
    on_frame(now_us, session, datagram.received, *frame);
  }
  if (frames.next() || !frames.ok()) drop(Drop::FrameMalformed);  // too many frames
}

void Core::on_frame(Micros now_us, Session& session, FineTick received, const Frame& frame) {
  if (frame.stream == stream_gateway) return on_gateway_frame(now_us, session, frame.bytes);
  WorkerSlot worker = session.worker;
  if (frame.stream == stream_owner) {
    if (session.phase != Phase::Playing) return drop(Drop::FrameBeforeJoined);
  } else {
    worker = worker_of_stream(frame.stream);
  }
  if (!links_.reachable(worker)) return drop(Drop::FrameUnknownWorker);
  counts_.add(metric.frames_forwarded);
  links_.add(worker, InputRecord{session.id, received, frame.stream, frame.bytes});
  if (frame.stream != stream_owner) return;
  // The standby of the avatar's owner gets a copy, because the owner may die before it replicates
  // the input.
  const WorkerEntry* owner = map_.worker(worker);
  if (owner == nullptr || !owner->standby || !links_.reachable(*owner->standby)) return;
  links_.add(*owner->standby,
             InputRecord{session.id, received, stream_of_worker(worker), frame.bytes});
}

void Core::on_gateway_frame(Micros now_us, Session& session, std::span<const std::byte> bytes) {
  if (!bytes.empty() && bytes[0] == std::byte{resume_received_kind}) {
    const auto number = read_resume_received(bytes);
    return number ? on_resume_received(session, *number) : drop(Drop::FrameMalformed);
  }
  if (!bytes.empty() && bytes[0] == std::byte{order_answer_kind}) {
    return on_order_answer(session, bytes);
  }
  if (bytes.empty() || bytes[0] != std::byte{telemetry_frame_kind}) {
    return drop(Drop::FrameUnknownKind);
  }
  const auto telemetry = read_telemetry(bytes);
  if (!telemetry) return drop(Drop::FrameMalformed);
  if (now_us < session.next_telemetry_us) return drop(Drop::TelemetryTooOften);
  session.next_telemetry_us = now_us + telemetry_period_us_min;
  if (!session.reports.accept(now_us, *telemetry)) return drop(Drop::TelemetryImplausible);
  counts_.add(metric.telemetry_received);
  outputs_.on_telemetry(*telemetry);
}

}  // namespace perigee::gateway
