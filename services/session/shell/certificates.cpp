#include "certificates.hpp"

#include <utility>

#include "perigee/host/log.hpp"

namespace perigee::session {

void declare_certificates(host::Settings& settings, CertificateOptions& options) {
  settings.text(
      "session.tls_certificate", &options.certificate,
      "PEM file with the certificate of the ports for players, then its chain; read again "
      "when it or the key changes, and on SIGHUP. Empty: no TLS, and then only on loopback or "
      "with --insecure");
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
  made.files_ = options;
  made.seen_ = made.versions();
  const host::TlsServer::Files files{options.certificate, options.key};
  auto grpc = host::TlsServer::open(files, "h2");
  if (!grpc) return grpc.error();
  auto http = host::TlsServer::open(files, "http/1.1");
  if (!http) return http.error();
  made.grpc_ = std::move(*grpc);
  made.http_ = std::move(*http);
  return made;
}

Certificates::Versions Certificates::versions() const {
  return {host::version_of(files_.certificate), host::version_of(files_.key)};
}

void Certificates::reload() {
  failed_.clear();
  if (grpc_) load();
}

void Certificates::follow() {
  if (grpc_ && versions() != seen_) load();
}

void Certificates::load() {
  const Versions now = versions();
  // Once for both ports: read twice, the files could have changed in between.
  auto loaded = grpc_->load();
  if (!loaded) {
    const std::string& why = loaded.error().message;
    if (why != failed_) host::log_error("keeping the old certificate: " + why);
    failed_ = why;
    return;
  }
  http_->use(*loaded);
  grpc_->use(std::move(*loaded));
  seen_ = now;
  failed_.clear();
  host::log_info("certificate reloaded", {{"expires_unix_s", expires_unix_s()}});
}

}  // namespace perigee::session
