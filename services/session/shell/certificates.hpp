/// TLS of the two ports for players.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

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
  /// At SIGHUP: later connections get the files' new content. Logs the result.
  void reload();
  /// Unix time; 0: no TLS.
  std::int64_t expires_unix_s() const { return grpc_ ? grpc_->expires_unix_s() : 0; }

 private:
  std::unique_ptr<host::TlsServer> grpc_, http_;
};

}  // namespace perigee::session
