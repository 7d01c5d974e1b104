// TLS between two processes with the same rights: each end judges the other's certificate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "made_authority.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/host/tls.hpp"
#include "temporary_folder.hpp"
#include "tls_client.hpp"
#include "tls_member.hpp"

namespace perigee::host {
namespace {

const std::string gateway_names = "URI:perigee:role:gateway";
const std::string operator_names = "URI:perigee:role:operator,URI:perigee:scope:all";
const std::string of_links = "links";

class TwoMembers : public testing::Test {
 protected:
  using Wanted = MadeAuthority::Wanted;

  std::unique_ptr<TlsServer> open(const std::string& name, const Wanted& wanted,
                                  MadeAuthority* by = nullptr) {
    const auto set = folder.path() / name;
    serial = (by == nullptr ? ours : *by).write(set, wanted);
    std::ofstream(set / "ca.crt") << ours.certificate;
    return TlsServer::open({set / "tls.crt", set / "tls.key", set / "ca.crt", set / "ca.crl"}, "h2")
        .value();
  }
  void begin(const TlsServer& dialler, const TlsServer& accepter,
             const std::string& protocol = of_links) {
    client = dialler.begin_between(PeerRole::Member, TlsEnd::Client, protocol);
    server = accepter.begin_between(PeerRole::Member, TlsEnd::Server, of_links);
    client_good = server_good = true;
  }
  static bool pass(TlsSession& from, TlsSession& to, TlsBytes& plain, bool& good,
                   std::size_t piece) {
    TlsBytes bytes;
    from.take_output(bytes);
    for (std::size_t at = 0; good && at < bytes.size(); at += piece) {
      good = to.received(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)), plain);
    }
    return !bytes.empty();
  }
  /// Passes bytes both ways until nothing is left.
  void talk(std::size_t piece = 1 << 20) {
    for (bool more = true; more;) {
      more = pass(*client, *server, at_server, server_good, piece);
      more = pass(*server, *client, at_client, client_good, piece) || more;
    }
  }
  /// Why the accepter refuses a dialler with this certificate.
  TlsRefusal at_accepter(const Wanted& wanted, MadeAuthority* by = nullptr) {
    const auto member = open("member", {});
    begin(*open("other", wanted, by), *member);
    talk();
    EXPECT_FALSE(server_good);
    EXPECT_FALSE(server->ended_by_peer());
    EXPECT_FALSE(client_good) << "the dialler is told";
    EXPECT_TRUE(client->ended_by_peer());
    EXPECT_TRUE(at_client.empty() && at_server.empty());
    return server->refusal();
  }
  /// Why the dialler refuses an accepter with this certificate.
  TlsRefusal at_dialler(const Wanted& wanted, MadeAuthority* by = nullptr) {
    const auto member = open("member", {});
    begin(*member, *open("other", wanted, by));
    talk();
    EXPECT_FALSE(client_good);
    EXPECT_FALSE(client->ended_by_peer());
    EXPECT_FALSE(client->complete() || client->peer());
    EXPECT_TRUE(server->ended_by_peer()) << "the accepter is told";
    return client->refusal();
  }

  TemporaryFolder folder;
  MadeAuthority ours{"ours"}, theirs{"theirs"};
  long serial = 0;  ///< of the certificate that was made last
  std::unique_ptr<TlsSession> client, server;
  TlsBytes at_client, at_server;
  bool client_good = true, server_good = true;
};

TEST_F(TwoMembers, KnowEachOtherAndCarryBytesHoweverTheyAreCut) {
  const auto one = open("one", {.name = "one"}), two = open("two", {.name = "two"});
  const TlsBytes much(100'000, std::byte{7});
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
    begin(*one, *two);
    EXPECT_FALSE(client->send(much)) << "before the handshake";
    talk(piece);
    ASSERT_TRUE(client->complete() && server->complete());
    EXPECT_EQ(client->peer()->name, "two");
    EXPECT_EQ(server->peer()->name, "one");
    at_client.clear();
    at_server.clear();
    EXPECT_TRUE(client->send(much) && server->send(much));
    talk(piece);
    EXPECT_TRUE(at_client == much && at_server == much);
  }
}

TEST_F(TwoMembers, ChangeTheirKeysBetweenMessages) {
  const auto one = open("one", {}), two = open("two", {});
  begin(*one, *two);
  talk();
  for (int i = 0; i < 100; ++i) {
    client->change_key();
    if (i % 3 == 0) server->change_key();
    ASSERT_TRUE(client->send(TlsBytes(10, std::byte{1})) && server->send(TlsBytes(20)));
    talk();
  }
  EXPECT_TRUE(client_good && server_good);
  EXPECT_EQ(at_server.size(), 1'000U);
  EXPECT_EQ(at_client.size(), 2'000U);
}

TEST_F(TwoMembers, RefuseCertificatesOfOthersByReason) {
  EXPECT_EQ(at_accepter({}, &theirs), TlsRefusal::UnknownCa);
  EXPECT_EQ(at_accepter({.days = -1}), TlsRefusal::OutOfDate);
  EXPECT_EQ(at_accepter({.begins_days = 1}), TlsRefusal::OutOfDate);
  EXPECT_EQ(at_accepter({.names = ""}), TlsRefusal::NoRole);
  EXPECT_EQ(at_accepter({.names = gateway_names}), TlsRefusal::WrongRole);
  EXPECT_EQ(at_accepter({.names = operator_names}), TlsRefusal::WrongRole);

  EXPECT_EQ(at_dialler({}, &theirs), TlsRefusal::UnknownCa);
  EXPECT_EQ(at_dialler({.days = -1}), TlsRefusal::OutOfDate);
  EXPECT_EQ(at_dialler({.begins_days = 1}), TlsRefusal::OutOfDate);
  EXPECT_EQ(at_dialler({.names = ""}), TlsRefusal::NoRole);
  EXPECT_EQ(at_dialler({.names = gateway_names}), TlsRefusal::WrongRole);
  EXPECT_EQ(at_dialler({.names = operator_names}), TlsRefusal::WrongRole);
}

TEST_F(TwoMembers, RefuseRevokedCertificatesAtBothEnds) {
  const auto other = open("other", {});
  ours.revoke(serial);
  const auto member = open("member", {});
  begin(*other, *member);
  talk();
  ASSERT_TRUE(client->complete() && server->complete());
  std::ofstream(folder.path() / "member/ca.crl") << ours.list();
  EXPECT_FALSE(member->revoked(*server));
  ASSERT_TRUE(member->reload());
  EXPECT_TRUE(member->revoked(*server)) << "also while it is connected";

  begin(*other, *member);
  talk();
  EXPECT_FALSE(server_good);
  EXPECT_EQ(server->refusal(), TlsRefusal::Revoked);
  begin(*member, *other);
  talk();
  EXPECT_FALSE(client_good);
  EXPECT_EQ(client->refusal(), TlsRefusal::Revoked);
}

TEST_F(TwoMembers, RefuseADiallerWithoutACertificateOrOfAnotherProtocol) {
  const auto member = open("member", {});
  begin(*member, *member, "h2");
  talk();
  EXPECT_FALSE(server_good);
  EXPECT_EQ(server->refusal(), TlsRefusal::Handshake);
  EXPECT_TRUE(client->ended_by_peer());

  begin(*member, *member);
  TlsClient stranger(of_links);
  for (int i = 0; i < 3 && server_good; ++i) {
    server_good = server->received(stranger.output(), at_server);
    TlsBytes answer;
    server->take_output(answer);
    stranger.take(answer);
  }
  EXPECT_FALSE(server_good);
  EXPECT_EQ(server->refusal(), TlsRefusal::NoCertificate);
  EXPECT_TRUE(at_server.empty());

  begin(*member, *member);
  TlsClient old(of_links, TLS1_2_VERSION);
  EXPECT_FALSE(server->received(old.output(), at_server));
  EXPECT_EQ(server->refusal(), TlsRefusal::Handshake);
}

TEST_F(TwoMembers, RefuseWhatIsNotTlsAndNoticeAChangedByte) {
  const auto member = open("member", {});
  for (const std::string_view text : {"GET / HTTP/1.0\r\n\r\n", "peripee<", "\x17\x03\x03"}) {
    begin(*member, *member);
    EXPECT_FALSE(server->received(as_bytes_of(text.data(), text.size()), at_server));
    EXPECT_EQ(server->refusal(), TlsRefusal::NotTls);
    EXPECT_FALSE(client->received(as_bytes_of(text.data(), text.size()), at_client));
    EXPECT_EQ(client->refusal(), TlsRefusal::NotTls);
    EXPECT_FALSE(client->ended_by_peer());
  }
  begin(*member, *member);
  talk();
  ASSERT_TRUE(client->send(TlsBytes(100, std::byte{1})));
  TlsBytes sent;
  client->take_output(sent);
  sent[40] ^= std::byte{1};
  EXPECT_FALSE(server->received(sent, at_server));
  EXPECT_FALSE(server->ended_by_peer());
  EXPECT_TRUE(at_server.empty());
}

TEST_F(TwoMembers, KnowEachOtherWhileAChangeOfKeysIsIncomplete) {
  const auto member = open("member", {.name = "one"});
  begin(*member, *member);
  TlsMember other(folder.path() / "member", of_links);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(server->received(other.output(), at_server));
    TlsBytes answer;
    server->take_output(answer);
    other.take(answer);
  }
  ASSERT_TRUE(other.connected() && server->complete());
  ASSERT_TRUE(server->received(other.record(SSL3_RT_HANDSHAKE, half_a_key_update), at_server));
  EXPECT_TRUE(server->complete());
  EXPECT_TRUE(server->peer() && server->peer()->name == "one");
  EXPECT_FALSE(server->send(TlsBytes(10))) << "OpenSSL waits for the rest";
  ASSERT_TRUE(server->received(other.record(SSL3_RT_HANDSHAKE, std::string(1, '\0')), at_server));
  EXPECT_TRUE(server->send(TlsBytes(10)));
  EXPECT_TRUE(at_server.empty());
}

// A session that is resumed shows no certificate.
TEST_F(TwoMembers, GetNothingToResumeASessionWith) {
  const auto member = open("member", {});
  begin(*member, *member);
  TlsBytes flight;
  client->take_output(flight);
  ASSERT_TRUE(server->received(flight, at_server));
  flight.clear();
  server->take_output(flight);
  ASSERT_TRUE(client->received(flight, at_client));
  flight.clear();
  client->take_output(flight);
  ASSERT_TRUE(server->received(flight, at_server));
  ASSERT_TRUE(server->complete());
  flight.clear();
  server->take_output(flight);
  EXPECT_TRUE(flight.empty()) << "no ticket";
}

}  // namespace
}  // namespace perigee::host
