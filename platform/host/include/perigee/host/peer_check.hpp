/// Judges certificates whose chain OpenSSL has verified: finds revoked ones, and reads the owner.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/host/peer_identity.hpp"

struct X509_crl_st;  // OpenSSL's X509_CRL
struct x509_st;      // OpenSSL's X509

namespace perigee::host {

class PeerCheck {
 public:
  using Certificate = std::shared_ptr<x509_st>;

  /// `ca`: PEM with one or more certificates. `revoked`: PEM with their revocation lists; may be
  /// missing. A list that none of the CAs has signed is an error, and so is every sign of damage:
  /// with fewer lists revoked certificates would count again.
  static Result<std::shared_ptr<const PeerCheck>> load(const std::filesystem::path& ca,
                                                       const std::filesystem::path& revoked);

  bool revoked(const x509_st& certificate) const;
  /// One of the certificates of a PEM text.
  bool any_revoked(std::string_view pem) const;
  /// Number of revoked certificates, on all lists.
  std::size_t revocations() const;
  const std::vector<Certificate>& authorities() const { return authorities_; }

 private:
  std::vector<Certificate> authorities_;
  std::vector<std::shared_ptr<X509_crl_st>> lists_;
};

/// The owner that a certificate names; the error is a sentence about it.
Result<PeerIdentity> identity_of(const x509_st& certificate);
/// The first certificate of a PEM text.
Result<PeerCheck::Certificate> certificate_of(std::string_view pem);
/// Unix time of its end.
std::int64_t expires_unix_s(const x509_st& certificate);

/// Text of a PEM file of certificates, of a bounded size.
Result<std::string> read_certificates(const std::filesystem::path& path);

}  // namespace perigee::host
