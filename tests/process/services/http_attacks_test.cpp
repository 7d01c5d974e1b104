// Unauthenticated senders at the port for log-ins over HTTP: their data costs no player a log-in,
// and little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "http2_attacker.hpp"
#include "http_log_in.hpp"
#include "memory_group.hpp"
#include "session_fixture.hpp"

namespace perigee::process_test {
namespace {

constexpr std::uint64_t http_memory_bytes_max = 512ULL << 20U;  // as in deploy/compose.yml
constexpr std::uint64_t http_threads_max = 40;
constexpr const char* guess =
    R"({"playerName": "Mallory", "credential": "guess", "wireVersion": 2, "schemaHash": "77"})";

/// An attack from 127.0.0.2, repeated until `over`.
struct HttpAttack {
  const char* name;
  void (*run)(unsigned port, const std::atomic<bool>& over);
};

/// 1,000 connections at once that have sent `begin`, again and again.
void send_in_crowds(unsigned port, const std::string& begin, const std::atomic<bool>& over) {
  while (!over) {
    std::vector<RawClient> clients;
    for (int i = 0; i < 1'000 && !over; ++i) {
      RawClient client(port);
      if (client.open() && !begin.empty()) client.send_all(begin);
      clients.push_back(std::move(client));
    }
  }
}

void stay_idle(unsigned port, const std::atomic<bool>& over) { send_in_crowds(port, "", over); }

void send_complete_log_ins(unsigned port, const std::atomic<bool>& over) {
  send_in_crowds(port, http_request(guess), over);
}

void send_bodies_slowly(unsigned port, const std::atomic<bool>& over) {
  const std::string whole = http_request(guess);
  while (!over) {
    std::vector<RawClient> clients;
    for (int i = 0; i < 300; ++i) {
      clients.emplace_back(port);
      if (clients.back().open()) clients.back().send_all(whole.substr(0, whole.size() - 50));
    }
    for (std::size_t at = whole.size() - 50; at < whole.size() - 1 && !over; ++at) {
      for (RawClient& client : clients) {
        if (client.open()) client.send_all(whole.substr(at, 1));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

void send_garbage(unsigned port, const std::atomic<bool>& over) {
  std::string garbage;
  for (unsigned seed = 1; garbage.size() < 20'000; seed = seed * 1'664'525U + 1'013'904'223U) {
    garbage += static_cast<char>(seed >> 24U);
  }
  for (std::size_t at = 0; !over; at = (at + 7) % 10'000) {
    RawClient client(port);
    if (client.open()) client.send_all(std::string_view(garbage).substr(at, 10'000));
  }
}

void send_too_much(unsigned port, const std::atomic<bool>& over) {
  const std::string filling(100'000, 'x');
  const std::string heads[] = {
      "POST /v1/log_in HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: "
      "1000000000\r\n\r\n",
      "POST /v1/log_in HTTP/1.1\r\nX: ", http_request(guess)};
  for (std::size_t i = 0; !over; ++i) {
    RawClient client(port);
    if (!client.open() || !client.send_all(heads[i % std::size(heads)])) continue;
    for (int piece = 0; piece < 20 && !over && client.send_all(filling); ++piece) {
    }
  }
}

void send_many_requests_at_once(unsigned port, const std::atomic<bool>& over) {
  std::string many;
  for (int i = 0; i < 100; ++i) many += http_request(guess);
  send_in_crowds(port, many, over);
}

void close_halves(unsigned port, const std::atomic<bool>& over) {
  const std::string whole = http_request(guess);
  while (!over) {
    std::vector<RawClient> clients;
    for (std::size_t i = 0; i < 1'000 && !over; ++i) {
      RawClient client(port);
      if (client.open()) {
        client.send_all(std::string_view(whole).substr(0, 1 + i % whole.size()));
        client.close_half();
      }
      clients.push_back(std::move(client));
    }
  }
}

constexpr HttpAttack http_attacks[] = {
    {"IdleCrowd", stay_idle},           {"LogInsNotRead", send_complete_log_ins},
    {"SlowBodies", send_bodies_slowly}, {"Garbage", send_garbage},
    {"TooMuch", send_too_much},         {"ManyRequestsAtOnce", send_many_requests_at_once},
    {"ClosedHalves", close_halves}};

class AnAttackOnHttp : public ARunningSession, public testing::WithParamInterface<HttpAttack> {
 protected:
  /// From an address without attackers.
  HttpReply member_logs_in(const std::string& name) {
    auto request = ada();
    request.set_player_name(name);
    const auto begin = std::chrono::steady_clock::now();
    const HttpReply reply = http_log_in(base + 13, request);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    slowest_ms = std::max(slowest_ms, took.count());
    return reply;
  }
  /// The number of refusals and dropped connections until now.
  std::uint64_t refused() const {
    std::istringstream lines(http_get(base + 101, "/metrics"));
    std::uint64_t sum = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("perigee_session_http_") || line.find("2xx") != std::string::npos)
        continue;
      sum += std::stoull(line.substr(line.rfind(' ')));
    }
    return sum;
  }

  double slowest_ms = 0;
};

TEST_P(AnAttackOnHttp, CostsNoPlayerALogInAndLittleMemory) {
  MemoryGroup group(http_memory_bytes_max, http_threads_max);
  if (!group.add(service->pid())) GTEST_SKIP() << "no limit of memory can be set here";
  logged_in();
  ASSERT_EQ(member_logs_in("Bea").status, 200);
  const std::uint64_t idle_kb = status_of(service->pid(), "VmRSS");
  std::atomic<bool> over = false;
  std::thread attacker([&] { GetParam().run(base + 13, over); });
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const HttpReply reply = member_logs_in("Ada " + std::to_string(i));
    EXPECT_EQ(reply.status, 200) << i << ": " << reply.body;
  }
  EXPECT_TRUE(comes([&] { return refused() >= 300; })) << "it was no attack";
  over = true;
  attacker.join();
  const std::uint64_t peak_kb = status_of(service->pid(), "VmHWM");
  std::printf("  idle %.1f MB, peak %.1f MB, slowest log-in %.0f ms, %llu refused and dropped\n",
              static_cast<double>(idle_kb) / 1e3, static_cast<double>(peak_kb) / 1e3, slowest_ms,
              static_cast<unsigned long long>(refused()));
  EXPECT_GT(peak_kb, 0U) << "it has ended";
  EXPECT_LE(status_of(service->pid(), "Threads"), http_threads_max);
  if (slowness == 1) {
    EXPECT_LE(peak_kb, 2 * idle_kb);  // sanitizers keep freed memory
  }
  EXPECT_EQ(member_logs_in("Eve").status, 200) << "and afterwards";
}

INSTANTIATE_TEST_SUITE_P(By, AnAttackOnHttp, testing::ValuesIn(http_attacks),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace perigee::process_test
