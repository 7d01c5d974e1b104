/// One client's connection, and the socket pair that connects it to gRPC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "descriptor.hpp"
#include "perigee/base/address.hpp"
#include "perigee/host/caller.hpp"
#include "perigee/host/http2_guard.hpp"
#include "perigee/host/tls.hpp"

namespace perigee::host {

class GuardedConnection {
 public:
  static constexpr std::size_t read_bytes_max = 16'384;

  GuardedConnection(std::uint64_t id, Descriptor client, const Address& from,
                    const GrpcLimits& limits, Micros now_us,
                    std::unique_ptr<TlsSession> tls = nullptr);

  /// Result of moving bytes.
  struct Moved {
    bool over = false;  ///< one of the two ends has closed
    std::optional<GrpcBreach> breach;
  };
  /// Reads and keeps the bytes until to_server().
  Moved from_client(Micros now_us, std::span<std::byte> room);
  /// Reads and forwards.
  Moved from_server(Micros now_us, std::span<std::byte> room);
  /// Sends the kept bytes, as far as the socket accepts them.
  Moved to_server();
  Moved to_client();

  /// gRPC may get the bytes read so far: whole frames of a client that speaks HTTP/2.
  bool wants_server() const { return guard_.begun() && !for_server_.empty(); }
  /// `far_end` is gRPC's descriptor.
  void set_server(Descriptor server, int far_end);
  /// gRPC's end of the pair. gRPC closes it once all calls of the connection have ended.
  struct FarEnd {
    int descriptor = -1;
    std::uint64_t inode = 0;
    std::uint32_t calls = 0;
    bool open() const;
  };
  /// gRPC's end as it would remain if this connection were closed now.
  FarEnd far_end() const;
  /// Calls passed to gRPC, and calls that wait for to_server().
  std::uint32_t calls_passed() const;
  std::uint32_t calls_kept() const { return guard_.calls() - calls_passed(); }

  /// Events that each end waits for, for epoll. A side is not read while the other does not accept
  /// its bytes: at most `read_bytes_max` are queued in each direction, plus the beginning of a
  /// preface, and for the client as much again in answers of TLS itself.
  std::uint32_t client_events() const;
  std::uint32_t server_events() const;

  std::uint64_t id() const { return id_; }
  std::uint64_t source() const { return source_; }
  const Address& from() const { return from_; }
  /// Once the client has begun to speak.
  Caller caller() const;
  /// Whether the client's certificate has been revoked since.
  bool revoked(const TlsServer& by) const { return tls_ && by.revoked(*tls_); }
  const Http2Guard& guard() const { return guard_; }
  /// Checks the time limits. Call it several times a second.
  std::optional<GrpcBreach> late(Micros now_us);
  int client() const { return client_.get(); }
  int server() const { return server_.get(); }
  /// Events last set with epoll; 0: epoll does not watch that end.
  std::uint32_t client_watched = 0, server_watched = 0;

 private:
  Moved keep(Micros now_us, std::span<const std::byte> plain);
  Moved decrypt(Micros now_us, std::span<const std::byte> bytes);
  std::uint64_t acknowledged_bytes() const;

  std::uint64_t id_;
  Descriptor client_, server_;
  Address from_;
  std::uint64_t source_;
  Http2Guard guard_;
  std::unique_ptr<TlsSession> tls_;  ///< null: plain
  std::vector<std::byte> for_server_, for_client_;
  bool sending_ = false;  ///< part of for_server_ is sent; the rest waits for the socket only
  std::uint32_t calls_kept_ = 0;
  std::uint64_t sent_bytes_ = 0;   ///< to the client's socket
  std::uint64_t taken_bytes_ = 0;  ///< acknowledged by the client at the last look
  const Micros unread_us_max_;
  Micros taken_us_;  ///< when the client took some last, or none waited for it
  FarEnd far_end_;
};

}  // namespace perigee::host
