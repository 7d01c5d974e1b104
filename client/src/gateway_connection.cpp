// The connection to the gateway: round trips, resume tokens, and reconnection with one.
#include <algorithm>
#include <array>

#include "perigee/client/client.hpp"
#include "perigee/netcode/gateway_frame.hpp"

namespace perigee::client {
namespace {

/// After a longer pause between two calls, datagrams that arrived in it may not have been received
/// yet.
constexpr Micros own_stall_us = 200'000;
/// A worker without a block in a new session by then is gone.
constexpr Micros former_us_max = 3'000'000;

}  // namespace

bool Client::begin(Micros now_us, std::span<const std::byte> token) {
  incarnation_.reset();
  former_incarnation_.reset();
  forget_world();
  forget_session();
  former_since_us_.reset();
  sessions_ = transport_.sessions();
  telemetry_.forget_path();
  epoch_us_ = now_us_ = last_advance_us_ = now_us;
  stalled_ = quit_ = false;
  return transport_.begin(now_us, token);
}

/// Discards the state agreed on with the gateway of the ending session.
void Client::forget_session() {
  sent_.fill({});
  resume_owed_.reset();
  order_ = 0;
  order_owed_ = false;
  chunks_owed_.reset();
  telemetry_.on_new_session();
}

void Client::on_gateway_frame(Micros now_us, std::span<const std::byte> bytes) {
  const auto is = [&](GatewayFrame kind) {
    return !bytes.empty() && bytes[0] == std::byte{static_cast<std::uint8_t>(kind)};
  };
  if (is(GatewayFrame::Resume)) return on_resume(now_us, bytes);
  if (is(GatewayFrame::Order)) return on_order(bytes);
  const auto echo = read_echo(bytes);
  if (!echo) return telemetry_.count_malformed();
  if (echo->hold_us == EchoFrame::nothing_received) return;
  const Sent& sent = sent_[echo->newest_sequence % sent_.size()];
  if (static_cast<std::uint32_t>(sent.sequence) != echo->newest_sequence || sent.at_us == 0) return;
  const Micros rtt_us = now_us - sent.at_us - static_cast<Micros>(echo->hold_us);
  if (rtt_us >= 0) telemetry_.on_rtt(rtt_us);
}

void Client::on_resume(Micros now_us, std::span<const std::byte> bytes) {
  const auto resume = read_resume(bytes);
  if (!resume) return telemetry_.count_malformed();
  transport::ConnectToken token{};
  std::copy(resume->token.begin(), resume->token.end(), token.begin());
  if (!transport_.set_spare(now_us, token)) return telemetry_.count_malformed();
  resume_owed_ = resume->number;
}

void Client::answer_resume(FrameWriter& frames) {
  if (!resume_owed_) return;
  std::array<std::byte, resume_received_bytes> bytes;
  ByteWriter writer(bytes);
  const bool fits = write_resume_received(writer, *resume_owed_);
  PERIGEE_ASSERT(fits, "the answer must fit its buffer");
  if (frames.add(stream_gateway, bytes)) resume_owed_.reset();
}

void Client::keep_connected(Micros now_us) {
  // After a stall of the application, silence counts only from the next call on, when the datagrams
  // of the stall have been received. An application that always takes that long between two frames
  // has received before each of them.
  const bool stalled = now_us - last_advance_us_ >= own_stall_us;
  if (!transport_.connected() || !stalled || stalled_) transport_.advance(now_us);
  stalled_ = stalled;
  if (transport_.state() == transport::ClientState::Disconnected && !quit_) {
    transport_.redial(now_us);  // disconnected by a stopping gateway; a kicked client is denied
  }
  notice_new_session(now_us);
  if (former_since_us_ && now_us - *former_since_us_ > former_us_max) forget_former_streams();
}

/// In a new session the gateway and the workers have no state of this client. Known entities stay
/// on the screen until the workers send blocks, but not for ever.
void Client::notice_new_session(Micros now_us) {
  if (transport_.sessions() == sessions_) return;
  sessions_ = transport_.sessions();
  if (sessions_ == 1) return;
  former_since_us_ = now_us;
  for (Stream& stream : streams_) {
    if (stream.known) stream.former = true;
    stream.owed = false;
  }
  forget_session();
}

void Client::forget_former_streams() {
  former_since_us_.reset();
  for (std::size_t slot = 0; slot < streams_.size(); ++slot) {
    if (streams_[slot].former) forget(stream_of_worker(static_cast<WorkerSlot>(slot)));
  }
}

void Client::disconnect(Micros now_us) {
  quit_ = true;
  transport_.disconnect(now_us);
}

}  // namespace perigee::client
