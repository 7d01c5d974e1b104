#include "perigee/host/peer_check.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <utility>

#include "perigee/host/read_file.hpp"

namespace perigee::host {
namespace {

constexpr std::size_t pem_bytes_max = 4U << 20U;  // a revocation list may be long

using PemMemory = std::unique_ptr<BIO, decltype(&BIO_free)>;
PemMemory pem_memory(std::string_view text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

std::vector<PeerCheck::Certificate> all_certificates(std::string_view pem) {
  std::vector<PeerCheck::Certificate> out;
  const PemMemory memory = pem_memory(pem);
  while (X509* next = PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr)) {
    out.emplace_back(next, X509_free);
  }
  ERR_clear_error();  // the end of the text counts as one
  return out;
}

using List = std::shared_ptr<X509_CRL>;
constexpr std::string_view list_begin = "-----BEGIN X509 CRL-----";
constexpr std::string_view any_end = "-----END ";
constexpr std::string_view blanks = " \t\r\n";

/// OpenSSL reads until it finds no whole list, so it takes a damaged one for the end. Here each
/// block of the text has to be a list, and none may begin behind the last.
Result<std::vector<List>> all_lists(std::string_view pem) {
  std::vector<List> out;
  for (auto end = pem.find(any_end); end != std::string_view::npos; end = pem.find(any_end)) {
    const std::string_view block = pem.substr(0, pem.find('\n', end));
    const auto begin = block.find(list_begin);
    const PemMemory memory = pem_memory(block);
    out.emplace_back(PEM_read_bio_X509_CRL(memory.get(), nullptr, nullptr, nullptr), X509_CRL_free);
    ERR_clear_error();
    if (begin == std::string_view::npos || begin != block.rfind("-----BEGIN") || !out.back()) {
      return Error{"block " + std::to_string(out.size()) + " is damaged or no revocation list"};
    }
    pem.remove_prefix(block.size());
  }
  if (pem.find_first_not_of(blanks) == std::string_view::npos) return out;
  return Error{out.empty() ? "no revocation list in PEM"
                           : "a list is cut off, or text follows the last"};
}

std::string text_of(const ASN1_STRING* from) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(from)),
          static_cast<std::size_t>(ASN1_STRING_length(from))};
}

std::string common_name(const X509& certificate) {
  const X509_NAME* subject = X509_get_subject_name(&certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return "";
  return text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
}

}  // namespace

Result<std::string> read_certificates(const std::filesystem::path& path) {
  auto text = read_if_present(path, pem_bytes_max);
  if (!text) return Error{"certificate " + text.error().message};
  if (!*text) return Error{"certificate " + path.string() + " does not exist"};
  return std::move(**text);
}

Result<PeerCheck::Certificate> certificate_of(std::string_view pem) {
  auto all = all_certificates(pem);
  if (all.empty()) return Error{"not PEM with a certificate"};
  return std::move(all.front());
}

Result<std::shared_ptr<const PeerCheck>> PeerCheck::load(const std::filesystem::path& ca,
                                                         const std::filesystem::path& revoked) {
  const auto text = read_certificates(ca);
  if (!text) return text.error();
  const auto check = std::make_shared<PeerCheck>();
  check->authorities_ = all_certificates(*text);
  if (check->authorities_.empty()) {
    return Error{"CA file " + ca.string() + " has no certificate in PEM"};
  }
  if (revoked.empty()) return std::shared_ptr<const PeerCheck>(check);
  const auto lists = read_if_present(revoked, pem_bytes_max);
  if (!lists) return Error{"revocation list " + lists.error().message};
  if (!*lists) return std::shared_ptr<const PeerCheck>(check);
  auto read = all_lists(**lists);
  if (!read) {
    return Error{revoked.string() + ": " + read.error().message + "; write all lists again"};
  }
  check->lists_ = std::move(*read);
  if (check->lists_.empty()) {
    return Error{revoked.string() + " has no revocation list in PEM; remove it if there is none"};
  }
  for (const auto& list : check->lists_) {
    const bool signed_here = std::any_of(
        check->authorities_.begin(), check->authorities_.end(), [&](const Certificate& authority) {
          return X509_CRL_verify(list.get(), X509_get0_pubkey(authority.get())) == 1;
        });
    ERR_clear_error();
    if (!signed_here) {
      return Error{"a revocation list of " + revoked.string() + " is not signed by a CA of " +
                   ca.string()};
    }
  }
  return std::shared_ptr<const PeerCheck>(check);
}

bool PeerCheck::revoked(const x509_st& certificate) const {
  return std::any_of(lists_.begin(), lists_.end(), [&](const auto& list) {
    X509_REVOKED* entry = nullptr;
    const bool its_issuer =
        X509_NAME_cmp(X509_CRL_get_issuer(list.get()), X509_get_issuer_name(&certificate)) == 0;
    return its_issuer && X509_CRL_get0_by_serial(
                             list.get(), &entry,
                             const_cast<ASN1_INTEGER*>(X509_get0_serialNumber(&certificate))) == 1;
  });
}

std::size_t PeerCheck::revocations() const {
  std::size_t count = 0;
  for (const auto& list : lists_) {
    const auto* entries = X509_CRL_get_REVOKED(list.get());
    if (entries != nullptr) count += static_cast<std::size_t>(sk_X509_REVOKED_num(entries));
  }
  return count;
}

bool PeerCheck::any_revoked(std::string_view pem) const {
  const auto all = all_certificates(pem);
  return std::any_of(all.begin(), all.end(), [&](const auto& each) { return revoked(*each); });
}

Result<PeerIdentity> identity_of(const x509_st& certificate) {
  std::vector<std::string> uris;
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_URI) uris.push_back(text_of(name->d.uniformResourceIdentifier));
  }
  return identity_from(common_name(certificate), uris);
}

std::int64_t expires_unix_s(const x509_st& certificate) {
  std::tm end{};
  ASN1_TIME_to_tm(X509_get0_notAfter(&certificate), &end);
  return timegm(&end);
}

}  // namespace perigee::host
