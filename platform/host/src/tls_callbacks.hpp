/// OpenSSL's callbacks of our contexts. Each finds the TlsSession of its connection.
#pragma once

#include <openssl/ssl.h>

namespace perigee::host {

/// Called for each certificate of the other end's chain. A refusal here reaches the other end as an
/// alert with the reason.
int judge_certificate(int good, X509_STORE_CTX* chain);

/// Chooses the session's protocol among those that a client offers.
int choose_protocol(SSL* connection, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned offered_size, void* unused);

}  // namespace perigee::host
