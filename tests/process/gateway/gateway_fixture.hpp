/// perigee-gateway as a process, between a real client and a worker and directory played by the
/// test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "perigee/base/fabric.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/telemetry.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/transport/user_data.hpp"
#include "process/child.hpp"

namespace perigee::process_test {

using Bytes = std::vector<std::byte>;
inline Bytes bytes_of(std::span<const std::byte> view) { return {view.begin(), view.end()}; }

class AGateway : public testing::Test {
 protected:
  static Address local(unsigned port) {
    return Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(port));
  }
  AGateway() {
    EXPECT_TRUE(transport::init_crypto());
    std::filesystem::create_directories(folder);
    worker_socket = host::UdpSocket::open(loop, local(base + 40), {}, [this](auto datagrams) {
                      for (const auto& datagram : datagrams) on_fabric(datagram);
                    }).value();
    client_socket = host::UdpSocket::open(loop, local(base + 20), {}, [this](auto datagrams) {
                      for (const auto& datagram : datagrams) on_client(datagram);
                    }).value();
  }
  ~AGateway() override {
    gateway.reset();
    directory.reset();  // before its folder, or it would create it again
    std::filesystem::remove_all(folder);
  }

  std::vector<std::string> command(const char* binary, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{binary, "--port-base", std::to_string(base), "--state-dir",
                                 folder};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// Tokens are made by the test: there is no session service from which to claim them.
  void start(std::vector<std::string> gateway_options = {}) {
    gateway_options.insert(gateway_options.end(), {"--gateway-session", "none"});
    directory.emplace(command(PERIGEE_DIRECTORY_BINARY,
                              {"--directory-workers", "1", "--directory-regions", "1",
                               "--directory-fabric-seal", "plain"}));  // the test has no keys
    ASSERT_TRUE(directory->says("ready")) << directory->output();
    member.emplace(loop,
                   host::DirectoryOptions{.target = "127.0.0.1:" + std::to_string(base + 11),
                                          .role = host::DirectoryRole::Worker,
                                          .name = "sim-0",
                                          .fabric = fabric_reach,
                                          .grpc = local(base + 21)},
                   host::DirectoryClient::Events{.map = [this](const auto& m) { map = m; }});
    gateway.emplace(command(PERIGEE_GATEWAY_BINARY, gateway_options));
    ASSERT_TRUE(run_until([&] {
      return member->ready() && map.workers.size() == 1 && map.gateways.size() == 1 &&
             map.regions.at(0).owner == WorkerSlot{0};
    }));
    ASSERT_TRUE(gateway->says("ready")) << gateway->output();
  }
  /// Runs the loop, client included, until `done` holds, for up to `patience`.
  template <class Done>
  bool run_until(Done done) {
    const Micros deadline_us = host::Loop::clock_us() + std::chrono::microseconds(patience).count();
    host::Timer poll(loop, [&] {
      client.advance(host::Loop::clock_us());
      send_client();
      if (done() || host::Loop::clock_us() > deadline_us) loop.stop();
    });
    poll.every(5'000);
    loop.run();
    return done();
  }
  void send_client() {
    while (const auto out = client.poll_send()) client_socket->send(out->to, out->datagram);
  }
  void on_client(const host::Datagram& datagram) {
    const auto payload = client.receive(host::Loop::clock_us(), datagram.from, datagram.bytes);
    if (!payload) return;
    FrameReader frames(payload->bytes);
    while (const auto frame = frames.next()) {
      if (frame->stream == stream_gateway) {
        echo = read_echo(frame->bytes);
      } else {
        blocks.push_back(bytes_of(frame->bytes));
      }
    }
  }
  void on_fabric(const host::Datagram& datagram) {
    FabricReader reader(datagram.bytes);
    while (const auto type = reader.next()) {
      JoinRecord join;
      InputRecord input;
      LeaveRecord leave;
      if (*type == FabricRecord::Join && reader.read(join)) {
        session = join.session;
        to_gateway(datagram.from, JoinedRecord{session, 1});
      } else if (*type == FabricRecord::Input && reader.read(input)) {
        inputs.push_back(bytes_of(input.frame));
        const Micros stamped_us = member->clock().directory_us(datagram.received_us);
        stamp_age = fine_between(input.received, fine_tick_at(map.time, stamped_us));
        to_gateway(datagram.from, BlockRecord{session, 0, input.frame});
      } else if (*type == FabricRecord::Leave && reader.read(leave)) {
        left = leave.session;
        to_gateway(datagram.from, LeftRecord{leave.session});
      }
    }
  }
  template <class Record>
  void to_gateway(const Address& to, const Record& record) {
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    FabricWriter writer(buffer, {map.cluster_id, FabricSender::Worker, 0, sequence++});
    ASSERT_TRUE(writer.add(record));
    worker_socket->send(to, writer.datagram());
  }
  void send_frames(StreamId stream, std::span<const std::byte> bytes) {
    std::array<std::byte, 200> buffer;
    FrameWriter writer(buffer);
    ASSERT_TRUE(writer.add(stream, bytes));
    ASSERT_TRUE(client.send_payload(host::Loop::clock_us(), writer.payload()));
  }
  transport::ConnectToken token(std::uint64_t client_id = 42) const {
    transport::ConnectTokenSpec spec;
    spec.create_time_s = static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000);
    spec.expire_time_s = spec.create_time_s + 30;
    spec.client_id = client_id;
    spec.public_addresses.push_back(map.gateways.at(0).public_udp);
    spec.server_addresses = spec.public_addresses;
    spec.user_data = transport::write_user_data(
        {.wire_version = wire_version, .home_region = map.regions.at(0).region});
    const auto keys =
        host::load_or_create_keys(std::filesystem::path(folder) / host::token_key_file);
    return transport::make_connect_token(spec, keys.value().current,
                                         transport::system_random_bytes())
        .value();
  }
  std::string get(const std::string& path) const { return http_get(base + 100, path); }
  /// Sum over all samples of the gateway with names that begin with `name`.
  double metric(const std::string& name) const {
    const std::string page = get("/metrics");
    double sum = 0;
    for (std::size_t at = page.find("\n" + name); at != std::string::npos;
         at = page.find("\n" + name, at + 1)) {
      sum += std::stod(page.substr(page.rfind(' ', page.find('\n', at + 1))));
    }
    return sum;
  }
  /// Connects, and joins the test's worker.
  void join() {
    ASSERT_TRUE(client.begin(host::Loop::clock_us(), token()));
    ASSERT_TRUE(run_until([&] { return client.connected() && session != 0; }));
  }
  /// An input goes up to the worker, which answers with a block that comes down.
  bool plays() {
    const std::size_t before = blocks.size();
    return run_until([&] {
      send_frames(stream_owner, Bytes(20, std::byte{7}));
      return blocks.size() >= before + 5;
    });
  }

  const unsigned base = free_port_base();
  Address fabric_reach = local(base + 40);  ///< address of the worker
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("perigee_gateway_" + std::to_string(getpid())))
          .string();
  host::Loop loop;
  std::optional<host::UdpSocket> worker_socket, client_socket;
  std::optional<Child> directory, gateway;
  std::optional<host::DirectoryClient> member;
  transport::Client client;
  ClusterMap map;
  std::uint32_t sequence = 0;
  SessionId session = 0, left = 0;
  std::vector<Bytes> inputs, blocks;
  std::optional<EchoFrame> echo;
  std::int32_t stamp_age = 0;
};

}  // namespace perigee::process_test
