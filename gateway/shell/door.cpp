#include "door.hpp"

#include <algorithm>
#include <utility>

#include "perigee/host/log.hpp"

namespace perigee::gateway {
namespace {

std::uint64_t unix_s() { return static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000); }

/// Four payloads per flush to a thousand clients within one turn.
constexpr std::size_t send_queue_datagrams = 4'096;

/// The form of session packets: keep-alive, payload and goodbye with 1 to 8 bytes of sequence. Such
/// packets from addresses of clients are read from a separate socket, which unauthenticated senders
/// cannot fill.
constexpr host::UdpShape session_shape{.bytes_min = 18,
                                       .low_nibble_min = 4,
                                       .low_nibble_max = 6,
                                       .high_nibble_min = 1,
                                       .high_nibble_max = 8};
/// Handshakes are read after everything else, and take at most 64 x 2 us of a turn, forged or not.
/// Those that wait longer than a few milliseconds are dropped by the kernel, and repeated by the
/// client.
constexpr host::UdpOptions handshake_udp{
    .kernel_buffer_bytes = 512 << 10, .send_queue_datagrams = 0, .turn_datagrams_max = 64};

}  // namespace

Door::Door(host::Loop& loop, Exported& exported, const DoorOptions& options)
    : loop_(loop),
      exported_(exported),
      options_(options),
      seal_(FabricSender::Gateway, host::random_u64() | 1U, options.plain_epochs),
      timer_(loop, [this] {
        armed_us_ = 0;
        if (core_) core_->advance(host::Loop::clock_us(), unix_s());
      }) {
  options_.core.transport.address = options_.public_udp;
  options_.core.transport.started_at_s = unix_s();
  options_.core.transport.claims = !options_.session.empty();
  if (options_.tracer != nullptr) {
    spans_.emplace(
        [tracer = options_.tracer](tracing::Span span) { tracer->record(std::move(span)); });
  }
  loop_.at_turn_end([this] { end_turn(); });
}

Door::~Door() = default;

Result<Ok> Door::open() {
  if (const auto crypto = fabric_seal::init_crypto(); !crypto) return crypto.error();
  const host::UdpOptions udp{.send_queue_datagrams = send_queue_datagrams};
  host::UdpOptions session_udp = udp;
  if (options_.busy_poll_us == 0) {  // a loop that does not sleep saves nothing by waiting
    session_udp.gathering = host::inputs_gathering;
  }
  const auto on_datagrams = [this](auto datagrams) {
    on_clients(datagrams, &Core::on_client_datagram);
  };
  auto outside = host::UdpSocket::open_pair(loop_, options_.listen, session_shape, session_udp,
                                            on_datagrams, handshake_udp, on_datagrams);
  if (!outside) return outside.error();
  if (options_.door_listen) {
    auto doors = host::UdpSocket::open(
        loop_, *options_.door_listen, session_udp,
        [this](auto datagrams) { on_clients(datagrams, &Core::on_door_datagram); });
    if (!doors) return doors.error();
    doors_.emplace(std::move(*doors));
  }
  host::UdpOptions fabric_udp = udp;
  fabric_udp.stamps = false;  // arrival times of blocks are not used
  // Blocks are coalesced anyway: first in the kernel, so that one turn serves many clients.
  fabric_udp.gathering.longest_us = options_.core.coalesce_us / 4;
  options_.core.coalesce_us -= fabric_udp.gathering.longest_us;
  auto fabric = host::UdpSocket::open(loop_, options_.fabric, fabric_udp,
                                      [this](auto datagrams) { on_workers(datagrams); });
  if (!fabric) return fabric.error();
  outside_.emplace(std::move(outside->first));
  handshakes_.emplace(std::move(outside->second));
  loop_.stay_awake(options_.busy_poll_us);
  fabric_.emplace(std::move(*fabric));
  directory_.emplace(
      loop_,
      host::DirectoryOptions{.target = options_.directory,
                             .role = host::DirectoryRole::Gateway,
                             .name = options_.name,
                             .fabric = options_.fabric_reach,
                             .grpc = options_.grpc_reach,
                             .public_udp = options_.public_udp,
                             .fabric_run = seal_.run(),
                             .tls = options_.tls},
      host::DirectoryClient::Events{
          .registered = [this](const auto& registration) { on_registered(registration); },
          .map = [this](const auto& map) { on_map(map); },
          .fabric_keys = [this](const auto& keys) { seal_.on_keys(keys); }});
  if (!options_.session.empty()) link_session();
  return Ok{};
}

bool Door::ready() const { return core_ && directory_->ready(); }

std::string_view Door::not_ready_because() const {
  if (closing_since_us_) return "stopping: players move to another gateway";
  if (!directory_->refused_because().empty()) return directory_->refused_because();
  if (!ready()) return "waiting for the directory, its map and its clock";
  return seal_.not_ready_because();
}

void Door::set_keys(const host::BackendKeys& keys) {
  options_.core.transport.private_key = keys.current;
  options_.core.transport.previous_key = keys.previous;
  if (core_) core_->set_keys(keys.current, keys.previous);
}

void Door::set_door_keys(const host::BackendKeys& keys) {
  options_.core.door_keys = {keys.current, keys.previous};
  if (core_) core_->set_door_keys(*options_.core.door_keys);
}

/// Until a new client has been introduced, its packets are read with the handshakes.
void Door::introduce_clients() {
  if (!core_ || core_->client_changes() == introduced_changes_) return;
  introduced_changes_ = core_->client_changes();
  outside_->know_peers(core_->client_addresses());
}

void Door::show() {
  introduce_clients();
  if (core_) exported_.show(core_->snapshot());
  exported_.show(outside_->counts(), handshakes_->counts(), fabric_->counts());
  exported_.show(seal_);
  if (doors_) exported_.show_doors(doors_->counts());
  exported_.show_awake(host::Loop::clock_us(), loop_.awake_us());
  if (session_) exported_.show(session_->counts());
  if (directory_->clock().ready()) exported_.show_clock_error(directory_->clock().error_us());
  exported_.flush();
}

void Door::prepare_to_close() {
  closing_since_us_ = host::Loop::clock_us();
  if (session_ && core_) core_->prepare_farewell(*closing_since_us_);
}

bool Door::may_close() const {
  if (!closing_since_us_) return false;
  if (!session_ || !core_ || core_->could_all_come_back()) return true;
  return host::Loop::clock_us() - *closing_since_us_ >= options_.drain_us_max;
}

void Door::close() {
  closed_ = true;
  if (core_) core_->disconnect_all(host::Loop::clock_us());
}

void Door::on_registered(const host::Registration& registration) {
  host::log_info("registered", {{"slot", std::uint32_t{registration.slot}},
                                {"cluster_id", registration.cluster_id}});
  seal_.identify(registration.slot);
  const GatewaySlot slot{registration.slot};
  if (core_ && core_->settings().slot == slot) return;
  if (core_) {
    // Session ids contain the slot: another gateway uses those of the old slot from now on.
    host::log_warning("the directory assigned another slot: disconnecting all clients");
    core_->disconnect_all(host::Loop::clock_us());
    exported_.show(core_->snapshot());
    exported_.on_new_core();
    introduced_changes_ = 0;
  }
  options_.core.slot = slot;
  core_.emplace(options_.core, transport::system_random_bytes(), static_cast<Outputs&>(*this));
  core_->on_map(host::Loop::clock_us(), map_);
}

void Door::on_map(const ClusterMap& map) {
  map_ = map;
  seal_.on_map(map_);
  if (core_) core_->on_map(host::Loop::clock_us(), map_);
}

void Door::on_clients(std::span<const host::Datagram> datagrams, OnDatagram take) {
  if (closed_) return;   // a client that dials again must reach the next gateway, not this one
  if (!ready()) return;  // without a clock there are no stamps, without a map no workers
  const Micros now_us = host::Loop::clock_us();
  const std::uint64_t now_s = unix_s();
  for (const host::Datagram& datagram : datagrams) {
    if (first_received_us_ == 0) first_received_us_ = datagram.received_us;
    const Micros directory_us = directory_->clock().directory_us(datagram.received_us);
    ((*core_).*take)(now_us, now_s,
                     {datagram.from, datagram.received_us, fine_tick_at(map_.time, directory_us),
                      datagram.bytes});
  }
}

void Door::on_workers(std::span<const host::Datagram> datagrams) {
  if (!core_) return;
  const Micros now_us = host::Loop::clock_us();
  for (const host::Datagram& datagram : datagrams) {
    const auto opened = seal_.open(datagram.from, datagram.bytes);
    if (opened) core_->on_fabric_datagram(now_us, datagram.from, *opened);
  }
}

void Door::end_turn() {
  handshakes_->receive_noted();
  if (!core_) return;
  core_->flush();
  fabric_->flush();
  if (first_received_us_ != 0) {
    exported_.on_turn(std::max<Micros>(host::Loop::clock_us() - first_received_us_, 0));
    first_received_us_ = 0;
  }
  const Micros deadline_us = core_->next_deadline();
  if (armed_us_ != 0 && armed_us_ <= deadline_us) return;
  armed_us_ = std::max<Micros>(deadline_us, 1);
  timer_.at(armed_us_);
}

void Door::to_client(const Address& to, std::span<const std::byte> datagram) {
  outside_->send(to, datagram);
}
void Door::to_door(const Address& path, std::span<const std::byte> datagram) {
  doors_->send(path, datagram);
}
void Door::to_fabric(const Address& to, std::span<const std::byte> datagram) {
  const auto sealed = seal_.seal(to, datagram);
  if (!sealed.empty()) fabric_->send(to, sealed);
}
// A block contains the state at the end of the tick before the one in its header.
void Door::on_own_block(Tick tick, Micros received_us, Micros sent_us) {
  const Micros began_us = tick_start_us(map_.time, tick - 1);
  exported_.on_own_block(directory_->clock().directory_us(received_us) - began_us,
                         sent_us - received_us);
}
void Door::on_telemetry(const Telemetry& telemetry) { exported_.on_telemetry(telemetry); }

}  // namespace perigee::gateway
