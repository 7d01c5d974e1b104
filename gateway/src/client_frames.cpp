#include "perigee/gateway/client_frames.hpp"

#include "perigee/base/wire_client.hpp"

namespace perigee::gateway {

void ClientFrames::on_payload(Micros now_us, const Arrival& arrival,
                              const transport::ReceivedPayload& payload) {
  needs_.counts.add(metric.payloads_received);
  needs_.echoes.on_payload(payload.slot, payload.sequence, arrival.received_us);
  FrameReader frames(payload.bytes);
  for (std::uint32_t n = 0; n < frames_per_payload_max; ++n) {
    const auto frame = frames.next();
    if (!frame) {
      if (!frames.ok()) needs_.drops.add(Drop::FrameMalformed);
      return;
    }
    on_frame(now_us, payload.slot, arrival.received, *frame);
  }
  if (frames.next() || !frames.ok()) needs_.drops.add(Drop::FrameMalformed);  // too many frames
}

void ClientFrames::on_frame(Micros now_us, std::uint32_t slot, FineTick received,
                            const Frame& frame) {
  if (frame.stream == stream_gateway) return on_gateway_frame(now_us, slot, frame.bytes);
  const SessionId session = needs_.sessions[slot].id;
  WorkerSlot worker = needs_.joins.worker(slot);
  if (frame.stream == stream_owner) {
    if (!needs_.sessions.is_playing(slot)) return needs_.drops.add(Drop::FrameBeforeJoined);
  } else {
    worker = worker_of_stream(frame.stream);
  }
  if (!needs_.links.reachable(worker)) return needs_.drops.add(Drop::FrameUnknownWorker);
  needs_.counts.add(metric.frames_forwarded);
  needs_.links.add(worker, InputRecord{session, received, frame.stream, frame.bytes});
  // The standby of the avatar's owner gets a copy of inputs, because the owner may die before it
  // replicates them. A client repeats its messages itself.
  if (frame.stream != stream_owner || client_frame_kind(frame.bytes) == ClientFrame::Message)
    return;
  const WorkerEntry* owner = needs_.map.worker(worker);
  if (owner == nullptr || !owner->standby || !needs_.links.reachable(*owner->standby)) return;
  needs_.links.add(*owner->standby,
                   InputRecord{session, received, stream_of_worker(worker), frame.bytes});
}

void ClientFrames::on_gateway_frame(Micros now_us, std::uint32_t slot,
                                    std::span<const std::byte> bytes) {
  if (!bytes.empty() && bytes[0] == std::byte{resume_received_kind}) {
    const auto number = read_resume_received(bytes);
    return number ? needs_.resume_tokens.on_acknowledged(slot, *number)
                  : needs_.drops.add(Drop::FrameMalformed);
  }
  if (!bytes.empty() && bytes[0] == std::byte{order_answer_kind}) {
    return needs_.technique_orders.on_answer(slot, bytes);
  }
  if (bytes.empty() || bytes[0] != std::byte{telemetry_frame_kind}) {
    return needs_.drops.add(Drop::FrameUnknownKind);
  }
  needs_.telemetry.on_frame(now_us, slot, bytes);
}

}  // namespace perigee::gateway
