/// OpenSSL's own client of TLS, as bytes in and bytes out. It has no certificate, and trusts every
/// server.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace perigee::host {

using TlsBytes = std::vector<std::byte>;

/// A client that offers these protocols ("" none) and the versions up to `version`.
class TlsClient {
 public:
  explicit TlsClient(std::string protocols, int version = TLS1_3_VERSION)
      : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free), ssl_(nullptr, SSL_free) {
    SSL_CTX_set_max_proto_version(context_.get(), version);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    SSL_CTX_set_security_level(context_.get(), 0);
    ssl_.reset(SSL_new(context_.get()));
    if (!protocols.empty()) {
      protocols.insert(protocols.begin(), static_cast<char>(protocols.size()));
      SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(protocols.data()),
                          static_cast<unsigned>(protocols.size()));
    }
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl_.get());
    SSL_do_handshake(ssl_.get());
  }
  ~TlsClient() { ERR_clear_error(); }
  TlsBytes output() {
    TlsBytes bytes(BIO_ctrl_pending(SSL_get_wbio(ssl_.get())));
    if (!bytes.empty()) {
      BIO_read(SSL_get_wbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
    }
    return bytes;
  }
  void take(const TlsBytes& bytes) {
    if (!bytes.empty()) {
      BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
    }
    SSL_do_handshake(ssl_.get());
  }
  void say(const std::string& text) {
    SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size()));
  }
  std::string heard() {
    std::string text(1 << 16, '\0');
    const int got = SSL_read(ssl_.get(), text.data(), static_cast<int>(text.size()));
    return got > 0 ? text.substr(0, static_cast<std::size_t>(got)) : std::string();
  }
  bool connected() const { return SSL_is_init_finished(ssl_.get()) == 1; }
  bool told_that_it_is_over() {
    char one = 0;
    SSL_read(ssl_.get(), &one, 1);
    return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
  }
  std::string peer() const {
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(
        SSL_get1_peer_certificate(ssl_.get()), X509_free);
    char name[64] = "";
    if (certificate) {
      X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name,
                                sizeof name);
    }
    return name;
  }

 private:
  std::shared_ptr<SSL_CTX> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
};

}  // namespace perigee::host
