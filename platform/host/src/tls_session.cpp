#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <utility>

#include "perigee/host/peer_check.hpp"
#include "perigee/host/tls.hpp"
#include "tls_callbacks.hpp"

namespace perigee::host {
namespace {

/// Where a connection keeps its TlsSession.
int session_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}
TlsSession& session_of(const SSL* connection) {
  return *static_cast<TlsSession*>(SSL_get_ex_data(connection, session_index()));
}

/// Called for each message of TLS. `count`: of changes of the other end's key.
void count_key_changes(int ours, int /*version*/, int type, const void* message, std::size_t size,
                       SSL* /*connection*/, void* count) {
  if (ours != 0 || type != SSL3_RT_HANDSHAKE || size == 0) return;
  const bool change = *static_cast<const std::uint8_t*>(message) == SSL3_MT_KEY_UPDATE;
  if (change) ++*static_cast<std::uint32_t*>(count);
}

/// OpenSSL's reasons for alerts that it received.
bool is_alert(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) > SSL_AD_REASON_OFFSET;
}

}  // namespace

int judge_certificate(int good, X509_STORE_CTX* chain) {
  if (good != 1) return good;
  const auto* connection = static_cast<const SSL*>(
      X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  const bool of_peer = X509_STORE_CTX_get_error_depth(chain) == 0;
  const auto refusal =
      session_of(connection).judge(*X509_STORE_CTX_get_current_cert(chain), of_peer);
  if (!refusal) return 1;
  X509_STORE_CTX_set_error(chain, refusal == TlsRefusal::Revoked
                                      ? X509_V_ERR_CERT_REVOKED
                                      : X509_V_ERR_APPLICATION_VERIFICATION);
  return 0;
}

int choose_protocol(SSL* connection, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned offered_size, void* /*unused*/) {
  const std::string& protocol = session_of(connection).wanted_.protocol;
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(
      &chosen, out_size, reinterpret_cast<const unsigned char*>(protocol.data()),
      static_cast<unsigned>(protocol.size()), offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

TlsSession::TlsSession(ssl_st* owned, TlsEnd end, Wanted wanted)
    : session_(owned), end_(end), wanted_(std::move(wanted)) {
  wanted_.protocol.insert(wanted_.protocol.begin(), static_cast<char>(wanted_.protocol.size()));
  SSL_set_ex_data(session_, session_index(), this);
  SSL_set_msg_callback(session_, count_key_changes);
  SSL_set_msg_callback_arg(session_, &key_changes_);
  SSL_set_bio(session_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  if (end_ == TlsEnd::Server) {
    SSL_set_accept_state(session_);
    return;
  }
  SSL_set_alpn_protos(session_, reinterpret_cast<const unsigned char*>(wanted_.protocol.data()),
                      static_cast<unsigned>(wanted_.protocol.size()));
  SSL_set_connect_state(session_);
  ERR_clear_error();
  SSL_do_handshake(session_);
}
TlsSession::~TlsSession() { SSL_free(session_); }

std::optional<TlsRefusal> TlsSession::judge(const x509_st& certificate, bool of_peer) {
  if (wanted_.check->revoked(certificate)) return TlsRefusal::Revoked;
  if (!of_peer) return std::nullopt;
  const auto owner = identity_of(certificate);
  if (!owner) return TlsRefusal::NoRole;
  if (!wanted_.role || owner->role == *wanted_.role) return std::nullopt;
  refusal_ = TlsRefusal::WrongRole;
  return refusal_;
}

/// The first byte of a record is its type. A client may be answered by an alert.
void TlsSession::note_begin(std::span<const std::byte> bytes) {
  if (begun_ || bytes.empty()) return;
  begun_ = true;
  const bool handshake = bytes.front() == std::byte{SSL3_RT_HANDSHAKE};
  const bool alert = end_ == TlsEnd::Client && bytes.front() == std::byte{SSL3_RT_ALERT};
  if (!handshake && !alert) refusal_ = TlsRefusal::NotTls;
}

bool TlsSession::received(std::span<const std::byte> bytes, std::vector<std::byte>& plain) {
  note_begin(bytes);
  if (refusal_ == TlsRefusal::NotTls) return false;
  ERR_clear_error();  // SSL_get_error() also looks at earlier failures of this thread
  const int size = static_cast<int>(bytes.size());
  if (BIO_write(SSL_get_rbio(session_), bytes.data(), size) != size) return false;
  std::array<std::byte, SSL3_RT_MAX_PLAIN_LENGTH> part;
  for (;;) {
    std::size_t got = 0;
    const int done = SSL_read_ex(session_, part.data(), part.size(), &got);  // handshakes first
    // OpenSSL says no again while it waits for the rest of a change of keys.
    if (SSL_is_init_finished(session_) == 1) complete_ = true;
    if (only_changes_keys()) return false;
    if (done != 1) {
      const bool more = SSL_get_error(session_, done) == SSL_ERROR_WANT_READ;
      if (!more) note_failure(done);
      ERR_clear_error();
      return more;
    }
    key_changes_ = 0;
    plain.insert(plain.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  }
}

void TlsSession::note_failure(int result) {
  const unsigned long error = ERR_peek_error();
  ended_by_peer_ = SSL_get_error(session_, result) == SSL_ERROR_ZERO_RETURN || is_alert(error);
  if (refusal_ != TlsRefusal::Handshake) return;
  if (ERR_GET_REASON(error) == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE) {
    refusal_ = TlsRefusal::NoCertificate;
    return;
  }
  switch (SSL_get_verify_result(session_)) {
    case X509_V_OK:
      return;
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      refusal_ = TlsRefusal::OutOfDate;
      return;
    case X509_V_ERR_CERT_REVOKED:
      refusal_ = TlsRefusal::Revoked;
      return;
    case X509_V_ERR_APPLICATION_VERIFICATION:
      refusal_ = TlsRefusal::NoRole;
      return;
    default:
      refusal_ = TlsRefusal::UnknownCa;
  }
}

std::optional<PeerIdentity> TlsSession::peer() const {
  const X509* certificate = SSL_get0_peer_certificate(session_);
  if (certificate == nullptr || !complete()) return std::nullopt;
  auto identity = identity_of(*certificate);
  if (!identity) return std::nullopt;
  return std::move(*identity);
}

bool TlsSession::send(std::span<const std::byte> plain) {
  if (plain.empty()) return true;
  ERR_clear_error();
  std::size_t sent = 0;
  return complete() && SSL_write_ex(session_, plain.data(), plain.size(), &sent) == 1 &&
         sent == plain.size();
}

void TlsSession::change_key() {
  ERR_clear_error();
  if (SSL_key_update(session_, SSL_KEY_UPDATE_NOT_REQUESTED) == 1) SSL_do_handshake(session_);
}

void TlsSession::finish() {
  ERR_clear_error();
  if (complete()) SSL_shutdown(session_);
}

void TlsSession::take_output(std::vector<std::byte>& to) {
  BIO* const output = SSL_get_wbio(session_);
  const std::size_t pending = BIO_ctrl_pending(output);
  if (pending == 0) return;
  const std::size_t before = to.size();
  to.resize(before + pending);
  BIO_read(output, to.data() + before, static_cast<int>(pending));
}

}  // namespace perigee::host
