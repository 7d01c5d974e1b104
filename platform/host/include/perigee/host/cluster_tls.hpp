/// Mutual TLS between the processes of a cluster, and with operators: the certificate that this
/// process shows, at its gRPC ports and in its calls, and the CA that signs those of all others.
///
/// A folder has the names that cert-manager writes into a Kubernetes secret: `tls.crt` (with its
/// chain), `tls.key`, `ca.crt` (one or several certificates), and `ca.crl` (revocation lists) if
/// there is one. `perigee certs` makes such folders.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "perigee/base/result.hpp"
#include "perigee/host/file_version.hpp"
#include "perigee/host/peer_identity.hpp"
#include "perigee/host/tls.hpp"

namespace grpc {
class ChannelCredentials;
}

namespace perigee::host {

class ClusterTls {
 public:
  /// An error names the file. Expired certificates are an error here: the process could neither
  /// call nor be called.
  static Result<std::unique_ptr<ClusterTls>> open(const std::filesystem::path& folder);
  ~ClusterTls();
  ClusterTls(const ClusterTls&) = delete;
  ClusterTls& operator=(const ClusterTls&) = delete;

  /// For GrpcServer: clients need a certificate.
  const TlsServer& server() const { return *server_; }
  /// For open_channel(): the server's certificate has to have this role. New connections show the
  /// files' present content.
  std::shared_ptr<grpc::ChannelCredentials> for_calls_to(PeerRole server) const;
  /// The certificate's own.
  const PeerIdentity& identity() const { return identity_; }
  /// Unix time of the end of the own certificate.
  std::int64_t expires_unix_s() const { return server_->expires_unix_s(); }
  /// Number of certificates on the revocation lists.
  std::size_t revocations() const;

  /// Reads the files again. On an error everything stays as it was.
  Result<Ok> reload();
  /// Call it at least once a second: reload() when a file has changed, as when a secret is renewed,
  /// and again after a failure. Logs the result, a failure once; and once an hour a certificate
  /// that ends within a day.
  void follow();

 private:
  struct Verified;
  class Verifier;
  ClusterTls(std::filesystem::path folder, std::unique_ptr<TlsServer> server);
  Result<Ok> take(const TlsServer::Loaded& loaded);
  using Versions = std::array<FileVersion, 4>;
  void read_changed(const Versions& versions);

  const std::filesystem::path folder_;
  std::unique_ptr<TlsServer> server_;
  std::shared_ptr<Verified> verified_;
  PeerIdentity identity_;
  Versions seen_;        ///< of the files that were read
  std::string failure_;  ///< the last sentence that was logged, until the files are good again
  std::int64_t warned_unix_s_ = 0;
};

/// For GrpcServer::Options; null: without TLS.
inline const TlsServer* server_end(const ClusterTls* tls) {
  return tls == nullptr ? nullptr : &tls->server();
}

/// Where the certificates of `process` ("sim") are: `setting` if it is given ("none": nowhere),
/// else certs/<process> below `state_dir` if that folder exists. Empty: nowhere, so no TLS.
std::filesystem::path certificate_folder(const std::string& setting,
                                         const std::filesystem::path& state_dir,
                                         std::string_view process);

}  // namespace perigee::host
