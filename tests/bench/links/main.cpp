// bench_links: processor time of a message between two workers, from send() to its receiver, over
// loopback, with TLS and without. Both ends and their sockets run on one thread.
#include <openssl/crypto.h>
#include <stdlib.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <optional>
#include <vector>

#include "bench/common/suite.hpp"
#include "links.hpp"
#include "made_authority.hpp"
#include "perigee/host/secrets.hpp"

namespace {

/// Calls of this process for memory: of our code, and of OpenSSL.
struct Allocations {
  std::uint64_t ours = 0, of_openssl = 0;
};
Allocations allocations;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations.ours;
  void* const made = std::malloc(size);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
void operator delete(void* old) noexcept { std::free(old); }
void operator delete(void* old, std::size_t) noexcept { std::free(old); }

namespace perigee::bench {
namespace {

using Bytes = std::vector<std::byte>;

double us_since(std::int64_t began_ns) {
  return static_cast<double>(thread_time_ns() - began_ns) * 1e-3;
}

/// A certificate of a worker, for both ends.
struct Certificate {
  std::filesystem::path folder;
  std::unique_ptr<host::TlsServer> tls;

  Certificate() {
    std::string name = (std::filesystem::temp_directory_path() / "perigee-bench-XXXXXX").string();
    folder = mkdtemp(name.data());
    MadeAuthority("bench").write(folder, {});
    tls =
        host::TlsServer::open({folder / "tls.crt", folder / "tls.key", folder / "ca.crt", ""}, "h2")
            .value();
  }
  ~Certificate() { std::filesystem::remove_all(folder); }
};

/// Two workers' links. `tls`: null: plain.
class LinkedPair {
 public:
  explicit LinkedPair(const host::TlsServer* tls) {
    ClusterMap map;
    map.cluster_id = 7;
    for (std::uint16_t i = 0; i < 2; ++i) {
      ends_[i].emplace(loop_, peers::Links::Options{.tls = tls},
                       peers::Core::Events{.message =
                                               [this](WorkerSlot, auto message) {
                                                 carried_ = message.size();
                                                 loop_.stop();
                                               },
                                           .linked = [this](WorkerSlot) { count_linked(); },
                                           .lost = {}});
      const auto opened = ends_[i]->open(Address::v4(127, 0, 0, 1, 0));
      PERIGEE_ASSERT(opened.ok(), "a free port of loopback can be opened");
      map.workers.push_back({.slot = WorkerSlot{i},
                             .fabric = ends_[i]->local(),
                             .alive = true,
                             .incarnation = Incarnation{1}});
    }
    for (std::uint16_t i = 0; i < 2; ++i) ends_[i]->on_map(map, WorkerSlot{i});
    loop_.run();
  }
  struct Took {
    double sender_us = 0;  ///< in send()
    double all_us = 0;     ///< until its receiver has it
  };
  Took carry(std::span<const std::byte> message) {
    const std::int64_t began = thread_time_ns();
    ends_[0]->send(WorkerSlot{1}, message);
    const double sender_us = us_since(began);
    loop_.run();
    PERIGEE_ASSERT(carried_ == message.size(), "the message has arrived");
    return {sender_us, us_since(began)};
  }

 private:
  void count_linked() {
    if (++linked_ == 2) loop_.stop();
  }
  host::Loop loop_;
  std::array<std::optional<peers::Links>, 2> ends_;
  int linked_ = 0;
  std::size_t carried_ = 0;
};

struct Times {
  std::vector<double> sender_us, all_us;
  Allocations of_messages;
  std::uint64_t messages = 0;

  void measure(LinkedPair& pair, std::size_t bytes, int count) {
    Bytes message(bytes);
    host::fill_random(message);
    sender_us.reserve(sender_us.size() + static_cast<std::size_t>(count));
    all_us.reserve(sender_us.capacity());
    for (int i = 0; i < 100; ++i) pair.carry(message);  // buffers have their sizes after that
    const Allocations before = allocations;
    for (int i = 0; i < count; ++i) {
      const auto took = pair.carry(message);
      sender_us.push_back(took.sender_us);
      all_us.push_back(took.all_us);
    }
    of_messages.ours += allocations.ours - before.ours;
    of_messages.of_openssl += allocations.of_openssl - before.of_openssl;
    messages += static_cast<std::uint64_t>(count);
  }
  void add_to(Figures& figures, const std::string& prefix) {
    const auto add = [&](const std::string& name, std::vector<double>& all) {
      figures.add(prefix + name + "_p50_us", percentile(all, 0.5), "us");
      figures.add(prefix + name + "_p99_us", percentile(all, 0.99), "us");
    };
    add("", all_us);
    add("_sender", sender_us);
    const auto each = [&](std::uint64_t of) {
      return static_cast<double>(of) / static_cast<double>(messages);
    };
    figures.add(prefix + "_allocations", each(of_messages.ours), "per message");
    figures.add(prefix + "_openssl_allocations", each(of_messages.of_openssl), "per message");
  }
};

/// Of both ends, in memory.
struct HandshakeCost {
  double accepter_us = 0, dialler_us = 0;
};
HandshakeCost handshake_cost(const host::TlsServer& tls, int count) {
  HandshakeCost sum;
  for (int i = 0; i < count; ++i) {
    Bytes up, down, plain;
    std::int64_t began = thread_time_ns();
    const auto dialler =
        tls.begin_between(host::PeerRole::Member, host::TlsEnd::Client, "perigee-links");
    dialler->take_output(up);
    sum.dialler_us += us_since(began);
    began = thread_time_ns();
    const auto accepter =
        tls.begin_between(host::PeerRole::Member, host::TlsEnd::Server, "perigee-links");
    accepter->received(up, plain);
    accepter->take_output(down);
    sum.accepter_us += us_since(began);
    began = thread_time_ns();
    up.clear();
    dialler->received(down, plain);
    dialler->take_output(up);
    sum.dialler_us += us_since(began);
    began = thread_time_ns();
    accepter->received(up, plain);
    sum.accepter_us += us_since(began);
    PERIGEE_ASSERT(dialler->complete() && accepter->complete(), "both ends have proved their role");
  }
  return {sum.accepter_us / count, sum.dialler_us / count};
}

Result<Ok> links_suite(const Run& run, Figures& figures) {
  const Certificate made;
  const int messages = run.quick ? 200 : 4'000;
  const HandshakeCost cost = handshake_cost(*made.tls, run.quick ? 20 : 500);
  figures.add("handshake_accepter_us", cost.accepter_us, "us");
  figures.add("handshake_dialler_us", cost.dialler_us, "us");
  for (const std::size_t bytes : {std::size_t{200}, std::size_t{4'000}, std::size_t{100'000}}) {
    Times plain, encrypted;
    for (int round = 0; round < run.rounds(); ++round) {  // in turns: noise meets both
      LinkedPair without(nullptr), with(made.tls.get());
      plain.measure(without, bytes, messages);
      encrypted.measure(with, bytes, messages);
    }
    plain.add_to(figures, "plain_" + std::to_string(bytes));
    encrypted.add_to(figures, "tls_" + std::to_string(bytes));
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  CRYPTO_set_mem_functions(
      [](std::size_t size, const char*, int) {
        ++allocations.of_openssl;
        return std::malloc(size);
      },
      [](void* old, std::size_t size, const char*, int) {
        ++allocations.of_openssl;
        return std::realloc(old, size);
      },
      [](void* old, const char*, int) { std::free(old); });
  return perigee::bench::run_suite("links", argc, argv, perigee::bench::links_suite);
}
