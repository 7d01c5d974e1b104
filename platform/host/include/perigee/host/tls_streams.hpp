/// TCP connections of a process, outgoing and incoming, as those of StreamSockets, with mutual
/// TLS 1.3 in each: both ends show a certificate of the same role, and nothing is read or written
/// before that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/stream_sockets.hpp"
#include "perigee/host/tls.hpp"

namespace perigee::host {

class TlsStreams {
 public:
  using Id = StreamSockets::Id;
  /// Encrypted at once. More: larger buffers.
  static constexpr std::size_t piece_bytes_max = 256 << 10;
  /// Of one end, before its key changes. RFC 8446 (5.5) allows 2^24.
  static constexpr std::size_t records_per_key = 1U << 22U;

  struct Options {
    const TlsServer* tls = nullptr;  ///< must outlive the streams; null: plain TCP
    PeerRole role = PeerRole::Member;
    std::string protocol;  ///< of ALPN
    /// Handshakes of diallers that begin at once, and per second in the long run. Each costs the
    /// loop's thread 0.7 ms. More: a flood takes more of the thread's time; less: a
    /// process that starts among many others takes longer to have all its connections.
    std::uint32_t handshakes_burst = 128, handshakes_per_s = 64;
    /// A peer with more unsent bytes that makes TLS itself answer is closed. More: a peer that does
    /// not read takes more memory.
    std::size_t unsent_bytes_max = 64 << 20;
  };
  enum class How : std::uint8_t {
    Unreachable,  ///< nothing listens at the dialled address
    Closed,       ///< by the peer or the network; before `connected` perhaps because it refused us
    Refused,      ///< by us, see End::refusal
    TooFast,      ///< too many handshakes have begun
    Broken,       ///< after the handshake: bytes that the peer did not send, or nothing can be sent
    Revoked       ///< the peer's certificate was revoked meanwhile
  };
  struct End {
    How how = How::Closed;
    TlsRefusal refusal = TlsRefusal::Handshake;
  };
  /// Called on the loop's thread, never from within a call of this class but end_revoked().
  struct Events {
    std::function<void(Id)> accepted;   ///< at once; nothing is proved
    std::function<void(Id)> connected;  ///< of dial(): the peer has proved its role
    std::function<void(Id, std::span<const std::byte>)> received;
    std::function<void(Id, const End&)> closed;
  };

  TlsStreams(Loop& loop, Options options, Events events);
  TlsStreams(const TlsStreams&) = delete;
  TlsStreams& operator=(const TlsStreams&) = delete;
  /// Binds and listens. Port 0 takes any free one. The error names the remedy.
  Result<Ok> open(const Address& local);

  Id dial(const Address& to);
  /// After `connected` or `received`. Encrypts at once, then as StreamSockets. If TLS cannot, the
  /// connection ends as Broken soon after.
  void write(Id to, std::span<const std::byte> bytes);
  /// Encrypted ones.
  std::size_t unsent_bytes(Id of) const { return sockets_->unsent_bytes(of); }
  /// Closes at once and drops unsent bytes; no event of it follows.
  void close(Id which);
  /// Ends connections with revoked certificates. Call it several times a second.
  void end_revoked();
  Address local() const { return sockets_->local(); }

 private:
  struct Connection {
    std::unique_ptr<TlsSession> tls;  ///< null: plain, or no byte was exchanged
    bool dialled = false;
    bool reached = false;     ///< by TCP
    bool proved = false;      ///< the handshake is complete
    bool broken = false;      ///< write() has failed
    std::size_t records = 0;  ///< sent under the present key, at most
  };
  void on_connected(Id id);
  void on_received(Id id, std::span<const std::byte> bytes);
  void on_closed(Id id);
  void end(Id id, const End& end);
  void end_all(const std::vector<Id>& ids, const End& how);
  void end_broken();
  bool may_begin(Micros now_us);
  bool send_output(Id id, TlsSession& tls);

  Loop& loop_;
  const Options options_;
  const Events events_;
  std::map<Id, Connection> connections_;
  Timer broken_;                  ///< due when a connection is broken
  Micros begin_at_us_ = 0;        ///< when all of the burst is there again
  std::uint64_t generation_ = 0;  ///< of the revocation list that connections were compared with
  std::vector<std::byte> plain_, encrypted_;  ///< of one read or write; keep their memory
  std::optional<StreamSockets> sockets_;
};

}  // namespace perigee::host
