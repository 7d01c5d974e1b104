#include "bench/gateway/pipeline.hpp"

#include <vector>

#include "bench/doors/players.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/transport/client.hpp"

namespace perigee::bench {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::uint32_t clients = 64;
constexpr std::uint64_t unix_s = 1'800'000'000;
const Address gateway_address = Address::v4(203, 0, 113, 1, 40'000);
const Address worker_address = Address::v4(10, 0, 0, 10, 40'040);
Address player_address(std::size_t n) {
  return Address::v4(192, 168, 1, static_cast<std::uint8_t>(n), 5'000);
}

/// A core with one worker and 64 joined players, on virtual time.
class Pipeline : private gateway::Outputs {
 public:
  Pipeline() : core_(settings(), transport::system_random_bytes(), *this), players_(clients) {
    ClusterMap map{.cluster_id = 9, .version = 1};
    map.workers.push_back({.slot = WorkerSlot{0}, .fabric = worker_address, .alive = true});
    map.regions.push_back({.region = RegionId{100}, .epoch = Epoch{1}, .owner = WorkerSlot{0}});
    core_.on_map(now_us_, map);
    for (std::size_t n = 0; n < players_.size(); ++n) {
      players_[n].begin(now_us_,
                        player_token(n + 1, gateway_address, RegionId{100}, key(), unix_s));
    }
    while (core_.snapshot().playing < clients) pass_time(1'000);
    handshaking_ = false;
  }

  /// Each player's inputs of one second, sealed; then the cost of forwarding them.
  double ns_per_input() {
    constexpr std::size_t rounds = 32;  // below the burst that a client may send
    pass_time(1'000'000);
    std::vector<Bytes> datagrams;
    std::array<std::byte, 256> buffer;
    const Bytes frame(input_frame_bytes, std::byte{7});
    for (std::size_t i = 0; i < rounds * clients; ++i) {
      FrameWriter writer(buffer);
      writer.add(stream_owner, frame);
      players_[i % clients].send_payload(now_us_, writer.payload());
      const auto sealed = players_[i % clients].poll_send()->datagram;
      datagrams.emplace_back(sealed.begin(), sealed.end());
    }
    std::size_t i = 0;
    return ns_per_call(datagrams.size(), [&] {
      core_.on_client_datagram(now_us_, unix_s,
                               {player_address(i % clients), now_us_, {}, datagrams[i]});
      if (++i % clients == 0) core_.flush();
    });
  }

  double ns_per_snapshot() {
    constexpr std::size_t rounds = 32;
    std::vector<Bytes> datagrams;
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    const Bytes block(snapshot_block_bytes, std::byte{7});
    for (std::uint32_t i = 0; i < clients; ++i) {
      FabricWriter writer(buffer, {9, FabricSender::Worker, 0, i});
      writer.add(BlockRecord{sessions_[i], 0, block});
      datagrams.emplace_back(writer.datagram().begin(), writer.datagram().end());
    }
    std::size_t i = 0;
    return ns_per_call(rounds * clients, [&] {
      core_.on_fabric_datagram(now_us_, worker_address, datagrams[i % clients]);
      if (++i % clients != 0) return;
      now_us_ += 1'000;
      core_.advance(now_us_, unix_s);
    });
  }

 private:
  static transport::Key key() { return transport::Key{std::byte{1}}; }
  static gateway::CoreSettings settings() {
    gateway::CoreSettings settings;
    settings.transport.private_key = key();
    settings.transport.address = gateway_address;
    settings.transport.clients_max = clients;
    settings.transport.started_at_s = unix_s - 1'000;
    return settings;
  }
  void pass_time(Micros span_us) {
    now_us_ += span_us;
    for (std::size_t n = 0; n < players_.size(); ++n) {
      players_[n].advance(now_us_);
      while (const auto out = players_[n].poll_send()) {
        Bytes bytes(out->datagram.begin(), out->datagram.end());
        core_.on_client_datagram(now_us_, unix_s, {player_address(n), now_us_, {}, bytes});
      }
    }
    core_.advance(now_us_, unix_s);
    core_.flush();
  }
  void to_client(const Address& to, std::span<const std::byte> datagram) override {
    keep(datagram.back());
    if (!handshaking_) return;
    Bytes bytes(datagram.begin(), datagram.end());
    for (std::size_t n = 0; n < players_.size(); ++n) {
      if (player_address(n) == to) players_[n].receive(now_us_, gateway_address, bytes);
    }
  }
  void to_fabric(const Address&, std::span<const std::byte> datagram) override {
    keep(datagram.back());
    if (!handshaking_) return;
    FabricReader reader(datagram);
    while (const auto type = reader.next()) {
      JoinRecord join;
      if (*type == FabricRecord::Join && reader.read(join)) sessions_.push_back(join.session);
    }
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    for (const SessionId session : sessions_) {
      FabricWriter writer(buffer, {9, FabricSender::Worker, 0, 0});
      writer.add(JoinedRecord{session, 1});
      core_.on_fabric_datagram(now_us_, worker_address, writer.datagram());
    }
  }

  gateway::Core core_;
  std::vector<transport::Client> players_;
  std::vector<SessionId> sessions_;
  Micros now_us_ = 1'000'000;
  bool handshaking_ = true;
};

double ns_per_open(std::size_t body_bytes, std::size_t calls) {
  const transport::Key key{std::byte{3}};
  std::vector<std::array<std::byte, transport::datagram_bytes_max>> datagrams(calls);
  const Bytes body(body_bytes, std::byte{7});
  std::size_t size = 0;
  for (std::size_t i = 0; i < calls; ++i) {
    size = transport::seal_packet(transport::PacketType::Payload, 300, body, 1, key, datagrams[i]);
  }
  std::size_t i = 0;
  return ns_per_call(calls, [&] {
    const auto datagram = std::span(datagrams[i++]).first(size);
    transport::Drop why{};
    const auto head = transport::read_head(datagram, transport::Receiver::Server, why);
    keep(transport::open_packet(*head, datagram, 1, key));
  });
}

double ns_per_seal(std::size_t body_bytes, std::size_t calls) {
  const transport::Key key{std::byte{3}};
  const Bytes body(body_bytes, std::byte{7});
  std::array<std::byte, transport::datagram_bytes_max> out;
  std::uint64_t sequence = 300;
  return ns_per_call(calls, [&] {
    keep(transport::seal_packet(transport::PacketType::Payload, sequence++, body, 1, key, out));
  });
}

}  // namespace

void measure_pipeline(const Run& run, Figures& figures) {
  print_progress("the core without sockets");
  constexpr std::size_t calls = 2'048;
  Pipeline pipeline;
  std::vector<double> input, open, snapshot, seal;
  interleave(
      run.quick ? 2 : 25, [&] { input.push_back(pipeline.ns_per_input()); },
      [&] {
        open.push_back(
            ns_per_open(frame_header_bytes(input_frame_bytes) + input_frame_bytes, calls));
      },
      [&] { snapshot.push_back(pipeline.ns_per_snapshot()); },
      [&] { seal.push_back(ns_per_seal(snapshot_block_bytes, calls)); });
  for (const auto& [name, whole, crypto] :
       {std::tuple{"inputs", median(input), median(open)},
        std::tuple{"snapshots", median(snapshot), median(seal)}}) {
    figures.add(std::string(name) + "_core_ns", whole, "ns");
    figures.add(std::string(name) + "_crypto_ns", crypto, "ns");
    figures.add(std::string(name) + "_pipeline_ns", whole - crypto, "ns");
  }
}

}  // namespace perigee::bench
