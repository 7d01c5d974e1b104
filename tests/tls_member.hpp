/// OpenSSL's own client with a member's certificate, as bytes in and bytes out, that can also seal
/// records of any content: OpenSSL itself makes no broken ones.
#pragma once

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class TlsMember {
 public:
  using Bytes = std::vector<std::byte>;

  /// `set`: as MadeAuthority::write() makes it. Trusts every server.
  TlsMember(const std::filesystem::path& set, std::string protocol)
      : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free), ssl_(nullptr, SSL_free) {
    SSL_CTX_use_certificate_chain_file(context_.get(), (set / "tls.crt").c_str());
    SSL_CTX_use_PrivateKey_file(context_.get(), (set / "tls.key").c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_set_ciphersuites(context_.get(), "TLS_AES_128_GCM_SHA256");
    SSL_CTX_set_app_data(context_.get(), this);
    SSL_CTX_set_keylog_callback(context_.get(), [](const SSL* ssl, const char* line) {
      static_cast<TlsMember*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)))->note(line);
    });
    ssl_.reset(SSL_new(context_.get()));
    protocol.insert(protocol.begin(), static_cast<char>(protocol.size()));
    SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(protocol.data()),
                        static_cast<unsigned>(protocol.size()));
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl_.get());
    SSL_do_handshake(ssl_.get());
  }
  ~TlsMember() { ERR_clear_error(); }
  TlsMember(const TlsMember&) = delete;
  TlsMember& operator=(const TlsMember&) = delete;

  Bytes output() {
    Bytes bytes(BIO_ctrl_pending(SSL_get_wbio(ssl_.get())));
    if (!bytes.empty()) {
      BIO_read(SSL_get_wbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
    }
    return bytes;
  }
  void take(const Bytes& bytes) {
    if (bytes.empty()) return;
    BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
    SSL_do_handshake(ssl_.get());
  }
  bool connected() const { return SSL_is_init_finished(ssl_.get()) == 1; }

  /// After a complete KeyUpdate.
  void next_key() {
    std::array<unsigned char, 32> next{};
    expand("traffic upd", next);
    secret_ = next;
    sequence_ = 0;
  }
  /// The next record, once connected. Once one was made here, OpenSSL may make no more.
  Bytes record(std::uint8_t type, std::string_view content) {
    std::string plain(content);
    plain += static_cast<char>(type);
    std::array<unsigned char, 16> key{};
    std::array<unsigned char, 12> iv{};
    expand("key", key);
    expand("iv", iv);
    for (std::size_t i = 0; i < 8; ++i) {
      iv[11 - i] ^= static_cast<unsigned char>(sequence_ >> (8 * i));
    }
    ++sequence_;
    const std::size_t size = plain.size() + tag_bytes;
    const std::array<unsigned char, 5> head{SSL3_RT_APPLICATION_DATA, 3, 3,
                                            static_cast<unsigned char>(size >> 8U),
                                            static_cast<unsigned char>(size)};
    Bytes out(head.size() + size);
    auto* const at = reinterpret_cast<unsigned char*>(out.data());
    std::copy(head.begin(), head.end(), at);
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> seal(EVP_CIPHER_CTX_new(),
                                                                               EVP_CIPHER_CTX_free);
    int done = 0;
    EVP_EncryptInit_ex(seal.get(), EVP_aes_128_gcm(), nullptr, key.data(), iv.data());
    EVP_EncryptUpdate(seal.get(), nullptr, &done, head.data(), static_cast<int>(head.size()));
    EVP_EncryptUpdate(seal.get(), at + head.size(), &done,
                      reinterpret_cast<const unsigned char*>(plain.data()),
                      static_cast<int>(plain.size()));
    EVP_EncryptFinal_ex(seal.get(), nullptr, &done);
    EVP_CIPHER_CTX_ctrl(seal.get(), EVP_CTRL_GCM_GET_TAG, tag_bytes,
                        at + head.size() + plain.size());
    return out;
  }

 private:
  static constexpr int tag_bytes = 16;

  /// A line of NSS's key log.
  void note(std::string_view line) {
    if (!line.starts_with("CLIENT_TRAFFIC_SECRET_0 ")) return;
    const std::string hex(line.substr(line.rfind(' ') + 1));
    for (std::size_t i = 0; i < secret_.size(); ++i) {
      secret_[i] = static_cast<unsigned char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
    }
  }
  /// HKDF-Expand-Label (RFC 8446, 7.1) of at most one block.
  template <std::size_t size>
  void expand(std::string_view label, std::array<unsigned char, size>& out) const {
    std::string info{'\0', static_cast<char>(size), static_cast<char>(6 + label.size())};
    info += "tls13 " + std::string(label) + '\0' + '\1';
    std::array<unsigned char, 32> block{};
    HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
         reinterpret_cast<const unsigned char*>(info.data()), info.size(), block.data(), nullptr);
    std::copy_n(block.begin(), size, out.begin());
  }

  std::shared_ptr<SSL_CTX> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
  std::array<unsigned char, 32> secret_{};  ///< of the client's records
  std::uint64_t sequence_ = 0;
};

/// The head of a KeyUpdate, without its one byte.
inline constexpr std::string_view half_a_key_update("\x18\0\0\1", 4);

}  // namespace perigee
