#include "perigee/host/tls.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/host/peer_check.hpp"
#include "perigee/host/secrets.hpp"

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

int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned offered_size, void* own) {
  const auto& protocol = *static_cast<const std::string*>(own);
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(
      &chosen, out_size, reinterpret_cast<const unsigned char*>(protocol.data()),
      static_cast<unsigned>(protocol.size()), offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// Where a connection keeps the PeerCheck for judge().
int check_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

/// Called for each certificate of a client's chain. A refusal here reaches the client as an alert
/// with the reason.
int judge(int good, X509_STORE_CTX* chain) {
  if (good != 1 || X509_STORE_CTX_get_error_depth(chain) != 0) return good;
  const auto* session = static_cast<const SSL*>(
      X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  const auto& check = *static_cast<const PeerCheck*>(SSL_get_ex_data(session, check_index()));
  const X509& certificate = *X509_STORE_CTX_get_current_cert(chain);
  if (check.revoked(certificate)) {
    X509_STORE_CTX_set_error(chain, X509_V_ERR_CERT_REVOKED);
    return 0;
  }
  if (!identity_of(certificate)) {
    X509_STORE_CTX_set_error(chain, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
  }
  return 1;
}

void ask_for_certificates(SSL_CTX* context, const PeerCheck& check) {
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  // A session that is resumed shows no certificate, so a revoked client could go on with it.
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, judge);
  for (const auto& authority : check.authorities()) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get());
    SSL_CTX_add_client_CA(context, authority.get());
  }
}

Result<std::shared_ptr<SSL_CTX>> load_context(const TlsServer::Files& files,
                                              const std::string& protocol, const PeerCheck* check) {
  const auto chain = read_certificates(files.certificate);
  if (!chain) return chain.error();
  const auto key = load_private_file(files.key);
  if (!key) return key.error();
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  PERIGEE_ASSERT(context != nullptr, "OpenSSL must have TLS");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, const_cast<std::string*>(&protocol));
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

TlsSession::TlsSession(ssl_st* owned, std::shared_ptr<const PeerCheck> check)
    : session_(owned), check_(std::move(check)) {
  SSL_set_ex_data(session_, check_index(), const_cast<PeerCheck*>(check_.get()));
  SSL_set_bio(session_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(session_);
}
TlsSession::~TlsSession() { SSL_free(session_); }

bool TlsSession::received(std::span<const std::byte> bytes, std::vector<std::byte>& plain) {
  if (!begun_ && !bytes.empty()) {
    begun_ = true;
    if (bytes.front() != std::byte{SSL3_RT_HANDSHAKE}) refusal_ = TlsRefusal::NotTls;
  }
  ERR_clear_error();  // SSL_get_error() also looks at earlier failures of this thread
  const int size = static_cast<int>(bytes.size());
  if (BIO_write(SSL_get_rbio(session_), bytes.data(), size) != size) return false;
  std::array<std::byte, 4'096> part;
  for (;;) {
    std::size_t got = 0;
    const int done = SSL_read_ex(session_, part.data(), part.size(), &got);  // handshakes first
    if (done != 1) {
      const bool more = SSL_get_error(session_, done) == SSL_ERROR_WANT_READ;
      if (!more && refusal_ != TlsRefusal::NotTls) refusal_ = refusal_of_failure();
      ERR_clear_error();
      return more;
    }
    plain.insert(plain.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  }
}

TlsRefusal TlsSession::refusal_of_failure() const {
  if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE) {
    return TlsRefusal::NoCertificate;
  }
  switch (SSL_get_verify_result(session_)) {
    case X509_V_OK:
      return TlsRefusal::Handshake;
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return TlsRefusal::OutOfDate;
    case X509_V_ERR_CERT_REVOKED:
      return TlsRefusal::Revoked;
    case X509_V_ERR_APPLICATION_VERIFICATION:
      return TlsRefusal::NoRole;
    default:
      return TlsRefusal::UnknownCa;
  }
}

std::optional<PeerIdentity> TlsSession::peer() const {
  const X509* certificate = SSL_get0_peer_certificate(session_);
  if (certificate == nullptr || SSL_is_init_finished(session_) != 1) return std::nullopt;
  auto identity = identity_of(*certificate);
  if (!identity) return std::nullopt;
  return std::move(*identity);
}

bool TlsSession::send(std::span<const std::byte> plain) {
  if (plain.empty()) return true;
  ERR_clear_error();
  std::size_t sent = 0;
  return SSL_is_init_finished(session_) == 1 &&
         SSL_write_ex(session_, plain.data(), plain.size(), &sent) == 1 && sent == plain.size();
}

void TlsSession::finish() {
  ERR_clear_error();
  if (SSL_is_init_finished(session_) == 1) SSL_shutdown(session_);
}

void TlsSession::take_output(std::vector<std::byte>& to) {
  BIO* const output = SSL_get_wbio(session_);
  const std::size_t pending = BIO_ctrl_pending(output);
  if (pending == 0) return;
  const std::size_t before = to.size();
  to.resize(before + pending);
  BIO_read(output, to.data() + before, static_cast<int>(pending));
}

TlsServer::TlsServer(Files files, std::string protocol)
    : files_(std::move(files)),
      protocol_(static_cast<char>(protocol.size()) + std::move(protocol)) {}

Result<std::unique_ptr<TlsServer>> TlsServer::open(Files files, std::string protocol) {
  std::unique_ptr<TlsServer> server(new TlsServer(std::move(files), std::move(protocol)));
  if (const auto loaded = server->reload(); !loaded) return loaded.error();
  return server;
}

Result<Ok> TlsServer::reload() {
  std::shared_ptr<const PeerCheck> check;
  if (!files_.client_ca.empty()) {
    auto read = PeerCheck::load(files_.client_ca, files_.revoked);
    if (!read) return read.error();
    check = std::move(*read);
  }
  auto loaded = load_context(files_, protocol_, check.get());
  if (!loaded) return loaded.error();
  const std::lock_guard lock(mutex_);
  context_ = std::move(*loaded);
  check_ = std::move(check);
  ++generation_;
  return Ok{};
}

std::unique_ptr<TlsSession> TlsServer::begin() const {
  const std::lock_guard lock(mutex_);
  ssl_st* const session = SSL_new(context_.get());  // keeps the context alive
  PERIGEE_ASSERT(session != nullptr, "no memory for a TLS connection");
  return std::make_unique<TlsSession>(session, check_);
}

std::int64_t TlsServer::expires_unix_s() const {
  const std::lock_guard lock(mutex_);
  return host::expires_unix_s(*SSL_CTX_get0_certificate(context_.get()));
}

bool TlsServer::revoked(const TlsSession& session) const {
  const X509* certificate = SSL_get0_peer_certificate(session.session_);
  const std::lock_guard lock(mutex_);
  return certificate != nullptr && check_ && check_->revoked(*certificate);
}

std::uint64_t TlsServer::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

}  // namespace perigee::host
