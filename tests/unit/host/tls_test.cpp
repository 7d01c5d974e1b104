// TLS as bytes in and bytes out, with OpenSSL's own client at the other end.
#include "perigee/host/tls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "made_certificate.hpp"
#include "perigee/base/bytes.hpp"
#include "temporary_folder.hpp"
#include "tls_client.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;
class ATlsServer : public testing::Test {
 protected:
  void SetUp() override {
    MadeCertificate("one").write(files.certificate, files.key);
    auto opened = TlsServer::open(files, "h2");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    server = std::move(*opened);
  }
  /// Passes bytes both ways until nothing is left. False: the server gave up.
  static bool talk(TlsClient& client, TlsSession& session, TlsBytes& plain,
                   std::size_t piece = 1 << 20) {
    for (;;) {
      const TlsBytes up = client.output();
      bool good = true;
      for (std::size_t at = 0; good && at < up.size(); at += piece) {
        good = session.received(std::span(up).subspan(at, std::min(piece, up.size() - at)), plain);
      }
      TlsBytes down;
      session.take_output(down);
      client.take(down);
      if (!good) return false;
      if (up.empty() && down.empty()) return true;
    }
  }
  static bool handshake(TlsClient& client, TlsSession& session) {
    TlsBytes plain;
    return talk(client, session, plain) && client.connected();
  }

  TemporaryFolder folder;
  TlsServer::Files files{folder.path() / "certificate.pem", folder.path() / "key.pem"};
  std::unique_ptr<TlsServer> server;
};

TEST_F(ATlsServer, CarriesBytesBothWaysHoweverTheyAreCut) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
      const auto session = server->begin();
      TlsClient client("h2", version);
      TlsBytes plain;
      ASSERT_TRUE(talk(client, *session, plain, piece));
      ASSERT_TRUE(client.connected());
      const std::string question(40'000, 'q');  // several records
      client.say(question);
      ASSERT_TRUE(talk(client, *session, plain, piece));
      EXPECT_EQ(plain, TlsBytes(question.size(), std::byte{'q'}));
      ASSERT_TRUE(session->send(std::as_bytes(std::span("answer", 6))));
      TlsBytes down;
      session->take_output(down);
      client.take(down);
      EXPECT_EQ(client.heard(), "answer");
      session->finish();
      down.clear();
      session->take_output(down);
      client.take(down);
      EXPECT_TRUE(client.told_that_it_is_over());
    }
  }
}

TEST_F(ATlsServer, SendsNothingPlainBeforeTheHandshakeIsOver) {
  const auto session = server->begin();
  EXPECT_FALSE(session->send(std::as_bytes(std::span("secret", 6))));
  session->finish();
  TlsBytes out;
  session->take_output(out);
  EXPECT_TRUE(out.empty());
}

TEST_F(ATlsServer, RefusesWhatIsNotTls) {
  for (const std::string& text :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        std::string(100, '\0'), std::string(100, '\x16')}) {
    const auto session = server->begin();
    TlsBytes plain;
    EXPECT_FALSE(session->received(std::as_bytes(std::span(text)), plain)) << text;
    EXPECT_TRUE(plain.empty());
  }
}

TEST_F(ATlsServer, NoticesAChangedByte) {
  const auto session = server->begin();
  TlsClient client("h2");
  ASSERT_TRUE(handshake(client, *session));
  client.say("hello");
  TlsBytes up = client.output();
  up.back() ^= std::byte{1};
  TlsBytes plain;
  EXPECT_FALSE(session->received(up, plain));
  EXPECT_TRUE(plain.empty());
}

TEST_F(ATlsServer, SpeaksItsOneProtocolAndNoOldVersion) {
  const auto meets = [&](const std::string& protocols, int version = TLS1_3_VERSION) {
    const auto session = server->begin();
    TlsClient client(protocols, version);
    return handshake(client, *session);
  };
  EXPECT_TRUE(meets("h2"));
  EXPECT_TRUE(meets("")) << "a client that does not know the extension";
  EXPECT_FALSE(meets("http/1.1"));
  EXPECT_FALSE(meets("h2", TLS1_1_VERSION));
}

TEST_F(ATlsServer, GivesLaterConnectionsTheRenewedCertificate) {
  const auto before = server->begin();
  MadeCertificate("two", 60).write(files.certificate, files.key);
  const std::int64_t ended_s = server->expires_unix_s();
  ASSERT_TRUE(server->reload().ok());
  EXPECT_GE(server->expires_unix_s(), ended_s + 29 * 86'400);
  const auto after = server->begin();
  TlsClient first("h2"), second("h2");
  ASSERT_TRUE(handshake(first, *before));
  ASSERT_TRUE(handshake(second, *after));
  EXPECT_EQ(first.peer(), "one");
  EXPECT_EQ(second.peer(), "two");
}

TEST_F(ATlsServer, KeepsItsCertificateIfTheFilesAreNoGood) {
  const auto why_not = [&] {
    const auto loaded = server->reload();
    return loaded ? std::string("it was read") : loaded.error().message;
  };
  const MadeCertificate other("other");
  std::ofstream(files.certificate) << other.certificate;
  EXPECT_THAT(why_not(), HasSubstr("is not the key of"));
  std::ofstream(files.certificate) << "hello";
  EXPECT_THAT(why_not(), HasSubstr("is not PEM with a certificate"));
  fs::remove(files.certificate);
  EXPECT_THAT(why_not(), HasSubstr("does not exist"));
  other.write(files.certificate, files.key);
  fs::permissions(files.key, fs::perms::group_read, fs::perm_options::add);
  EXPECT_THAT(why_not(), HasSubstr("chmod 600"));
  std::ofstream(files.key) << "-----BEGIN ENCRYPTED PRIVATE KEY-----\n";
  fs::permissions(files.key, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THAT(why_not(), HasSubstr("without a passphrase"));
  const auto session = server->begin();
  TlsClient client("h2");
  ASSERT_TRUE(handshake(client, *session));
  EXPECT_EQ(client.peer(), "one");
}

}  // namespace
}  // namespace perigee::host
