#include "certificates.hpp"

#include <sys/stat.h>

#include <utility>

#include "perigee/host/log.hpp"

namespace perigee::session {
namespace {

std::int64_t ns_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

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

Certificates::FileVersion Certificates::version_of(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return {};
  return {.inode = file.st_ino,
          .bytes = file.st_size,
          .written_ns = ns_of(file.st_mtim),
          .changed_ns = ns_of(file.st_ctim)};
}

Certificates::Versions Certificates::versions() const {
  return {version_of(files_.certificate), version_of(files_.key)};
}

void Certificates::reload() {
  failed_.clear();
  if (grpc_) load();
}

void Certificates::follow() {
  if (grpc_ && versions() != seen_) load();
}

void Certificates::load() {
  // Taken before the files are read, so a change meanwhile is read at the next look.
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
