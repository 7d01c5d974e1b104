/// One client's connection, and the socket pair through which gRPC speaks with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "descriptor.hpp"
#include "perigee/host/http2_guard.hpp"
#include "perigee/netcode/address.hpp"

namespace perigee::host {

class GuardedConnection {
 public:
  static constexpr std::size_t read_bytes_max = 16'384;

  GuardedConnection(std::uint64_t id, Descriptor client, const Address& from,
                    const GrpcLimits& limits, Micros now_us);

  /// What came of moving bytes.
  struct Moved {
    bool over = false;  ///< one of both ends has closed
    std::optional<GrpcBreach> breach;
  };
  /// Reads, and keeps what was read until to_server().
  Moved from_client(Micros now_us, std::span<std::byte> room);
  /// Reads, and sends on.
  Moved from_server(Micros now_us, std::span<std::byte> room);
  /// Sends what was kept, as far as the socket takes it.
  Moved to_server();
  Moved to_client();

  /// gRPC may get what was read: whole frames of a client that speaks HTTP/2.
  bool wants_server() const { return guard_.begun() && !for_server_.empty(); }
  /// `far_end` is what gRPC was given.
  void set_server(Descriptor server, int far_end);
  /// Whether gRPC has closed its end of the pair, as it does once all calls of it have ended there.
  struct FarEnd {
    int descriptor = -1;
    std::uint64_t inode = 0;
    std::uint32_t calls = 0;
    bool open() const;
  };
  /// What gRPC still has to clear away if this connection is closed now.
  FarEnd far_end() const;
  /// Calls that gRPC knows of, and those that wait for to_server().
  std::uint32_t calls_passed() const;
  std::uint32_t calls_kept() const { return guard_.calls() - calls_passed(); }

  /// Which events each end waits for, for epoll. A side whose bytes the other does not take is not
  /// read: at most read_bytes_max wait in each direction, and the beginning of a preface.
  std::uint32_t client_events() const;
  std::uint32_t server_events() const;

  std::uint64_t id() const { return id_; }
  std::uint64_t source() const { return source_; }
  const Address& from() const { return from_; }
  const Http2Guard& guard() const { return guard_; }
  std::optional<GrpcBreach> late(Micros now_us) { return guard_.late(now_us); }
  int client() const { return client_.get(); }
  int server() const { return server_.get(); }
  /// As epoll was told last; 0: it does not watch that end.
  std::uint32_t client_told = 0, server_told = 0;

 private:
  std::uint64_t id_;
  Descriptor client_, server_;
  Address from_;
  std::uint64_t source_;
  Http2Guard guard_;
  std::vector<std::byte> for_server_, for_client_;
  bool sending_ = false;  ///< the rest of for_server_ waits for the socket alone
  std::uint32_t calls_kept_ = 0;
  FarEnd far_end_;
};

}  // namespace perigee::host
