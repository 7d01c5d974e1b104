// TCP connections with TLS in them, or plain: two ends of one process over loopback.
#include "perigee/host/tls_streams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <fstream>
#include <list>
#include <optional>
#include <string>

#include "made_authority.hpp"
#include "one_loop.hpp"
#include "perigee/base/bytes.hpp"
#include "tcp_client.hpp"
#include "temporary_folder.hpp"
#include "tls_member.hpp"

namespace perigee::host {
namespace {

using How = TlsStreams::How;
using testing::IsEmpty;
using testing::SizeIs;

struct TwoTlsEnds : OneLoop {
  struct End {
    std::unique_ptr<TlsServer> tls;
    std::optional<TlsStreams> streams;
    std::vector<TlsStreams::Id> accepted, connected;
    std::vector<TlsStreams::End> closed;
    std::string received;
    std::function<void()> on_received = [] {};
    bool closed_as(How how) const { return !closed.empty() && closed.back().how == how; }
  };
  TemporaryFolder folder;
  MadeAuthority authority{"ours"};
  End caller, callee;

  TwoTlsEnds() {
    open(caller, "caller", {});
    open(callee, "callee", {});
  }
  long write_set(const std::string& name, const MadeAuthority::Wanted& wanted) {
    return authority.write(folder.path() / name, wanted);
  }
  void open(End& end, const std::string& name, const MadeAuthority::Wanted& wanted) {
    const auto set = folder.path() / name;
    write_set(name, wanted);
    end.tls = TlsServer::open({set / "tls.crt", set / "tls.key", set / "ca.crt", set / "ca.crl"},
                              "unused")
                  .value();
    listen(end, end.tls.get());
  }
  void listen(End& end, const TlsServer* tls) {
    end.streams.emplace(
        loop,
        TlsStreams::Options{.tls = tls,
                            .protocol = "links",
                            .handshakes_burst = 4,
                            .handshakes_per_s = 1,
                            .unsent_bytes_max = 1 << 20},
        TlsStreams::Events{.accepted = [&end](auto id) { end.accepted.push_back(id); },
                           .connected = [&end](auto id) { end.connected.push_back(id); },
                           .received =
                               [&end](auto, auto bytes) {
                                 end.received.append(reinterpret_cast<const char*>(bytes.data()),
                                                     bytes.size());
                                 end.on_received();
                               },
                           .closed = [&end](auto, const auto& how) { end.closed.push_back(how); }});
    ASSERT_TRUE(end.streams->open(Address::v4(127, 0, 0, 1, 0)));
  }
  void connect() {
    caller.streams->dial(callee.streams->local());
    run_until([&] { return !caller.connected.empty(); });
  }
  static void send_text(End& end, TlsStreams::Id id, const std::string& text) {
    end.streams->write(id, as_bytes_of(text.data(), text.size()));
  }
};

TEST_F(TwoTlsEnds, CarryMoreThanTheKernelTakesAtOnceInOrder) {
  connect();
  std::string all;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::string part((1 << 20) + i, static_cast<char>('a' + i % 26));
    send_text(caller, caller.connected.front(), part);
    all += part;
  }
  EXPECT_GT(caller.streams->unsent_bytes(caller.connected.front()), 1U << 20);
  run_until([&] { return callee.received.size() == all.size(); });
  EXPECT_TRUE(callee.received == all);
  send_text(callee, callee.accepted.front(), "back");
  run_until([&] { return caller.received == "back"; });
}

TEST_F(TwoTlsEnds, DoTheSameWithoutTls) {
  listen(caller, nullptr);
  listen(callee, nullptr);
  connect();
  send_text(caller, caller.connected.front(), "there");
  run_until([&] { return callee.received == "there"; });
  caller.streams->close(caller.connected.front());
  run_until([&] { return callee.closed_as(How::Closed); });
  EXPECT_THAT(caller.closed, IsEmpty()) << "it knows";
}

TEST_F(TwoTlsEnds, TellWhoRefusedWhom) {
  open(caller, "gateway", {.names = "URI:perigee:role:gateway"});
  connect();  // TLS 1.3: the dialler learns of it after its own part of the handshake
  run_until([&] { return callee.closed_as(How::Refused) && caller.closed_as(How::Closed); });
  EXPECT_EQ(callee.closed.back().refusal, TlsRefusal::WrongRole);

  open(caller, "caller", {});
  open(callee, "gateway", {.names = "URI:perigee:role:gateway"});
  caller.connected.clear();
  caller.streams->dial(callee.streams->local());
  run_until([&] { return caller.closed_as(How::Refused) && callee.closed_as(How::Closed); });
  EXPECT_EQ(caller.closed.back().refusal, TlsRefusal::WrongRole);
  EXPECT_THAT(caller.connected, IsEmpty());
}

TEST_F(TwoTlsEnds, RefuseAnEndWithoutTls) {
  const TcpClient stranger(callee.streams->local(), "GET / HTTP/1.0\r\n\r\n");
  run_until([&] { return callee.closed_as(How::Refused); });
  EXPECT_EQ(callee.closed.back().refusal, TlsRefusal::NotTls);
  EXPECT_THAT(callee.received, IsEmpty());

  listen(caller, nullptr);
  connect();
  send_text(caller, caller.connected.front(), "peripee");
  run_until([&] { return callee.closed.size() == 2; });
  EXPECT_EQ(callee.closed.back().refusal, TlsRefusal::NotTls);

  // The other way round the one without TLS gets the beginning of a handshake.
  open(caller, "caller", {});
  listen(callee, nullptr);
  callee.received.clear();
  callee.on_received = [&] { callee.streams->close(callee.accepted.back()); };
  caller.streams->dial(callee.streams->local());
  run_until([&] { return caller.closed_as(How::Closed); });
  EXPECT_EQ(callee.received.front(), '\x16');
}

TEST_F(TwoTlsEnds, ReportNobodyAndGarbageAndHalfAHandshake) {
  const Address nobody = free_port();
  caller.streams->dial(nobody);
  run_until([&] { return caller.closed_as(How::Unreachable); });
  {
    const TcpClient half(callee.streams->local(), std::string("\x16\x03\x01\x02\x00\x01", 6));
    run_until([&] { return callee.accepted.size() == 1; });
  }
  run_until([&] { return callee.closed_as(How::Closed); });
  const TcpClient garbage(callee.streams->local(), "\x16" + std::string(2'000, 'x'));
  run_until([&] { return callee.closed_as(How::Refused); });
  EXPECT_EQ(callee.closed.back().refusal, TlsRefusal::Handshake);
}

TEST_F(TwoTlsEnds, BeginABoundedNumberOfHandshakes) {
  std::list<TcpClient> flood;
  for (int i = 0; i < 30; ++i) {
    flood.emplace_back(callee.streams->local(), std::string("\x16\x03\x01\x02\x00\x01", 6));
  }
  run_until([&] { return callee.accepted.size() == flood.size() && !callee.closed.empty(); });
  EXPECT_TRUE(callee.closed_as(How::TooFast));
  EXPECT_LE(callee.closed.size(), flood.size() - 4);
  // Silent ones cost nothing, and do not count.
  run_until([&] { return true; });
  const std::size_t refused = callee.closed.size();
  const TcpClient silent(callee.streams->local(), "");
  run_until([&] { return callee.accepted.size() > flood.size(); });
  EXPECT_EQ(callee.closed.size(), refused);
}

TEST_F(TwoTlsEnds, EndAConnectionWhoseOtherEndIsRevoked) {
  const long serial = write_set("caller", {});
  ASSERT_TRUE(caller.tls->reload());
  connect();
  send_text(caller, caller.connected.front(), "there");
  run_until([&] { return callee.received == "there"; });
  callee.streams->end_revoked();
  authority.revoke(serial);
  std::ofstream(folder.path() / "callee/ca.crl") << authority.list();
  callee.streams->end_revoked();
  EXPECT_THAT(callee.closed, IsEmpty()) << "the list is not read yet";
  ASSERT_TRUE(callee.tls->reload());
  callee.streams->end_revoked();
  ASSERT_THAT(callee.closed, SizeIs(1));
  EXPECT_EQ(callee.closed.front().how, How::Revoked);
  run_until([&] { return caller.closed_as(How::Closed); });
  caller.connected.clear();
  caller.streams->dial(callee.streams->local());
  run_until([&] { return callee.closed_as(How::Refused); });
  EXPECT_EQ(callee.closed.back().refusal, TlsRefusal::Revoked);
}

TEST_F(TwoTlsEnds, UseARenewedCertificateForNewConnections) {
  connect();
  write_set("callee", {.name = "renewed"});
  ASSERT_TRUE(callee.tls->reload());
  callee.streams->end_revoked();
  caller.streams->dial(callee.streams->local());
  run_until([&] { return caller.connected.size() == 2; });
  send_text(caller, caller.connected.front(), "old");
  send_text(caller, caller.connected.back(), "new");
  run_until([&] { return callee.received.size() == 6; });
  EXPECT_THAT(caller.closed, IsEmpty());
}

/// A linked peer that sends any records.
struct AHostileMember : TwoTlsEnds {
  TcpClient socket{callee.streams->local(), ""};
  TlsMember member{folder.path() / "caller", "links"};

  void send_bytes(const std::vector<std::byte>& bytes) const {
    socket.send_more({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  AHostileMember() {
    run_until([this] {
      std::vector<std::byte> bytes(1 << 14);
      const ssize_t got = recv(socket.descriptor(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
      member.take(bytes);
      const bool connected = member.connected();
      send_bytes(member.output());
      return connected;
    });
    send_bytes(member.record(SSL3_RT_APPLICATION_DATA, "there"));
    run_until([&] { return callee.received == "there"; });
  }
};

TEST_F(AHostileMember, EndsItsOwnConnectionByHalfAChangeOfKeys) {
  auto bytes = member.record(SSL3_RT_APPLICATION_DATA, ", half");
  const auto half = member.record(SSL3_RT_HANDSHAKE, half_a_key_update);
  bytes.insert(bytes.end(), half.begin(), half.end());
  send_bytes(bytes);
  run_until([&] { return callee.received == "there, half"; });
  send_text(callee, callee.accepted.front(), "beat");
  send_text(callee, callee.accepted.front(), "beat");
  EXPECT_THAT(callee.closed, IsEmpty()) << "not from within a call";
  run_until([&] { return callee.closed_as(How::Broken); });
  EXPECT_THAT(callee.closed, SizeIs(1));
}

TEST_F(AHostileMember, GetsNoAnswersThatItDoesNotRead) {
  send_text(callee, callee.accepted.front(), std::string(16 << 20, 'x'));
  ASSERT_GT(callee.streams->unsent_bytes(callee.accepted.front()), 1U << 20);
  for (int i = 0; i < 2; ++i) {  // OpenSSL answers when the next one comes
    send_bytes(member.record(SSL3_RT_HANDSHAKE, std::string(half_a_key_update) + "\1"));
    member.next_key();
  }
  run_until([&] { return callee.closed_as(How::Broken); });
}

TEST_F(TwoTlsEnds, MayEndAConnectionWhileTheyAreTold) {
  connect();
  callee.on_received = [&] { callee.streams->close(callee.accepted.front()); };
  send_text(caller, caller.connected.front(), "x");
  run_until([&] { return caller.closed_as(How::Closed); });
  EXPECT_THAT(callee.closed, IsEmpty());
}

}  // namespace
}  // namespace perigee::host
