#include "certificates.hpp"

#include <utility>

#include "perigee/host/log.hpp"

namespace perigee::session {

void declare_certificates(host::Settings& settings, CertificateOptions& options) {
  settings.text(
      "session.tls_certificate", &options.certificate,
      "PEM file with the certificate of the ports for players, then its chain; read again "
      "on SIGHUP. Empty: no TLS, and then only on loopback or with --insecure");
  settings.text("session.tls_key", &options.key, "PEM file with its private key, mode 0600");
}

Result<Ok> Certificates::check(const CertificateOptions& options) {
  if (options.certificate.empty() == options.key.empty()) return Ok{};
  return Error{
      "session.tls_certificate and session.tls_key belong together: set both files, or none"};
}

Result<Certificates> Certificates::open(const CertificateOptions& options) {
  Certificates made;
  if (options.certificate.empty()) return made;
  const host::TlsServer::Files files{options.certificate, options.key};
  auto grpc = host::TlsServer::open(files, "h2");
  if (!grpc) return grpc.error();
  auto http = host::TlsServer::open(files, "http/1.1");
  if (!http) return http.error();
  made.grpc_ = std::move(*grpc);
  made.http_ = std::move(*http);
  return made;
}

void Certificates::reload() {
  for (host::TlsServer* each : {grpc_.get(), http_.get()}) {
    if (each == nullptr) continue;
    const auto loaded = each->reload();
    if (!loaded) return host::log_error("keeping the old certificate: " + loaded.error().message);
  }
  if (grpc_) host::log_info("certificate reloaded", {{"expires_unix_s", expires_unix_s()}});
}

}  // namespace perigee::session
