/// TLS at our own ports, without sockets: certificates, and the two ends of a connection as bytes
/// in and out. TLS 1.2 and 1.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX
struct ssl_st;      // OpenSSL's SSL

namespace perigee::host {

/// One connection at the server's end. One thread at a time.
class TlsSession {
 public:
  explicit TlsSession(ssl_st* owned);
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

 private:
  ssl_st* session_;
};

/// A certificate with its private key.
class TlsServer {
 public:
  struct Files {
    std::filesystem::path certificate;  ///< PEM: the server's certificate, then its chain
    std::filesystem::path key;          ///< PEM, readable for its owner only
  };
  /// `protocol`: the only one of ALPN (RFC 7301), as "h2".
  static Result<std::unique_ptr<TlsServer>> open(Files files, std::string protocol);

  /// Reads both files again, for all later connections. On an error everything stays as it was.
  Result<Ok> reload();
  /// Any thread.
  std::unique_ptr<TlsSession> begin() const;
  /// Unix time of the certificate's end.
  std::int64_t expires_unix_s() const;

 private:
  TlsServer(Files files, std::string protocol);

  const Files files_;
  const std::string protocol_;  ///< as ALPN writes it: with its length in front
  mutable std::mutex mutex_;
  std::shared_ptr<ssl_ctx_st> context_;  // guarded by mutex_
};

}  // namespace perigee::host
