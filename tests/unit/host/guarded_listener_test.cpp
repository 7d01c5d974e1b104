// The guard's port with TLS: clients that do not read what TLS itself answers, or read slowly.
#include "perigee/host/guarded_listener.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "made_certificate.hpp"
#include "tcp_client.hpp"
#include "temporary_folder.hpp"
#include "tls_client.hpp"

namespace perigee::host {
namespace {

using namespace std::chrono_literals;

constexpr int frame_payload_bytes = 16'000;

/// HTTP/2's first bytes, then a frame of an unknown type.
std::string preface_and_frame() {
  const std::string settings("\0\0\0\4\0\0\0\0\0", 9);
  const std::string header("\0\x3e\x80\x20\0\0\0\0\0", 9);  // 16,000 bytes
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + header;
}

/// A client over TCP with small buffers; its calls wait half a second at most.
class TlsPlayer {
 public:
  explicit TlsPlayer(const Address& to)
      : context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free),
        ssl_(SSL_new(context_.get()), SSL_free),
        fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int small = 16 << 10;
    setsockopt(fd_, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    const timeval patience{0, 500'000};
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(to.port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    SSL_set_fd(ssl_.get(), fd_);
    EXPECT_EQ(SSL_connect(ssl_.get()), 1);
  }
  ~TlsPlayer() {
    ERR_clear_error();
    close(fd_);
  }
  TlsPlayer(const TlsPlayer&) = delete;
  TlsPlayer& operator=(const TlsPlayer&) = delete;

  bool say(std::string_view text) {
    return SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())) > 0;
  }
  /// Asks for an answer.
  bool change_key() {
    return SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_REQUESTED) == 1 &&
           SSL_do_handshake(ssl_.get()) == 1;
  }
  std::size_t read_some(std::size_t bytes_max) {
    std::string text(bytes_max, '\0');
    const int got = SSL_read(ssl_.get(), text.data(), static_cast<int>(text.size()));
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

 private:
  std::shared_ptr<SSL_CTX> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
  int fd_;
};

class AGuardedTlsPort : public testing::Test {
 protected:
  ~AGuardedTlsPort() override {
    listener.reset();
    if (grpc >= 0) close(grpc);
  }
  void open(Micros unread_us_max) {
    MadeCertificate("one").write(files.certificate, files.key);
    tls = TlsServer::open(files, "h2").value();
    limits.unread_us_max = unread_us_max;
    at = free_port();
    auto opened = GuardedListener::open(at, limits, tls.get());
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    listener = std::move(*opened);
    listener->start([this](int descriptor, const Caller&) { handed.set_value(descriptor); });
  }
  /// A client that has begun to speak; `grpc` is the other end.
  std::unique_ptr<TlsPlayer> player() {
    auto made = std::make_unique<TlsPlayer>(at);
    EXPECT_TRUE(made->say(preface_and_frame()));
    grpc = handed.get_future().get();
    return made;
  }
  void drain() const {
    char bytes[4'096];
    while (read(grpc, bytes, sizeof bytes) > 0) {
    }
  }
  /// Writes until the guard has accepted nothing for a while. Returns the number of bytes.
  std::size_t answer_without_end() const {
    const std::string part(4'096, 'a');
    std::size_t sent = 0;
    for (int idle = 0; idle < 20; ++idle) {
      for (ssize_t got = 0; (got = write(grpc, part.data(), part.size())) > 0; idle = 0) {
        sent += static_cast<std::size_t>(got);
      }
      std::this_thread::sleep_for(5ms);
    }
    return sent;
  }
  bool closes_for(GrpcBreach why, std::chrono::milliseconds within) const {
    for (auto waited = 0ms; waited < within; waited += 10ms) {
      if (listener->breaches()[why] == 1) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

  TemporaryFolder folder;
  TlsServer::Files files{.certificate = folder.path() / "certificate.pem",
                         .key = folder.path() / "key.pem",
                         .client_ca = {},
                         .revoked = {}};
  std::unique_ptr<TlsServer> tls;
  GrpcLimits limits;
  Address at;
  std::unique_ptr<GuardedListener> listener;
  std::promise<int> handed;
  int grpc = -1;
};

// OpenSSL answers each change of a key, into memory.
TEST_F(AGuardedTlsPort, KeepsAFewAnswersForAClientThatNeverReads) {
  open(3'000'000);
  const auto client = player();
  EXPECT_GT(answer_without_end(), 0U);
  constexpr int rounds_max = 30'000;  // 1.5 MB; the kernel's buffers have 0.2
  int rounds = 0;
  for (bool taken = true; taken && rounds < rounds_max; ++rounds) {
    taken = client->change_key() && client->say("x");
    if (rounds % frame_payload_bytes == frame_payload_bytes - 1) {
      taken = taken && client->say(preface_and_frame().substr(33));
    }
    drain();
  }
  EXPECT_LT(rounds, rounds_max) << "it reads on";
  EXPECT_TRUE(closes_for(GrpcBreach::LateAnswer, 10s));
}

TEST_F(AGuardedTlsPort, ServesAClientThatReadsSlowly) {
  open(1'000'000);
  const auto client = player();
  const std::size_t sent = answer_without_end();
  std::size_t read = 0;
  for (int i = 0; i < 80; ++i) {
    std::this_thread::sleep_for(25ms);
    read += client->read_some(4'096);
  }
  EXPECT_LT(read, sent / 2) << "it was slow";
  while (const std::size_t more = client->read_some(1 << 14)) read += more;
  EXPECT_EQ(read, sent);
  EXPECT_EQ(listener->breaches()[GrpcBreach::LateAnswer], 0U);
}

TEST_F(AGuardedTlsPort, EndsAClientThatOnlyChangesItsKey) {
  open(60'000'000);
  const auto client = player();
  for (std::uint32_t i = 0; i < 3 * TlsSession::key_changes_max; ++i) {
    ASSERT_TRUE(client->change_key());
    if (i % TlsSession::key_changes_max != 0) continue;
    ASSERT_TRUE(client->say("x"));
  }
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(listener->breaches()[GrpcBreach::Frames], 0U);
  client->change_key();
  client->change_key();
  EXPECT_TRUE(closes_for(GrpcBreach::Frames, 10s));
}

}  // namespace
}  // namespace perigee::host
