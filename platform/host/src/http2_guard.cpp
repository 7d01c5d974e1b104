#include "perigee/host/http2_guard.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace perigee::host {
namespace {

constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// RFC 9113, section 6.
enum Type : std::uint8_t {
  data = 0,
  headers = 1,
  rst_stream = 3,
  settings = 4,
  ping = 6,
  continuation = 9
};
constexpr std::uint8_t end_stream = 0x1;
constexpr std::uint8_t end_headers = 0x4;

/// gRPC puts a flag and a length before the message.
constexpr std::uint32_t message_prefix_bytes = 5;

std::uint32_t byte_at(std::span<const std::byte> bytes, std::size_t i) {
  return std::to_integer<std::uint32_t>(bytes[i]);
}

}  // namespace

std::optional<FrameReader::Frame> FrameReader::next(std::span<const std::byte>& bytes) {
  const std::size_t skipped = std::min<std::size_t>(payload_left_, bytes.size());
  payload_left_ -= static_cast<std::uint32_t>(skipped);
  bytes = bytes.subspan(skipped);
  const std::size_t taken = std::min(header_bytes - header_size_, bytes.size());
  std::copy_n(bytes.begin(), taken, header_.begin() + static_cast<std::ptrdiff_t>(header_size_));
  header_size_ += taken;
  bytes = bytes.subspan(taken);
  if (header_size_ < header_bytes) return std::nullopt;
  header_size_ = 0;
  const std::span<const std::byte> h(header_);
  payload_left_ = byte_at(h, 0) << 16U | byte_at(h, 1) << 8U | byte_at(h, 2);
  return Frame{.payload_bytes = payload_left_,
               .type = std::to_integer<std::uint8_t>(h[3]),
               .flags = std::to_integer<std::uint8_t>(h[4]),
               .stream = (byte_at(h, 5) & 0x7fU) << 24U | byte_at(h, 6) << 16U |
                         byte_at(h, 7) << 8U | byte_at(h, 8)};
}

bool Http2Guard::Allowance::take(Micros now_us, std::uint32_t burst, std::uint32_t per_s) {
  const Micros period_us = 1'000'000 / per_s;
  if (empty_at_us - now_us > period_us * (Micros{burst} - 1)) return false;
  empty_at_us = std::max(empty_at_us, now_us) + period_us;
  return true;
}

Http2Guard::Http2Guard(const GrpcLimits& limits, Micros now_us)
    : limits_(limits), begun_us_(now_us), idle_since_us_(now_us) {}

std::optional<GrpcBreach> Http2Guard::client_sent(Micros now_us, std::span<const std::byte> bytes) {
  forget_given_up(now_us);
  const std::size_t taken = std::min(preface_bytes - preface_size_, bytes.size());
  if (std::memcmp(bytes.data(), preface.data() + preface_size_, taken) != 0) {
    return GrpcBreach::Preface;
  }
  preface_size_ += taken;
  bytes = bytes.subspan(taken);
  while (const auto frame = from_client_.next(bytes)) {
    if (const auto breach = on_frame(now_us, *frame)) return breach;
  }
  return std::nullopt;
}

std::optional<GrpcBreach> Http2Guard::on_frame(Micros now_us, const FrameReader::Frame& frame) {
  if (!settings_seen_ && frame.type != settings) return GrpcBreach::Preface;
  settings_seen_ = true;
  if (frame.payload_bytes > frame_bytes_max) return GrpcBreach::Frame;
  if (!frames_.take(now_us, limits_.frames_burst, limits_.frames_per_s)) return GrpcBreach::Frames;
  // No frame may come between the parts of a header block.
  if ((block_stream_ != 0) != (frame.type == continuation)) return GrpcBreach::Frame;
  switch (frame.type) {
    case headers:
      return on_headers(now_us, frame);
    case continuation:
      if (frame.stream != block_stream_) return GrpcBreach::Frame;
      return on_header_bytes(frame);
    case data:
      return on_data(frame);
    case rst_stream:
      if (find(frame.stream) == nullptr) return std::nullopt;
      end(now_us, frame.stream);
      given_up_.push_back(now_us);
      if (resets_.take(now_us, limits_.resets_burst, limits_.resets_per_s)) return std::nullopt;
      return GrpcBreach::Resets;
    case settings:
    case ping:
      if (pings_.take(now_us, limits_.pings_burst, limits_.pings_per_s)) return std::nullopt;
      return GrpcBreach::Frames;
    default:
      return std::nullopt;
  }
}

std::optional<GrpcBreach> Http2Guard::on_headers(Micros now_us, const FrameReader::Frame& frame) {
  block_stream_ = frame.stream;
  block_frames_ = 0;
  block_bytes_ = 0;
  if (frame.stream > last_stream_) {
    last_stream_ = frame.stream;
    if (calls_.size() == limits_.calls_per_connection_max) return GrpcBreach::Calls;
    calls_.push_back({.stream = frame.stream, .begun_us = now_us});
  }
  Call* const call = find(frame.stream);
  if (call != nullptr && (frame.flags & end_stream) != 0) call->asked = true;
  return on_header_bytes(frame);
}

std::optional<GrpcBreach> Http2Guard::on_header_bytes(const FrameReader::Frame& frame) {
  block_bytes_ += frame.payload_bytes;
  if (++block_frames_ > block_frames_max || block_bytes_ > limits_.metadata_bytes_max) {
    return GrpcBreach::Metadata;
  }
  // Blocks of one call count together: trailers are headers, too.
  if (Call* const call = find(frame.stream)) {
    call->metadata_bytes += frame.payload_bytes;
    if (call->metadata_bytes > limits_.metadata_bytes_max) return GrpcBreach::Metadata;
  }
  if ((frame.flags & end_headers) != 0) block_stream_ = 0;
  return std::nullopt;
}

std::optional<GrpcBreach> Http2Guard::on_data(const FrameReader::Frame& frame) {
  Call* const call = find(frame.stream);
  if (call == nullptr) return std::nullopt;  // gRPC has answered it already and skips this
  call->request_bytes += frame.payload_bytes;
  if (call->request_bytes > limits_.request_bytes_max + message_prefix_bytes) {
    return GrpcBreach::Request;
  }
  if ((frame.flags & end_stream) != 0) call->asked = true;
  return std::nullopt;
}

void Http2Guard::server_sent(Micros now_us, std::span<const std::byte> bytes) {
  while (const auto frame = from_server_.next(bytes)) {
    const bool last =
        (frame->type == headers || frame->type == data) && (frame->flags & end_stream) != 0;
    if (last || frame->type == rst_stream) end(now_us, frame->stream);
  }
}

std::optional<GrpcBreach> Http2Guard::late(Micros now_us) {
  forget_given_up(now_us);
  const auto passed = [&](Micros since_us, Micros limit_us) {
    return limit_us != 0 && now_us - since_us > limit_us;
  };
  if (!settings_seen_ && passed(begun_us_, limits_.handshake_us_max)) {
    return GrpcBreach::LateHandshake;
  }
  for (const Call& call : calls_) {
    if (!call.asked && passed(call.begun_us, limits_.request_us_max)) {
      return GrpcBreach::LateRequest;
    }
    if (passed(call.begun_us, limits_.answer_us_max)) return GrpcBreach::LateAnswer;
  }
  if (calls_.empty() && passed(idle_since_us_, limits_.idle_us_max)) return GrpcBreach::Idle;
  return std::nullopt;
}

Http2Guard::Call* Http2Guard::find(std::uint32_t stream) {
  const auto found = std::find_if(calls_.begin(), calls_.end(),
                                  [&](const Call& call) { return call.stream == stream; });
  return found == calls_.end() ? nullptr : &*found;
}

void Http2Guard::forget_given_up(Micros now_us) {
  std::erase_if(given_up_, [&](Micros when_us) { return now_us - when_us >= given_up_us; });
}

void Http2Guard::end(Micros now_us, std::uint32_t stream) {
  std::erase_if(calls_, [&](const Call& call) { return call.stream == stream; });
  idle_since_us_ = now_us;
}

}  // namespace perigee::host
