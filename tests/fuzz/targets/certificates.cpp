// Bytes of strangers at both ends of mutual TLS: a certificate, a handshake, cut anywhere; records
// of a member after its handshake; and an operator's list of the console's operators.
#include <openssl/ssl.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "fuzz/fuzz.hpp"
#include "made_authority.hpp"
#include "perigee/console/access.hpp"
#include "perigee/host/peer_check.hpp"
#include "perigee/host/tls.hpp"
#include "tls_member.hpp"

namespace perigee::fuzz {
namespace {

/// A server with certificates of its own, made once.
struct Port {
  std::filesystem::path folder;
  std::unique_ptr<host::TlsServer> server;
  std::string client;  ///< PEM of a good client

  Port() {
    std::string name = (std::filesystem::temp_directory_path() / "perigee-fuzz-XXXXXX").string();
    folder = mkdtemp(name.data());
    MadeAuthority authority("fuzz");
    authority.write(folder, {});
    client = authority.issue({.name = "client"}).certificate;
    server =
        host::TlsServer::open({folder / "tls.crt", folder / "tls.key", folder / "ca.crt", ""}, "h2")
            .value();
  }
  ~Port() { std::filesystem::remove_all(folder); }
};
Port& port() {
  static Port made;
  return made;
}

void read_certificate(std::string_view pem) {
  const auto certificate = host::certificate_of(pem);
  if (!certificate) return;
  (void)host::expires_unix_s(**certificate);
  const auto identity = host::identity_of(**certificate);
  if (!identity) return;
  PERIGEE_ASSERT(
      identity->name.size() <= 64 && std::all_of(identity->name.begin(), identity->name.end(),
                                                 [](char c) { return c >= ' ' && c <= '~'; }),
      "names of strangers are short and printable");
  PERIGEE_ASSERT((identity->role == host::PeerRole::Operator) == (identity->scopes != Scopes{}),
                 "operators have scopes, and nobody else has");
}

std::unique_ptr<host::TlsSession> session_of(unsigned end) {
  using host::TlsEnd;
  const auto between = [](TlsEnd which) {
    return port().server->begin_between(host::PeerRole::Member, which, "links");
  };
  if (end == 0) return port().server->begin();
  return between(end == 1 ? TlsEnd::Server : TlsEnd::Client);
}

/// The first byte says which end it is, and how long the pieces are.
void shake_hands(Input input) {
  if (input.empty()) return;
  const auto first = std::to_integer<unsigned>(input[0]);
  const std::size_t piece = first + 1;
  input = input.subspan(1);
  const auto session = session_of(first % 3);
  Bytes plain, out;
  while (!input.empty()) {
    const Input part = input.first(std::min(piece, input.size()));
    input = input.subspan(part.size());
    const bool good = session->received(part, plain);
    session->take_output(out);
    PERIGEE_ASSERT(plain.empty(), "nothing is read before a certificate was proved");
    PERIGEE_ASSERT(!session->peer(), "and nobody is known");
    if (!good) return;
  }
}

constexpr std::array<std::uint8_t, 4> record_types = {SSL3_RT_HANDSHAKE, SSL3_RT_ALERT,
                                                      SSL3_RT_APPLICATION_DATA, 0};

/// A record of any kind with any content, then something for the member, again and again.
void after_handshake(Input input) {
  const auto session = session_of(1);
  TlsMember member(port().folder, "links");
  Bytes plain, out;
  for (int i = 0; i < 2; ++i) {
    PERIGEE_ASSERT(session->received(member.output(), plain), "a good handshake");
    out.clear();
    session->take_output(out);
    member.take(out);
  }
  PERIGEE_ASSERT(session->complete(), "a good handshake");
  Choices choices(input);
  while (!choices.empty()) {
    const std::uint8_t type = record_types[choices.byte() % record_types.size()];
    const Input content = choices.bytes();
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    if (!session->received(member.record(type, text), plain)) return;
    PERIGEE_ASSERT(session->complete() && session->peer(), "a member stays known");
    (void)session->send(as_bytes_of("beat", 4));
    session->take_output(out);
  }
}

void run(Input input) {
  if (input.empty()) return;
  const Input rest = input.subspan(1);
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  switch (std::to_integer<unsigned>(input[0]) % 4) {
    case 0:
      return read_certificate(text);
    case 1:
      return shake_hands(rest);
    case 3:
      return after_handshake(rest);
    default:
      break;
  }
  const auto operators = console::read_operators(text);
  if (!operators) return;
  for (const auto& each : *operators) {
    PERIGEE_ASSERT(each.token.size() >= 16 && each.of.scopes.has(Scope::Read), "tokens are long");
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const auto add = [&](char kind, std::string text) {
    text.insert(text.begin(), kind);
    out.push_back(bytes_of(as_bytes_of(text.data(), text.size())));
  };
  add('\0', port().client);
  MadeAuthority others("others");
  add('\0', others.issue({.names = "URI:perigee:role:operator,URI:perigee:scope:all"}).certificate);
  add('\0', others.issue({.names = "URI:perigee:role:gateway,DNS:x"}).certificate);
  // A client's first flight: a record with a ClientHello of TLS 1.3.
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                                  SSL_CTX_free);
  const std::unique_ptr<SSL, decltype(&SSL_free)> client(SSL_new(context.get()), SSL_free);
  SSL_set_bio(client.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_connect_state(client.get());
  SSL_do_handshake(client.get());
  std::string hello(BIO_ctrl_pending(SSL_get_wbio(client.get())), '\0');
  BIO_read(SSL_get_wbio(client.get()), hello.data(), static_cast<int>(hello.size()));
  for (const char first : {'\xfc', '\xfd', '\xfe', '\6'}) {
    add('\1', std::string(1, first) + hello);
  }
  add('\1', std::string("\xfe\x15\x03\x03\x00\x02\x02\x28", 8));  // a server's alert
  add('\2', "alice players 0123456789abcdef # on call\nbob read,map fedcba9876543210\n");
  add('\2', "alice all short\n");
  const auto records = [&](std::initializer_list<std::pair<int, std::string_view>> all) {
    Bytes script{std::byte{3}};
    for (const auto& [type, content] : all) {
      script.push_back(static_cast<std::byte>(type));
      append_sized(script, as_bytes_of(content.data(), content.size()));
    }
    out.push_back(script);
  };
  const std::string_view key_update("\x18\0\0\1\1", 5);
  records({{2, "a message"}, {0, half_a_key_update}, {0, "\1"}});
  records({{0, key_update}, {2, "under the old key"}});
  records({{1, std::string_view("\1\0", 2)}, {2, "after goodbye"}});
  return out;
}

}  // namespace

const Target target{run, seeds, 3000};

}  // namespace perigee::fuzz
