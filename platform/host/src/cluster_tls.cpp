#include "perigee/host/cluster_tls.hpp"

#include <grpcpp/grpcpp.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <ctime>
#include <functional>
#include <mutex>
#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/host/peer_check.hpp"

namespace perigee::host {
namespace {

namespace tls = grpc::experimental;

constexpr const char* certificate_file = "tls.crt";
constexpr const char* key_file = "tls.key";
constexpr const char* ca_file = "ca.crt";
constexpr const char* revoked_file = "ca.crl";
constexpr unsigned provider_looks_s = 1;
constexpr std::int64_t soon_s = 24 * 3'600;
constexpr std::int64_t warn_each_s = 3'600;

TlsServer::Files files_in(const std::filesystem::path& folder) {
  return {folder / certificate_file, folder / key_file, folder / ca_file, folder / revoked_file};
}

std::array<FileVersion, 4> versions_in(const std::filesystem::path& folder) {
  return {version_of(folder / certificate_file), version_of(folder / key_file),
          version_of(folder / ca_file), version_of(folder / revoked_file)};
}

}  // namespace

/// Used by calls to judge the servers' certificates; shared with gRPC's threads.
struct ClusterTls::Verified {
  std::shared_ptr<tls::CertificateProviderInterface> provider;
  std::mutex mutex;
  std::shared_ptr<const PeerCheck> check;  // guarded by mutex
};

/// gRPC has checked the chain. Addresses in the map are numbers that change, so the certificate's
/// role says whether this is the right server, and not its host name.
class ClusterTls::Verifier : public tls::ExternalCertificateVerifier {
 public:
  Verifier(std::shared_ptr<Verified> verified, PeerRole wanted)
      : verified_(std::move(verified)), wanted_(wanted) {}

  bool Verify(tls::TlsCustomVerificationCheckRequest* request,
              std::function<void(grpc::Status)> /*callback*/, grpc::Status* status) override {
    const auto text_of = [](grpc::string_ref pem) {
      return std::string_view(pem.data(), pem.size());
    };
    *status = judge(text_of(request->peer_cert()), text_of(request->peer_cert_full_chain()));
    return true;
  }
  void Cancel(tls::TlsCustomVerificationCheckRequest* /*request*/) override {}

 private:
  grpc::Status judge(std::string_view pem, std::string_view chain) const {
    const auto refuse = [](const std::string& why) {
      return grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "the server's certificate " + why);
    };
    const auto certificate = certificate_of(pem);
    if (!certificate) return refuse("is " + certificate.error().message);
    std::shared_ptr<const PeerCheck> check;
    {
      const std::lock_guard lock(verified_->mutex);
      check = verified_->check;
    }
    if (check->revoked(**certificate)) return refuse("is revoked");
    if (check->any_revoked(chain)) return refuse("is of a CA that is revoked");
    const auto identity = identity_of(**certificate);
    if (!identity) return refuse(identity.error().message);
    if (identity->role == wanted_) return grpc::Status::OK;
    return refuse("is that of " +
                  std::string(peer_role_names[static_cast<std::size_t>(identity->role)]) + " " +
                  identity->name);
  }

  const std::shared_ptr<Verified> verified_;
  const PeerRole wanted_;
};

ClusterTls::ClusterTls(std::filesystem::path folder, std::unique_ptr<TlsServer> server)
    : folder_(std::move(folder)),
      server_(std::move(server)),
      verified_(std::make_shared<Verified>()) {}
ClusterTls::~ClusterTls() = default;

Result<std::unique_ptr<ClusterTls>> ClusterTls::open(const std::filesystem::path& folder) {
  const auto versions = versions_in(folder);
  auto server = TlsServer::open(files_in(folder), "h2");
  if (!server) {
    return Error{server.error().message + "; perigee certs makes a set of certificates"};
  }
  std::unique_ptr<ClusterTls> out(new ClusterTls(folder, std::move(*server)));
  if (const auto own = out->take(out->server_->loaded()); !own) return own.error();
  if (out->expires_unix_s() <= std::time(nullptr)) {
    return Error{"certificate " + (folder / certificate_file).string() +
                 " has expired; perigee certs --renew makes new ones"};
  }
  out->verified_->provider = std::make_shared<tls::FileWatcherCertificateProvider>(
      (folder / key_file).string(), (folder / certificate_file).string(),
      (folder / ca_file).string(), provider_looks_s);
  out->seen_ = versions;
  return out;
}

/// Keeps what calls need: the own identity, and the check of servers.
Result<Ok> ClusterTls::take(const TlsServer::Loaded& loaded) {
  auto identity = identity_of(loaded.certificate());
  if (!identity) {
    return Error{"certificate " + (folder_ / certificate_file).string() + " " +
                 identity.error().message};
  }
  if (loaded.check->revoked(loaded.certificate())) {
    return Error{"certificate " + (folder_ / certificate_file).string() +
                 " is revoked; its CA has to make a new one"};
  }
  identity_ = std::move(*identity);
  const std::lock_guard lock(verified_->mutex);
  verified_->check = loaded.check;
  return Ok{};
}

std::shared_ptr<grpc::ChannelCredentials> ClusterTls::for_calls_to(PeerRole server) const {
  tls::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(verified_->provider);
  options.watch_root_certs();
  options.watch_identity_key_cert_pairs();
  options.set_verify_server_certs(true);
  options.set_check_call_host(false);
  options.set_certificate_verifier(
      tls::ExternalCertificateVerifier::Create<Verifier>(verified_, server));
  return tls::TlsCredentials(options);
}

std::size_t ClusterTls::revocations() const { return server_->loaded().check->revocations(); }

Result<Ok> ClusterTls::reload() {
  auto loaded = server_->load();
  if (!loaded) return loaded.error();
  if (const auto own = take(*loaded); !own) return own.error();
  server_->use(std::move(*loaded));
  return Ok{};
}

void ClusterTls::read_changed(const Versions& versions) {
  const auto read = reload();
  if (read) {
    seen_ = versions;
    failure_.clear();
    return log_info("certificates reloaded", {{"expires_unix_s", expires_unix_s()}});
  }
  if (read.error().message == failure_) return;
  failure_ = read.error().message;
  log_error("keeping the old certificates: " + failure_);
}

void ClusterTls::follow() {
  if (const Versions now = versions_in(folder_); now != seen_) {
    read_changed(now);
  } else {
    failure_.clear();
  }
  const std::int64_t now_s = std::time(nullptr);
  if (expires_unix_s() - now_s < soon_s && now_s - warned_unix_s_ >= warn_each_s) {
    warned_unix_s_ = now_s;
    log_warning("this process's certificate ends within a day",
                {{"folder", folder_.string()}, {"expires_unix_s", expires_unix_s()}});
  }
}

std::filesystem::path certificate_folder(const std::string& setting,
                                         const std::filesystem::path& state_dir,
                                         std::string_view process) {
  if (setting == "none") return {};
  if (!setting.empty()) return setting;
  const std::filesystem::path own = state_dir / "certs" / process;
  std::error_code ignored;
  return std::filesystem::is_directory(own, ignored) ? own : std::filesystem::path();
}

}  // namespace perigee::host
