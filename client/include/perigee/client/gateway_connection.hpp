/// The connection to the gateway: payloads, round trips, and reconnection to the same avatar with a
/// resume token.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "perigee/base/frames.hpp"
#include "perigee/client/resume_parts.hpp"
#include "perigee/client/telemetry_log.hpp"
#include "perigee/transport/client.hpp"

namespace perigee::client {

class GatewayConnection {
 public:
  struct Needs {
    TelemetryLog& telemetry;
    /// In a new session of the running connection, gateway and workers have no state of this
    /// client.
    std::function<void(Micros now_us)> on_new_session;
    std::function<void(std::span<const std::byte> bytes)> on_order;
  };
  GatewayConnection(Needs needs, const transport::ClientOptions& options)
      : needs_(std::move(needs)), transport_(options) {}

  /// Connects with a token from the session service. False: not a token.
  bool begin(Micros now_us, std::span<const std::byte> token);
  /// Decrypts one datagram in place. None: it contains no payload.
  std::optional<transport::Client::Payload> receive(Micros now_us, const Address& from,
                                                    std::span<std::byte> datagram);
  /// A frame from the gateway itself.
  void on_frame(Micros now_us, std::span<const std::byte> bytes);
  /// Once per frame, `pause_us` after the previous call: checks timeouts, and reconnects.
  void advance(Micros now_us, Micros pause_us);
  /// Adds the acknowledgement of a resume token, if one is due.
  void write_answer(FrameWriter& frames);
  void send(Micros now_us, std::span<const std::byte> payload);
  std::optional<transport::Client::Outgoing> poll_send() { return transport_.poll_send(); }
  void disconnect(Micros now_us);

  const transport::Client& transport() const { return transport_; }

 private:
  struct Sent {
    std::uint64_t sequence = 0;
    Micros at_us = 0;
  };
  void on_echo(Micros now_us, std::span<const std::byte> bytes);
  void on_resume(Micros now_us, std::span<const std::byte> bytes);
  void notice_new_session(Micros now_us);
  void forget_session();

  Needs needs_;
  transport::Client transport_;
  std::array<Sent, 256> sent_{};
  std::uint32_t sessions_ = 0;      ///< of the transport, as noticed here
  std::optional<Address> gateway_;  ///< of the newest of them
  bool stalled_ = false;            ///< the last call came long after the previous one
  bool quit_ = false;               ///< disconnected on this side
  ResumeParts resume_parts_;
  std::optional<std::uint32_t> resume_owed_;  ///< number of a resume token to acknowledge
};

}  // namespace perigee::client
