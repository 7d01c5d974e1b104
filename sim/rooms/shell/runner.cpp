#include "runner.hpp"

#include <algorithm>
#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::rooms {
namespace {

std::uint64_t unix_now_s() { return static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000); }

/// As at a gateway: packets of sessions are read apart from everything else, which cannot fill
/// their buffer.
constexpr host::UdpShape session_shape{.bytes_min = 18,
                                       .low_nibble_min = 4,
                                       .low_nibble_max = 6,
                                       .high_nibble_min = 1,
                                       .high_nibble_max = 8};
constexpr host::UdpOptions handshake_udp{
    .kernel_buffer_bytes = 512 << 10, .send_queue_datagrams = 0, .turn_datagrams_max = 64};
/// All clients get their blocks in the same turn, up to four datagrams each.
constexpr std::size_t send_queue_per_client = 4;

RoomId running;

}  // namespace

const RoomId& running_room() { return running; }

Runner::Runner(host::Loop& loop, Exported& exported, RunnerOptions options)
    : loop_(loop), exported_(exported), options_(std::move(options)), timer_(loop, [this] {
        armed_us_ = 0;
        due_ = true;
        sessions_->receive_now();  // inputs that have arrived by now still count for these ticks
      }) {
  loop_.at_turn_end([this] { end_turn(); });
}

Runner::~Runner() = default;

Result<Ok> Runner::open() {
  host::UdpOptions udp{.send_queue_datagrams = send_queue_per_client * options_.host.clients_max};
  udp.gathering = host::inputs_gathering;
  const auto take = [this](auto datagrams) { on_datagrams(datagrams); };
  auto opened = host::UdpSocket::open_pair(loop_, options_.listen, session_shape, udp, take,
                                           handshake_udp, take);
  if (!opened) return opened.error();
  sessions_.emplace(std::move(opened->first));
  handshakes_.emplace(std::move(opened->second));
  host_.emplace(options_.host,
                Host::Needs{.stages = options_.stages,
                            .random = transport::system_random_bytes(),
                            .clock = host::Loop::clock_us,
                            .outputs = *this,
                            .store = open_store()},
                host::Loop::clock_us(), unix_now_s());
  due_ = true;
  return Ok{};
}

RecordStore Runner::open_store() {
  if (!options_.store) return {};
  store_.emplace(loop_, *options_.store, *options_.stages.front().game,
                 store_thread::StoreThread::Events{
                     .begun = [this] { store_begun_ = true; },
                     .stored = {},
                     .loaded = {},
                     .kept =
                         [this](std::uint64_t number, worker::Journalled became) {
                           host_->on_kept(host::Loop::clock_us(), number, became);
                           due_ = true;
                         },
                     .profile =
                         [this](std::uint64_t number, const worker::TakenProfile& profile) {
                           host_->on_profile(number, profile);
                           due_ = true;
                         }});
  store_->begin(rooms_in_store);
  return {.keep = [this](const worker::LastingRow& row) { store_->store(row); },
          .take = [this](std::uint64_t number,
                         std::uint64_t owner) { store_->take_profile(number, owner); }};
}

std::string_view Runner::not_ready_because() {
  if (!store_) return {};
  if (!store_begun_) return "the world store does not answer: see the log";
  return store_->behind() ? "the world store does not work: see the log" : "";
}

void Runner::on_datagrams(std::span<const host::Datagram> datagrams) {
  if (!host_) return;
  due_ = true;
  const Micros now_us = host::Loop::clock_us();
  for (const host::Datagram& datagram : datagrams) {
    host_->receive(now_us, datagram.received_us, datagram.from, datagram.bytes);
  }
}

void Runner::end_turn() {
  if (!host_) return;
  handshakes_->receive_noted();
  if (!due_) return;
  due_ = false;
  host_->advance(host::Loop::clock_us());
  const Micros next_us = std::max<Micros>(host_->next_deadline_us(), 1);
  if (armed_us_ != 0 && armed_us_ <= next_us) return;
  armed_us_ = next_us;
  timer_.at(armed_us_);
}

std::variant<RoomFigures, Refusal> Runner::create(RoomPlan plan) {
  const std::uint64_t before = host_->begun();
  const Micros began_us = host::Loop::clock_us();
  due_ = true;
  auto made = host_->create(began_us, std::move(plan));
  if (host_->begun() != before) exported_.on_created(host::Loop::clock_us() - began_us);
  if (const auto* refused = std::get_if<Refusal>(&made)) exported_.on_refused(*refused);
  return made;
}

std::variant<RoomFigures, Refusal> Runner::end(RoomId room) {
  due_ = true;
  auto ended = host_->end(host::Loop::clock_us(), room);
  if (const auto* refused = std::get_if<Refusal>(&ended)) exported_.on_refused(*refused);
  return ended;
}

std::variant<transport::ConnectToken, Refusal> Runner::invite(RoomId room,
                                                              const Invitation& invitation) {
  auto invited = host_->invite(host::Loop::clock_us(), room, invitation);
  if (const auto* refused = std::get_if<Refusal>(&invited)) {
    exported_.on_refused(*refused);
  } else {
    exported_.on_invited();
  }
  return invited;
}

std::optional<Refusal> Runner::remove_player(RoomId room, std::uint64_t player_id) {
  due_ = true;
  const auto refused = host_->remove_player(host::Loop::clock_us(), room, player_id);
  if (refused) exported_.on_refused(*refused);
  return refused;
}

void Runner::show() {
  const gateway::Core& door = host_->door();
  if (door.client_changes() != introduced_changes_) {
    introduced_changes_ = door.client_changes();
    sessions_->know_peers(door.client_addresses());
  }
  exported_.show(*host_, sessions_->counts(), handshakes_->counts());
  if (store_) exported_.show(store_->status());
  if (options_.slow_calls == nullptr) return;
  for (const world::SlowCall& slow : options_.slow_calls->take_unsent()) {
    host::log_warning("a function of the game took too long",
                      {{"function", std::string_view(slow.call.function)},
                       {"us", slow.took_us},
                       {"limit_us", options_.slow_calls->limit_us()}});
  }
}

void Runner::leave() {
  if (leaving_since_us_) return;
  leaving_since_us_ = host::Loop::clock_us();
  host_->refuse_rooms();
}

bool Runner::may_stop() const {
  if (!leaving_since_us_) return false;
  return host_->rooms() + host_->ending() == 0 ||
         host::Loop::clock_us() - *leaving_since_us_ >= options_.end_us_max;
}

void Runner::close() {
  host_->stop(host::Loop::clock_us());
  due_ = true;
}

void Runner::to_client(const Address& to, std::span<const std::byte> datagram) {
  sessions_->send(to, datagram);
}
void Runner::on_tick_begins(RoomId room) { running = room; }
void Runner::on_tick(Micros spent_us, Micros late_us) { exported_.on_tick(spent_us, late_us); }
void Runner::on_telemetry(const Telemetry& telemetry) { exported_.on_telemetry(telemetry); }

void Runner::on_began(const RoomFigures& room) {
  host::log_info("room began", {{"room", room.id.number},
                                {"key", room.plan.key},
                                {"stage", room.plan.stage},
                                {"label", room.plan.label},
                                {"players_max", room.plan.players_max}});
}

void Runner::on_ended(const RoomFigures& room) {
  exported_.on_ended(room.end_reason);
  host::log_info("room ended", {{"room", room.id.number},
                                {"label", room.plan.label},
                                {"reason", to_text(room.end_reason)},
                                {"game_reason", std::uint32_t{room.game_reason}},
                                {"seconds", room.ended_unix_s - room.began_unix_s},
                                {"tick_p99_us", room.tick_p99_us}});
  if (room.records_lost == 0) return;
  host::log_error("the world store did not take the records of a room in time; they are lost",
                  {{"room", room.id.number}, {"records", room.records_lost}});
}

void Runner::on_game_faults(RoomId room, const world::GameFaults::Unsent& faults) {
  const auto types = options_.stages.front().game->types();
  for (const world::GameFault& fault : faults) {
    const world::GameValueRow& row = world::row_of(fault.value);
    host::log_warning("the game returned an invalid value",
                      {{"room", room.number},
                       {"value", row.name},
                       {"kind", world::type_name(fault, types)},
                       {"entity", fault.entity},
                       {"tick", fault.tick.count},
                       {"field", fault.field},
                       {"place", world::place_text(fault)},
                       {"instead", row.instead}});
  }
}

}  // namespace perigee::rooms
