/// TLS of the two ports for players.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "perigee/host/file_version.hpp"
#include "perigee/host/settings.hpp"
#include "perigee/host/tls.hpp"

namespace perigee::session {

struct CertificateOptions {
  std::string certificate;  ///< empty: no TLS
  std::string key;
};
void declare_certificates(host::Settings& settings, CertificateOptions& options);

class Certificates {
 public:
  /// An error here is one of the settings: one file without the other.
  static Result<Ok> check(const CertificateOptions& options);
  static Result<Certificates> open(const CertificateOptions& options);

  /// Null: no TLS.
  const host::TlsServer* for_grpc() const { return grpc_.get(); }
  const host::TlsServer* for_http() const { return http_.get(); }
  /// At SIGHUP: later connections to both ports get the files' new content. On an error both
  /// keep the old content. Logs the result.
  void reload();
  /// Once a second: the same if a file has changed, and again until it succeeds, because the two
  /// files are not written at once. Logs a failure once until it is another one.
  void follow();
  /// Unix time; 0: no TLS.
  std::int64_t expires_unix_s() const { return grpc_ ? grpc_->expires_unix_s() : 0; }

 private:
  using Versions = std::array<host::FileVersion, 2>;  ///< of certificate and key
  Versions versions() const;
  void load();

  CertificateOptions files_;
  Versions seen_;       ///< of the files that are in use
  std::string failed_;  ///< the sentence that was logged last; empty: the last load succeeded
  std::unique_ptr<host::TlsServer> grpc_, http_;
};

}  // namespace perigee::session
