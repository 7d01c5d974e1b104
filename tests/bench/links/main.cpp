// bench_links: what a message of a link between two workers costs both of them together: sealed by
// sim/peers, and over TLS 1.3 with certificates that both sides check.
#include <openssl/ssl.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <vector>

#include "bench/common/suite.hpp"
#include "made_authority.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/tls.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::bench {
namespace {

using Bytes = std::vector<std::byte>;

/// A way to bring a message from one worker to the other.
class Link {
 public:
  virtual ~Link() = default;
  /// Returns when the other side has the message.
  virtual void carry(std::span<const std::byte> message) = 0;
};

/// Two cores with memory between them.
class SealedLink final : public Link {
 public:
  SealedLink() {
    peers::Keys keys;
    host::fill_random(keys.current);
    for (std::size_t i = 0; i < 2; ++i) {
      ends_[i].other = &ends_[1 - i];
      ends_[i].core.emplace(keys, host::fill_random, ends_[i],
                            peers::Core::Events{.message = [this](WorkerSlot, auto message) {
                              carried_ += message.size();
                            }});
    }
    ClusterMap map;
    map.cluster_id = 7;
    for (std::uint16_t i = 0; i < 2; ++i) {
      map.workers.push_back(
          {.slot = WorkerSlot{i},
           .fabric = Address::v4(10, 0, 0, 1, static_cast<std::uint16_t>(4'000 + i)),
           .alive = true,
           .incarnation = Incarnation{1}});
    }
    for (std::uint16_t i = 0; i < 2; ++i) ends_[i].core->on_map(0, map, WorkerSlot{i});
    for (auto& end : ends_) end.core->advance(0);
    ends_[1].core->on_accepted(0, 1);
    ends_[0].core->on_connected(0, 1);
    deliver();
    PERIGEE_ASSERT(ends_[0].core->linked(WorkerSlot{1}), "two workers of one map link");
  }
  void carry(std::span<const std::byte> message) override {
    carried_ = 0;
    ends_[0].core->send(0, WorkerSlot{1}, message);
    deliver();
    PERIGEE_ASSERT(carried_ == message.size(), "the message has arrived");
  }

 private:
  struct End final : peers::Sockets {
    peers::ConnectionId dial(const Address&) override { return 1; }
    void write(peers::ConnectionId, std::span<const std::byte> bytes) override {
      out.insert(out.end(), bytes.begin(), bytes.end());
    }
    std::size_t unsent_bytes(peers::ConnectionId) const override { return 0; }
    void close(peers::ConnectionId) override {}
    End* other = nullptr;
    Bytes out;
    std::optional<peers::Core> core;
  };
  void deliver() {
    for (bool more = true; more;) {
      more = false;
      for (End& end : ends_) {
        if (end.out.empty()) continue;
        more = true;
        end.other->core->on_bytes(0, 1, std::exchange(end.out, {}));
      }
    }
  }
  std::array<End, 2> ends_;
  std::size_t carried_ = 0;
};

/// A folder with the certificates of two workers.
struct Certificates {
  std::filesystem::path folder;
  Certificates() {
    std::string name = (std::filesystem::temp_directory_path() / "perigee-bench-XXXXXX").string();
    folder = mkdtemp(name.data());
    MadeAuthority authority("bench");
    authority.write(folder / "a", {});
    authority.write(folder / "b", {});
  }
  ~Certificates() { std::filesystem::remove_all(folder); }
};

/// OpenSSL through memory at both ends; a message is led by its size.
class TlsLink final : public Link {
 public:
  TlsLink(const host::TlsServer& server, SSL_CTX* client)
      : server_(server.begin()), client_(SSL_new(client), SSL_free) {
    SSL_set_bio(client_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(client_.get());
    SSL_do_handshake(client_.get());
    Bytes plain, down;
    for (int i = 0; i < 3; ++i) {
      pass(plain);
      down.clear();
      server_->take_output(down);
      if (!down.empty())
        BIO_write(SSL_get_rbio(client_.get()), down.data(), static_cast<int>(down.size()));
      SSL_do_handshake(client_.get());
    }
    PERIGEE_ASSERT(SSL_is_init_finished(client_.get()) == 1 && server_->peer(),
                   "both ends have proved who they are");
  }
  void carry(std::span<const std::byte> message) override {
    const auto size = static_cast<std::uint32_t>(message.size());
    frame_.resize(sizeof size);
    std::memcpy(frame_.data(), &size, sizeof size);
    frame_.insert(frame_.end(), message.begin(), message.end());
    std::size_t sent = 0;
    SSL_write_ex(client_.get(), frame_.data(), frame_.size(), &sent);
    received_.clear();
    pass(received_);
    PERIGEE_ASSERT(received_.size() == frame_.size(), "the message has arrived");
  }

 private:
  void pass(Bytes& plain) {
    wire_.resize(BIO_ctrl_pending(SSL_get_wbio(client_.get())));
    if (wire_.empty()) return;
    BIO_read(SSL_get_wbio(client_.get()), wire_.data(), static_cast<int>(wire_.size()));
    PERIGEE_ASSERT(server_->received(wire_, plain), "the server understands its client");
  }
  std::unique_ptr<host::TlsSession> server_;
  std::unique_ptr<SSL, decltype(&SSL_free)> client_;
  Bytes frame_, wire_, received_;
};

std::vector<double> times_us(Link& link, std::size_t bytes, int count) {
  Bytes message(bytes);
  host::fill_random(message);
  std::vector<double> out;
  for (int i = 0; i < count; ++i) {
    const auto began = std::chrono::steady_clock::now();
    link.carry(message);
    out.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began)
            .count());
  }
  return out;
}

template <class Make>
double handshake_us(Make make, int count) {
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) make();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began)
             .count() /
         count;
}

Result<Ok> links_suite(const Run& run, Figures& figures) {
  if (const auto crypto = peers::init_crypto(); !crypto) return crypto.error();
  const Certificates made;
  const auto a = made.folder / "a", b = made.folder / "b";
  const auto server = host::TlsServer::open({a / "tls.crt", a / "tls.key", a / "ca.crt", ""}, "h2");
  if (!server) return server.error();
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> client(SSL_CTX_new(TLS_client_method()),
                                                                 SSL_CTX_free);
  SSL_CTX_use_certificate_file(client.get(), (b / "tls.crt").c_str(), SSL_FILETYPE_PEM);
  SSL_CTX_use_PrivateKey_file(client.get(), (b / "tls.key").c_str(), SSL_FILETYPE_PEM);
  SSL_CTX_load_verify_file(client.get(), (b / "ca.crt").c_str());
  SSL_CTX_set_verify(client.get(), SSL_VERIFY_PEER, nullptr);
  const int handshakes = run.quick ? 20 : 500, messages = run.quick ? 200 : 4'000;

  figures.add("sealed_handshake_us", handshake_us([] { SealedLink(); }, handshakes), "us");
  figures.add("tls_handshake_us",
              handshake_us([&] { TlsLink(**server, client.get()); }, handshakes), "us");
  for (const std::size_t bytes : {std::size_t{200}, std::size_t{4'000}, std::size_t{100'000}}) {
    std::map<std::string, std::vector<double>> times;
    for (int round = 0; round < run.rounds(); ++round) {  // in turns: noise meets both
      SealedLink sealed;
      TlsLink tls(**server, client.get());
      for (auto& [name, link] : {std::pair<const char*, Link*>{"sealed", &sealed}, {"tls", &tls}}) {
        const auto more = times_us(*link, bytes, messages);
        times[name].insert(times[name].end(), more.begin(), more.end());
      }
    }
    for (auto& [name, all] : times) {
      std::sort(all.begin(), all.end());
      const std::string prefix = name + "_" + std::to_string(bytes);
      figures.add(prefix + "_p50_us", all[all.size() / 2], "us");
      figures.add(prefix + "_p99_us", all[all.size() * 99 / 100], "us");
    }
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("links", argc, argv, perigee::bench::links_suite);
}
