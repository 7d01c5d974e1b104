/// A certificate for 127.0.0.1 and localhost that a test makes, signed with its own key.
#pragma once

#include <openssl/x509v3.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "token_signer.hpp"

namespace perigee {

struct MadeCertificate {
  std::string certificate;  ///< PEM
  std::string key;          ///< PEM

  explicit MadeCertificate(const std::string& name, long days = 30) {
    const TokenSigner signer("ES256");
    const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), X509_free);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -86'400);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 86'400 * days);
    X509_set_pubkey(made.get(), signer.key());
    X509_NAME* subject = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(made.get(), subject);
    X509_EXTENSION* names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost");
    X509_add_ext(made.get(), names, -1);
    X509_EXTENSION_free(names);
    X509_sign(made.get(), signer.key(), EVP_sha256());
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_X509(memory.get(), made.get());
    char* begin = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &begin);
    certificate.assign(begin, static_cast<std::size_t>(size));
    key = signer.private_pem();
  }
  void write(const std::filesystem::path& certificate_file,
             const std::filesystem::path& key_file) const {
    std::ofstream(certificate_file) << certificate;
    std::ofstream(key_file) << key;
    std::filesystem::permissions(
        key_file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
};

}  // namespace perigee
