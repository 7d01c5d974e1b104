/// TLS at our own ports, without sockets: certificates, and the two ends of a connection as bytes
/// in and out. TLS 1.2 and 1.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/host/peer_identity.hpp"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX
struct ssl_st;      // OpenSSL's SSL

namespace perigee::host {

class PeerCheck;

/// Why a server ended a connection before anything was said in it.
enum class TlsRefusal : std::uint8_t {
  NotTls,         ///< the client does not begin a handshake
  Handshake,      ///< versions, protocols or bytes of it do not fit
  NoCertificate,  ///< the server asks for one
  UnknownCa,      ///< or a chain that is no good
  OutOfDate,      ///< expired, or not valid yet
  Revoked,
  NoRole,  ///< see identity_from()
  last = NoRole
};

/// One connection at the server's end. One thread at a time.
class TlsSession {
 public:
  /// `check`: judges the client's certificate; null: none is asked for.
  explicit TlsSession(ssl_st* owned, std::shared_ptr<const PeerCheck> check = nullptr);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Bytes from the client, in pieces of any size. Appends what they say to `plain`. False: they
  /// are not TLS, or the client has ended the connection; send output(), then close.
  bool received(std::span<const std::byte> bytes, std::vector<std::byte>& plain);
  /// Encrypts. False: the handshake is not complete, or the connection has ended.
  bool send(std::span<const std::byte> plain);
  /// Tells the client that nothing follows.
  void finish();
  /// Appends the bytes that have to be sent to the client.
  void take_output(std::vector<std::byte>& to);
  /// After received() was false and nothing had been said.
  TlsRefusal refusal() const { return refusal_; }
  /// Of the client's certificate, once the handshake is complete. None: the server asks for none.
  std::optional<PeerIdentity> peer() const;

 private:
  friend class TlsServer;
  TlsRefusal refusal_of_failure() const;

  ssl_st* session_;
  std::shared_ptr<const PeerCheck> check_;
  TlsRefusal refusal_ = TlsRefusal::Handshake;
  bool begun_ = false;
};

/// A certificate with its private key.
class TlsServer {
 public:
  struct Files {
    std::filesystem::path certificate;  ///< PEM: the server's certificate, then its chain
    std::filesystem::path key;          ///< PEM, readable for its owner only
    /// PEM: clients must have a certificate that one of these has signed, and that names a role.
    /// Empty: clients need none.
    std::filesystem::path client_ca;
    std::filesystem::path revoked;  ///< PEM: revocation lists of these; may be missing
  };
  /// `protocol`: the only one of ALPN (RFC 7301), as "h2".
  static Result<std::unique_ptr<TlsServer>> open(Files files, std::string protocol);

  /// Reads both files again, for all later connections. On an error everything stays as it was.
  Result<Ok> reload();
  /// Any thread.
  std::unique_ptr<TlsSession> begin() const;
  /// Unix time of the certificate's end.
  std::int64_t expires_unix_s() const;
  /// Whether the client of a connection that exists has been revoked since.
  bool revoked(const TlsSession& session) const;
  /// +1 at every reload().
  std::uint64_t generation() const;

 private:
  TlsServer(Files files, std::string protocol);

  const Files files_;
  const std::string protocol_;  ///< as ALPN writes it: with its length in front
  mutable std::mutex mutex_;
  std::shared_ptr<ssl_ctx_st> context_;     // guarded by mutex_
  std::shared_ptr<const PeerCheck> check_;  // guarded by mutex_; null: clients need no certificate
  std::uint64_t generation_ = 0;            // guarded by mutex_
};

}  // namespace perigee::host
