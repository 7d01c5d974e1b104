/// A certificate authority that a test makes: it signs certificates with any names, and revokes
/// them.
#pragma once

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "token_signer.hpp"

namespace perigee {

class MadeAuthority {
 public:
  explicit MadeAuthority(const std::string& name) : signer_("ES256"), name_(name) {
    certificate = certificate_for(*this);
  }
  /// An intermediate one: `above` has signed its certificate.
  MadeAuthority(const std::string& name, MadeAuthority& above) : signer_("ES256"), name_(name) {
    certificate = above.certificate_for(*this);
    own_serial = above.serial_;
  }

  struct Wanted {
    std::string name = "one";
    std::string names =
        "URI:perigee:role:member";  ///< as OpenSSL writes subjectAltName; empty: none
    long days = 30;                 ///< negative: it has ended
    long begins_days = -60;         ///< from now
  };
  struct Issued {
    std::string certificate, key;  ///< PEM
    long serial = 0;
  };
  Issued issue(const Wanted& wanted) {
    const TokenSigner owner("ES256");
    const auto made = certificate_of(wanted.name, owner.key(), wanted);
    if (!wanted.names.empty()) add(*made, nullptr, NID_subject_alt_name, wanted.names);
    return {signed_pem(*made), owner.private_pem(), serial_};
  }
  /// Writes a folder as `perigee certs` does. Returns the serial number.
  long write(const std::filesystem::path& folder, const Wanted& wanted) {
    const Issued issued = issue(wanted);
    std::filesystem::create_directories(folder);
    write_private(folder / "tls.key", issued.key);
    std::ofstream(folder / "tls.crt") << issued.certificate;
    std::ofstream(folder / "ca.crt") << certificate;
    return issued.serial;
  }
  void revoke(long serial) { revoked_.push_back(serial); }
  /// PEM of the revocation list.
  std::string list() const {
    const std::unique_ptr<X509_CRL, decltype(&X509_CRL_free)> made(X509_CRL_new(), X509_CRL_free);
    X509_CRL_set_version(made.get(), X509_CRL_VERSION_2);
    const auto subject = name_of(name_);
    X509_CRL_set_issuer_name(made.get(), subject.get());
    const std::unique_ptr<ASN1_TIME, decltype(&ASN1_TIME_free)> now(X509_gmtime_adj(nullptr, -60),
                                                                    ASN1_TIME_free);
    X509_CRL_set1_lastUpdate(made.get(), now.get());
    for (const long serial : revoked_) {
      X509_REVOKED* entry = X509_REVOKED_new();
      const std::unique_ptr<ASN1_INTEGER, decltype(&ASN1_INTEGER_free)> number(ASN1_INTEGER_new(),
                                                                               ASN1_INTEGER_free);
      ASN1_INTEGER_set(number.get(), serial);
      X509_REVOKED_set_serialNumber(entry, number.get());
      X509_REVOKED_set_revocationDate(entry, now.get());
      X509_CRL_add0_revoked(made.get(), entry);
    }
    X509_CRL_sign(made.get(), signer_.key(), EVP_sha256());
    return text([&](BIO* to) { PEM_write_bio_X509_CRL(to, made.get()); });
  }

  std::string certificate;  ///< PEM
  long own_serial = 0;      ///< of an intermediate one's certificate

 private:
  using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

  template <class Write>
  static std::string text(Write write) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
    write(memory.get());
    char* begin = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &begin);
    return {begin, static_cast<std::size_t>(size)};
  }
  static std::unique_ptr<X509_NAME, decltype(&X509_NAME_free)> name_of(const std::string& name) {
    std::unique_ptr<X509_NAME, decltype(&X509_NAME_free)> out(X509_NAME_new(), X509_NAME_free);
    X509_NAME_add_entry_by_txt(out.get(), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    return out;
  }
  static void write_private(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
    std::filesystem::permissions(
        file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  static void add(X509& to, X509V3_CTX* context, int kind, const std::string& value) {
    X509_EXTENSION* made = X509V3_EXT_conf_nid(nullptr, context, kind, value.c_str());
    X509_add_ext(&to, made, -1);
    X509_EXTENSION_free(made);
  }
  std::string certificate_for(const MadeAuthority& owner) {
    const auto made = certificate_of(owner.name_, owner.signer_.key(), {.days = 3'650});
    add(*made, nullptr, NID_basic_constraints, "critical,CA:TRUE");
    return signed_pem(*made);
  }
  Certificate certificate_of(const std::string& name, EVP_PKEY* key, const Wanted& wanted) {
    Certificate made(X509_new(), X509_free);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial_);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), 86'400 * wanted.begins_days);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 86'400 * wanted.days);
    X509_set_pubkey(made.get(), key);
    X509_set_subject_name(made.get(), name_of(name).get());
    X509_set_issuer_name(made.get(), name_of(name_).get());
    return made;
  }
  std::string signed_pem(X509& made) const {
    X509_sign(&made, signer_.key(), EVP_sha256());
    return text([&](BIO* to) { PEM_write_bio_X509(to, &made); });
  }

  TokenSigner signer_;
  std::string name_;
  long serial_ = 0;
  std::vector<long> revoked_;
};

}  // namespace perigee
