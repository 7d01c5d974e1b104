// Unauthenticated senders at the gRPC ports: their data costs no member a call, and little memory.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "http2_attacker.hpp"
#include "memory_group.hpp"
#include "session_fixture.hpp"

namespace perigee::process_test {
namespace {

using namespace http2;

constexpr std::uint64_t memory_bytes_max = 512ULL << 20U;  // as in deploy/compose.yml
constexpr const char* log_in_path = "/perigee.session.v1.Session/LogIn";
constexpr std::uint32_t first_stream = 1;
constexpr std::uint32_t calls_per_connection = 16;  // all ports allow as many

/// An attack on `port`, repeated until `over`. `path`: a method that is served there.
struct Attack {
  const char* name;
  void (*run)(unsigned port, const std::string& path, const std::atomic<bool>& over);
};

// Half a gigabyte when decompressed.
void send_packed_messages(unsigned port, const std::string& path, const std::atomic<bool>& over) {
  const std::string packed = zeros_in_gzip(500'000'000);
  while (!over) {
    RawClient client(port);
    client.send_all(preface() + call(first_stream, path, "gzip"));
    client.send_in_windows(message(first_stream, packed, true), over);
  }
}

void send_endless_headers(unsigned port, const std::string& path, const std::atomic<bool>& over) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (int i = 0; i < 120; ++i)
    fields.emplace_back("x-" + std::to_string(i), std::string(120, 'x'));
  const std::string filling = header_block(fields);
  while (!over) {
    RawClient client(port);
    client.send_all(preface() + frame(headers, 0, first_stream, header_block({{":path", path}})));
    for (int i = 0; i < 16'000 && !over; ++i) {
      if (!client.send_all(frame(continuation, 0, first_stream, filling))) break;
    }
  }
}

void open_streams_without_end(unsigned port, const std::string& path,
                              const std::atomic<bool>& over) {
  while (!over) {
    RawClient client(port);
    client.send_all(preface());
    for (std::uint32_t i = 0; i < 2'000 && !over; ++i) {
      const bool reflection = i % 2 == 0;
      if (!client.send_all(call(2 * i + 1, reflection ? "/grpc.reflection.v1alpha.ServerReflection/"
                                                        "ServerReflectionInfo"
                                                      : path))) {
        break;
      }
      client.drain();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

// The first byte of a name of 10 bytes.
void half_send_requests(unsigned port, const std::string& path, const std::atomic<bool>& over) {
  const std::string half = std::string(
      "\0\0\0\0\x0c\x0a\x0a"
      "A",
      8);
  while (!over) {
    std::vector<RawClient> clients;
    for (int i = 0; i < 1'250 && !over; ++i) {
      RawClient client(port);
      std::string bytes = preface();
      for (std::uint32_t s = 0; s < calls_per_connection; ++s) {
        bytes += call(2 * s + 1, path) + frame(data, 0, 2 * s + 1, half);
      }
      client.send_all(bytes);
      clients.push_back(std::move(client));
    }
  }
}

void give_up_calls(unsigned port, const std::string& path, const std::atomic<bool>& over) {
  const std::string cancel("\0\0\0\x08", 4);
  while (!over) {
    RawClient client(port);
    client.send_all(preface());
    for (std::uint32_t i = 0; i < 20'000 && !over; ++i) {
      const std::uint32_t stream = 2 * i + 1;
      if (!client.send_all(call(stream, path) + message(stream, "") +
                           frame(rst_stream, 0, stream, cancel))) {
        break;
      }
      client.drain();
    }
  }
}

void read_no_answers(unsigned port, const std::string& path, const std::atomic<bool>& over) {
  while (!over) {
    std::vector<RawClient> clients;
    for (int i = 0; i < 300 && !over; ++i) {
      RawClient client(port);
      client.send_all(preface(false));
      for (std::uint32_t s = 0; s < calls_per_connection; ++s) {
        const std::uint32_t stream = 2 * s + 1;
        const bool health = s % 2 == 0;
        client.send_all(call(stream, health ? "/grpc.health.v1.Health/Check" : path) +
                        message(stream, ""));
      }
      clients.push_back(std::move(client));
    }
  }
}

void ping_without_end(unsigned port, const std::string&, const std::atomic<bool>& over) {
  std::string many;
  for (int i = 0; i < 500; ++i) many += frame(ping, 0, 0, "12345678") + frame(settings, 0, 0, "");
  while (!over) {
    RawClient client(port);
    client.send_all(preface());
    while (!over && client.send_all(many)) {
    }
  }
}

void connect_in_crowds(unsigned port, const std::string&, const std::atomic<bool>& over) {
  while (!over) {
    std::vector<RawClient> clients;
    for (int i = 0; i < 1'500 && !over; ++i) {
      RawClient client(port);
      if (i % 2 == 0) client.send_all(preface());
      clients.push_back(std::move(client));
    }
  }
}

constexpr Attack attacks[] = {
    {"PackedMessages", send_packed_messages},  {"EndlessHeaders", send_endless_headers},
    {"OpenStreams", open_streams_without_end}, {"HalfSentRequests", half_send_requests},
    {"CallsGivenUp", give_up_calls},           {"AnswersNotRead", read_no_answers},
    {"PingsWithoutEnd", ping_without_end},     {"CrowdsOfConnections", connect_in_crowds}};

/// A port of a process, and a method that a member calls there.
struct Port {
  const char* name;
  unsigned offset;
  const char* path;
  std::uint64_t threads_max;
  /// Peak of the process's memory, as a multiple of what it has without attacks. The directory has
  /// connections for 2,048 members, of up to 24 kB each.
  std::uint64_t growth_max;
};
constexpr Port ports[] = {
    {"Players", 10, log_in_path, 40, 2},
    {"Control", 12, "/perigee.session.v1.SessionControl/ListSessions", 200, 2},
    {"Directory", 11, "/perigee.directory.v1.Directory/ListMap", 60, 4}};

class AnAttack : public ARunningSession,
                 public testing::WithParamInterface<std::tuple<Port, Attack>> {
 protected:
  const Port& port() const { return std::get<0>(GetParam()); }
  const Child& attacked() const { return port().offset == 11 ? *directory : *service; }

  /// On its own connection, from an address without attackers.
  grpc::Status member_calls(const std::string& name) {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto channel =
        grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(base + port().offset),
                                  grpc::InsecureChannelCredentials(), own);
    PatientCall context;
    if (port().offset == 11) {
      directory::v1::ClusterMap map;
      return directory::v1::Directory::NewStub(channel)->ListMap(&context, {}, &map);
    }
    if (port().offset == 12) {
      session::v1::ListSessionsReply list;
      return session::v1::SessionControl::NewStub(channel)->ListSessions(&context, {}, &list);
    }
    auto request = ada();
    request.set_player_name(name);
    session::v1::LogInReply reply;
    return session::v1::Session::NewStub(channel)->LogIn(&context, request, &reply);
  }
};

TEST_P(AnAttack, CostsNoMemberACallAndLittleMemory) {
  MemoryGroup group(memory_bytes_max, port().threads_max);
  if (!group.add(attacked().pid())) GTEST_SKIP() << "no limit of memory can be set here";
  logged_in();
  ASSERT_TRUE(member_calls("Bea").ok());
  const std::uint64_t idle_kb = status_of(attacked().pid(), "VmRSS");
  std::atomic<bool> over = false;
  std::thread attacker(
      [&] { std::get<1>(GetParam()).run(base + port().offset, port().path, over); });
  std::uint64_t threads = 0;
  std::thread observer([&] {
    for (; !over; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      threads = std::max(threads, status_of(attacked().pid(), "Threads"));
    }
  });
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const grpc::Status status = member_calls("Ada " + std::to_string(i));
    EXPECT_TRUE(status.ok()) << i << ": " << status.error_message();
  }
  over = true;
  attacker.join();
  observer.join();
  const std::uint64_t peak_kb = status_of(attacked().pid(), "VmHWM");
  std::printf("  idle %.1f MB, peak %.1f MB, %u threads\n", static_cast<double>(idle_kb) / 1e3,
              static_cast<double>(peak_kb) / 1e3, static_cast<unsigned>(threads));
  EXPECT_GT(peak_kb, 0U) << "it has ended";
  EXPECT_LE(threads, port().threads_max);
  if (slowness == 1) {
    EXPECT_LE(peak_kb, port().growth_max * idle_kb);  // sanitizers keep freed memory
  }
  EXPECT_TRUE(member_calls("Eve").ok()) << "and afterwards";
}

INSTANTIATE_TEST_SUITE_P(OnAPort, AnAttack,
                         testing::Combine(testing::ValuesIn(ports), testing::ValuesIn(attacks)),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param).name) +
                                  std::get<1>(of.param).name;
                         });

}  // namespace
}  // namespace perigee::process_test
