/// An attacker at a port with TLS: openssl's client, which trusts every server.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace perigee {

/// Options of openssl that show the certificate of a folder as `perigee certs` makes it.
inline std::string shown_set(const std::filesystem::path& folder) {
  return "-cert " + (folder / "tls.crt").string() + " -key " + (folder / "tls.key").string();
}

/// Begins HTTP/2 at `address` (host:port), and waits until the server closes the connection.
inline void knock_over_tls(const std::string& address, const std::string& options,
                           const std::string& alpn = "h2") {
  const std::string line =
      "printf 'PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n' | timeout 20 openssl "
      "s_client -alpn " +
      alpn + " -quiet -connect " + address + " " + options + " >/dev/null 2>&1";
  (void)!std::system(line.c_str());
}

}  // namespace perigee
