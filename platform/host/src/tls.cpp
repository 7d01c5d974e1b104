#include "perigee/host/tls.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/host/peer_check.hpp"
#include "perigee/host/secrets.hpp"
#include "tls_callbacks.hpp"

namespace perigee::host {
namespace {

/// OpenSSL's own reason for the last failure of this thread.
std::string tls_reason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* text = code == 0 ? nullptr : ERR_reason_error_string(code);
  return text == nullptr ? "no reason given" : text;
}

using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;
Memory memory_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

/// The first certificate is the server's, the others are its chain.
bool use_chain(SSL_CTX* context, const std::string& text) {
  const Memory memory = memory_of(text);
  using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
  const auto next = [&] {
    return Certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr), X509_free);
  };
  const Certificate own = next();
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1) return false;
  for (Certificate one = next(); one; one = next()) {
    if (SSL_CTX_add1_chain_cert(context, one.get()) != 1) return false;
  }
  ERR_clear_error();  // the end of the file counts as one
  return true;
}

bool use_key(SSL_CTX* context, const std::string& text) {
  const Memory memory = memory_of(text);
  // Never ask a terminal for a passphrase: a process without one would hang.
  const auto no_passphrase = [](char*, int, int, void*) { return -1; };
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(memory.get(), nullptr, no_passphrase, nullptr), EVP_PKEY_free);
  return key && SSL_CTX_use_PrivateKey(context, key.get()) == 1;
}

void ask_for_certificates(SSL_CTX* context, const PeerCheck& check) {
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  // A session that is resumed shows no certificate, so a revoked client could go on with it.
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, judge_certificate);
  for (const auto& authority : check.authorities()) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get());
    SSL_CTX_add_client_CA(context, authority.get());
  }
}

Result<std::shared_ptr<SSL_CTX>> load_context(const TlsServer::Files& files,
                                              const PeerCheck* check) {
  const auto chain = read_certificates(files.certificate);
  if (!chain) return chain.error();
  const auto key = load_private_file(files.key);
  if (!key) return key.error();
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_method()), SSL_CTX_free);
  PERIGEE_ASSERT(context != nullptr, "OpenSSL must have TLS");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  if (check != nullptr) ask_for_certificates(context.get(), *check);
  if (!use_chain(context.get(), *chain)) {
    return Error{"certificate " + files.certificate.string() + " is not PEM with a certificate (" +
                 tls_reason() + ")"};
  }
  if (!use_key(context.get(), *key)) {
    return Error{"private key " + files.key.string() + " is not the key of " +
                 files.certificate.string() + ", or not PEM without a passphrase (" + tls_reason() +
                 ")"};
  }
  return context;
}

}  // namespace

TlsServer::TlsServer(Files files, std::string protocol)
    : files_(std::move(files)), protocol_(std::move(protocol)) {}

Result<std::unique_ptr<TlsServer>> TlsServer::open(Files files, std::string protocol) {
  std::unique_ptr<TlsServer> server(new TlsServer(std::move(files), std::move(protocol)));
  if (const auto loaded = server->reload(); !loaded) return loaded.error();
  return server;
}

const x509_st& TlsServer::Loaded::certificate() const {
  return *SSL_CTX_get0_certificate(context.get());
}

auto TlsServer::load() const -> Result<Loaded> {
  std::shared_ptr<const PeerCheck> check;
  if (!files_.client_ca.empty()) {
    auto read = PeerCheck::load(files_.client_ca, files_.revoked);
    if (!read) return read.error();
    check = std::move(*read);
  }
  auto context = load_context(files_, check.get());
  if (!context) return context.error();
  return Loaded{std::move(*context), std::move(check)};
}

void TlsServer::use(Loaded loaded) {
  const std::lock_guard lock(mutex_);
  loaded_ = std::move(loaded);
  ++generation_;
}

Result<Ok> TlsServer::reload() {
  auto again = load();
  if (!again) return again.error();
  use(std::move(*again));
  return Ok{};
}

auto TlsServer::loaded() const -> Loaded {
  const std::lock_guard lock(mutex_);
  return loaded_;
}

std::unique_ptr<TlsSession> TlsServer::begin(TlsEnd end, std::string protocol,
                                             std::optional<PeerRole> role) const {
  ssl_st* session = nullptr;
  TlsSession::Wanted wanted{std::move(protocol), nullptr, role};
  {
    const std::lock_guard lock(mutex_);
    session = SSL_new(loaded_.context.get());  // keeps the context alive
    wanted.check = loaded_.check;
  }
  PERIGEE_ASSERT(session != nullptr, "no memory for a TLS connection");
  return std::make_unique<TlsSession>(session, end, std::move(wanted));
}

std::unique_ptr<TlsSession> TlsServer::begin() const {
  return begin(TlsEnd::Server, protocol_, std::nullopt);
}

std::unique_ptr<TlsSession> TlsServer::begin_between(PeerRole both, TlsEnd end,
                                                     std::string protocol) const {
  PERIGEE_ASSERT(!files_.client_ca.empty(), "both ends need a CA to compare with");
  auto session = begin(end, std::move(protocol), both);
  // They would be allocated anew for each record.
  SSL_clear_mode(session->session_, SSL_MODE_RELEASE_BUFFERS);
  return session;
}

std::int64_t TlsServer::expires_unix_s() const {
  return host::expires_unix_s(loaded().certificate());
}

bool TlsServer::revoked(const TlsSession& session) const {
  const STACK_OF(X509)* chain = SSL_get0_verified_chain(session.session_);
  const auto check = loaded().check;
  for (int i = 0; check && i < sk_X509_num(chain); ++i) {  // of no chain it is -1
    if (check->revoked(*sk_X509_value(chain, i))) return true;
  }
  return false;
}

std::uint64_t TlsServer::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

}  // namespace perigee::host
