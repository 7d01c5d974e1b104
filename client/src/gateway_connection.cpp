#include "perigee/client/gateway_connection.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/fabric.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee::client {
namespace {

/// After a longer pause between two calls, datagrams that arrived in it may not have been received
/// yet.
constexpr Micros own_stall_us = 200'000;

}  // namespace

bool GatewayConnection::begin(Micros now_us, std::span<const std::byte> token) {
  forget_session();
  sessions_ = transport_.sessions();
  gateway_.reset();
  needs_.telemetry.forget_path();
  stalled_ = quit_ = false;
  return transport_.begin(now_us, token);
}

/// Discards the state agreed on with the gateway of the ending session.
void GatewayConnection::forget_session() {
  sent_.fill({});
  resume_owed_.reset();
  resume_parts_.clear();
  needs_.telemetry.on_new_session();
}

std::optional<transport::Client::Payload> GatewayConnection::receive(
    Micros now_us, const Address& from, std::span<std::byte> datagram) {
  const std::size_t size = datagram.size();
  const auto payload = transport_.receive(now_us, from, datagram);
  notice_new_session(now_us);
  if (payload) needs_.telemetry.on_packet(payload->sequence, size);
  return payload;
}

void GatewayConnection::on_frame(Micros now_us, std::span<const std::byte> bytes) {
  const auto is = [&](GatewayFrame kind) {
    return !bytes.empty() && bytes[0] == std::byte{static_cast<std::uint8_t>(kind)};
  };
  if (is(GatewayFrame::Resume)) return on_resume(now_us, bytes);
  if (is(GatewayFrame::Order)) return needs_.on_order(bytes);
  on_echo(now_us, bytes);
}

void GatewayConnection::on_echo(Micros now_us, std::span<const std::byte> bytes) {
  const auto echo = read_echo(bytes);
  if (!echo) return needs_.telemetry.count_malformed();
  if (echo->hold_steps == EchoFrame::no_hold) return;
  const Sent& sent = sent_[echo->newest_sequence % sent_.size()];
  if (static_cast<std::uint16_t>(sent.sequence) != echo->newest_sequence || sent.at_us == 0) return;
  const Micros hold_us = echo->hold_steps * EchoFrame::hold_step_us;
  const Micros rtt_us = now_us - sent.at_us - hold_us;
  if (rtt_us >= 0) needs_.telemetry.on_rtt(rtt_us);
}

void GatewayConnection::on_resume(Micros now_us, std::span<const std::byte> bytes) {
  const auto resume = read_resume(bytes);
  if (!resume) return needs_.telemetry.count_malformed();
  const transport::ConnectToken* token = resume_parts_.add(*resume);
  if (token == nullptr) return;
  if (!transport_.set_spare(now_us, *token)) return needs_.telemetry.count_malformed();
  resume_owed_ = resume->number;
}

void GatewayConnection::write_answer(FrameWriter& frames) {
  if (!resume_owed_) return;
  std::array<std::byte, resume_received_bytes> bytes;
  ByteWriter writer(bytes);
  const bool fits = write_resume_received(writer, *resume_owed_);
  PERIGEE_ASSERT(fits, "the answer must fit its buffer");
  if (frames.add(stream_gateway, bytes)) resume_owed_.reset();
}

void GatewayConnection::send(Micros now_us, std::span<const std::byte> payload) {
  if (const auto sequence = transport_.send_payload(now_us, payload)) {
    sent_[*sequence % sent_.size()] = {*sequence, now_us};
  }
}

void GatewayConnection::advance(Micros now_us, Micros pause_us) {
  // After a stall of the application, silence counts only from the next call on, when the datagrams
  // of the stall have been received. An application that always takes that long between two frames
  // has received before each of them.
  const bool stalled = pause_us >= own_stall_us;
  if (!transport_.connected() || !stalled || stalled_) transport_.advance(now_us);
  stalled_ = stalled;
  if (transport_.state() == transport::ClientState::Disconnected && !quit_) {
    transport_.redial(now_us);  // disconnected by a stopping gateway; a kicked client is denied
  }
  notice_new_session(now_us);
}

void GatewayConnection::notice_new_session(Micros now_us) {
  if (transport_.sessions() == sessions_) return;
  sessions_ = transport_.sessions();
  const auto former = std::exchange(gateway_, transport_.server_address());
  if (sessions_ == 1) return;
  // The way to another gateway may be longer, which is no queue.
  if (gateway_ != former) needs_.telemetry.forget_path();
  forget_session();
  needs_.on_new_session(now_us);
}

void GatewayConnection::disconnect(Micros now_us) {
  quit_ = true;
  transport_.disconnect(now_us);
}

}  // namespace perigee::client
