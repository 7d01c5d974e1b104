/// TLS at our own ports, without sockets: certificates, and the two ends of a connection as bytes
/// in and out. TLS 1.2 and 1.3; with certificates at both ends 1.3 alone.
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
struct x509_st;     // OpenSSL's X509
struct x509_store_ctx_st;

namespace perigee::host {

class PeerCheck;

/// Why one end ended a connection before anything was said in it.
enum class TlsRefusal : std::uint8_t {
  NotTls,         ///< the other end does not speak TLS
  Handshake,      ///< versions, protocols or bytes of it do not fit
  NoCertificate,  ///< the server asks for one
  UnknownCa,      ///< or a chain that is no good
  OutOfDate,      ///< expired, or not valid yet
  Revoked,
  NoRole,     ///< see identity_from()
  WrongRole,  ///< see TlsServer::begin_between()
  last = WrongRole
};

enum class TlsEnd : std::uint8_t { Server, Client };

/// One end of a connection, of a server unless said otherwise. One thread at a time.
class TlsSession {
 public:
  /// Changes of its key that the other end may announce without a word in between. Each costs two
  /// derivations of keys, and it may ask for an answer to each.
  static constexpr std::uint32_t key_changes_max = 32;

  /// Demands on the other end.
  struct Wanted {
    std::string protocol;                    ///< the only one of ALPN (RFC 7301), as "h2"
    std::shared_ptr<const PeerCheck> check;  ///< judges the certificate; null: none is asked for
    std::optional<PeerRole> role;            ///< of its owner; none: any
  };
  TlsSession(ssl_st* owned, TlsEnd end, Wanted wanted);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Bytes from the other end, in pieces of any size. Appends what they say to `plain`. False: they
  /// are not TLS, break a limit, or the other end has ended the connection; send take_output(),
  /// then close.
  bool received(std::span<const std::byte> bytes, std::vector<std::byte>& plain);
  /// Encrypts. False: the handshake is not complete, the connection has ended, or the other end has
  /// sent a part of a message of TLS itself; close then.
  bool send(std::span<const std::byte> plain);
  /// Later send()s are encrypted with a new key.
  void change_key();
  /// Tells the other end that nothing follows.
  void finish();
  /// Appends the bytes that have to be sent to the other end. A client has some from the start.
  void take_output(std::vector<std::byte>& to);
  /// Whether the handshake is complete; at a client, as far as the client is concerned. It remains
  /// so.
  bool complete() const { return complete_; }
  /// After received() was false and nothing had been said.
  TlsRefusal refusal() const { return refusal_; }
  /// After received() was false: the other end said so, by an alert.
  bool ended_by_peer() const { return ended_by_peer_; }
  /// After received() was false: the other end has done nothing but change its key.
  bool only_changes_keys() const { return key_changes_ > key_changes_max; }
  /// Of the other end's certificate, once the handshake is complete. None: none is asked for.
  std::optional<PeerIdentity> peer() const;

 private:
  friend class TlsServer;
  friend int judge_certificate(int, x509_store_ctx_st*);
  friend int choose_protocol(ssl_st*, const unsigned char**, unsigned char*, const unsigned char*,
                             unsigned, void*);
  /// `of_peer`: the other end's own; else of a CA in its chain.
  std::optional<TlsRefusal> judge(const x509_st& certificate, bool of_peer);
  void note_begin(std::span<const std::byte> bytes);
  void note_failure(int result);

  ssl_st* session_;
  TlsEnd end_;
  Wanted wanted_;  ///< its protocol as ALPN writes it: with its length in front
  TlsRefusal refusal_ = TlsRefusal::Handshake;
  bool begun_ = false;
  bool complete_ = false;
  bool ended_by_peer_ = false;
  std::uint32_t key_changes_ = 0;  ///< of the other end, since its last word
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
  /// `protocol`: of begin(), as "h2".
  static Result<std::unique_ptr<TlsServer>> open(Files files, std::string protocol);

  /// The files' content.
  struct Loaded {
    std::shared_ptr<ssl_ctx_st> context;
    std::shared_ptr<const PeerCheck> check;  ///< null: clients need no certificate
    /// The server's own.
    const x509_st& certificate() const;
  };
  /// Reads the files again, and changes nothing.
  Result<Loaded> load() const;
  /// For all later connections.
  void use(Loaded loaded);
  /// load() and use(). On an error everything stays as it was.
  Result<Ok> reload();
  /// In use now. Any thread.
  Loaded loaded() const;
  /// The server's end of a connection. Any thread.
  std::unique_ptr<TlsSession> begin() const;
  /// An end of a connection between two processes of this role, which both show their certificate.
  /// Needs `client_ca`. The buffers are kept between messages. Any thread.
  std::unique_ptr<TlsSession> begin_between(PeerRole both, TlsEnd end, std::string protocol) const;
  /// Unix time of the certificate's end.
  std::int64_t expires_unix_s() const;
  /// Whether the other end of a connection that exists, or a CA in its chain, has been revoked
  /// since.
  bool revoked(const TlsSession& session) const;
  /// +1 at every use().
  std::uint64_t generation() const;

 private:
  TlsServer(Files files, std::string protocol);
  std::unique_ptr<TlsSession> begin(TlsEnd end, std::string protocol,
                                    std::optional<PeerRole> role) const;

  const Files files_;
  const std::string protocol_;
  mutable std::mutex mutex_;
  Loaded loaded_;                 // guarded by mutex_
  std::uint64_t generation_ = 0;  // guarded by mutex_
};

}  // namespace perigee::host
