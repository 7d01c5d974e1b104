#include "perigee/lab/virtual_cluster.hpp"

#include "perigee/netcode/hash.hpp"
#include "perigee/session/sqlite_store.hpp"

namespace perigee::lab {
namespace {

constexpr Micros start_us = 10'000'000;
constexpr Micros unix_start_us = 1'800'000'000'000'000;
constexpr Micros session_delay_us = 2'000;  // a call and its answer, with the disk
constexpr Micros fabric_delay_us = 100;

constexpr Address gateway_public = Address::v4(10, 0, 0, 1, 40000);
constexpr Address gateway_fabric = Address::v4(10, 0, 1, 1, 40030);
constexpr Address worker_fabric(std::uint32_t index) {
  return Address::v4(10, 0, 1, static_cast<std::uint8_t>(10 + index), 40040);
}
constexpr Address client_address(std::uint32_t number) {
  return Address::v4(10, 1, static_cast<std::uint8_t>(number / 200),
                     static_cast<std::uint8_t>(1 + number % 200), 50000);
}

/// How late an input may come and still count.
Micros window_us(const ClusterOptions& options) {
  const bool rollback = options.client.techniques.value_or(Techniques{}).rollback;
  return rollback ? options.worker.inputs.window_ticks * 1'000'000 / default_tick_rate_hz : 0;
}

using Bytes = std::vector<std::byte>;
Bytes copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

class VirtualCluster::GatewayOutputs final : public gateway::Outputs {
 public:
  explicit GatewayOutputs(VirtualCluster& cluster) : cluster_(cluster) {}
  void to_client(const Address& to, std::span<const std::byte> bytes) override {
    cluster_.gateway_sends(to, bytes);
  }
  void to_fabric(const Address& to, std::span<const std::byte> bytes) override {
    cluster_.to_fabric(gateway_fabric, to, bytes, 0);
  }
  void claim(const transport::ClaimRequest& request) override { cluster_.claim(request); }
  void want_resume_token(std::uint64_t client_id) override {
    cluster_.send_resume_token(client_id);
  }
  void released(std::uint64_t client_id, gateway::Release how) override {
    const auto released = cluster_.session_->release(
        cluster_.unix_us(), client_id, cluster_.gateway_life_,
        how == gateway::Release::Left ? session::SessionState::Left : session::SessionState::Lost);
    PERIGEE_ASSERT(released.ok(), "a store in memory");
  }
  void on_own_block(Tick tick, Micros received_us, Micros sent_us) override {
    const Micros began_us = tick_start_us(cluster_.directory_->map().time, tick - 1);
    cluster_.stages_.tick_to_gateway_us.push_back(static_cast<double>(received_us - began_us));
    cluster_.stages_.hold_us.push_back(static_cast<double>(sent_us - received_us));
  }
  void on_techniques(std::uint64_t client_id, std::uint64_t order,
                     const Techniques& techniques) override {
    cluster_.orders_.answered(order, client_id, to_text(techniques, " "));
  }

 private:
  VirtualCluster& cluster_;
};

VirtualCluster::VirtualCluster(const ClusterOptions& options, const world::GameModule& game,
                               const Pilot& pilot)
    : options_(options) {
  if (options_.records) {
    options_.worker.recorder.emplace();
    options_.client.recorder.emplace();
  }
  const auto crypto = transport::init_crypto();
  PERIGEE_ASSERT(crypto.ok(), "libsodium starts");
  queue_.run_until(start_us);
  random_ = mix64(options_.seed, std::uint64_t{0xc1});
  for (std::byte& b : key_) b = static_cast<std::byte>(random_ = mix64(random_));
  start_directory();
  start_gateway();
  start_workers(game);
  start_players(game, pilot);
}

VirtualCluster::~VirtualCluster() = default;

Micros VirtualCluster::unix_us() const { return unix_start_us + queue_.now_us(); }
transport::RandomBytes VirtualCluster::random_bytes() {
  return [this](std::span<std::byte> out) {
    for (std::byte& b : out) b = static_cast<std::byte>(random_ = mix64(random_));
  };
}
FineTick VirtualCluster::fine_now() const {
  return fine_tick_at(directory_->map().time, queue_.now_us());
}
Micros VirtualCluster::local_us(const VirtualPlayer& player) const {
  return player.clock_offset_us +
         static_cast<Micros>(static_cast<double>(queue_.now_us()) * player.clock_rate);
}

void VirtualCluster::start_directory() {
  directory::CoreSettings settings;
  settings.workers = options_.workers;
  settings.regions = options_.workers;
  directory_ = std::make_unique<directory::Core>(
      settings, static_cast<std::uint32_t>(mix64(options_.seed) | 1U), queue_.now_us());
  sessions_ = std::move(session::SqliteStore::open(":memory:")).value();
  session_ = std::make_unique<session::Core>(session::CoreSettings{}, key_, secret_, *sessions_,
                                             random_bytes());
}

void VirtualCluster::start_gateway() {
  const auto granted =
      directory_->register_gateway(queue_.now_us(), {"gateway-0", gateway_fabric, gateway_public});
  PERIGEE_ASSERT(std::holds_alternative<directory::Grant>(granted), "the gateway is admitted");

  gateway::CoreSettings door;
  door.slot = std::get<directory::Grant>(granted).slot;
  door.transport.private_key = key_;
  door.transport.address = gateway_public;
  door.transport.clients_max = std::max(16U, options_.players + 4);
  door.transport.gateway_number = door.slot;
  door.transport.started_at_s = unix_s();
  door.transport.claims = true;
  ++gateway_life_;
  gateway_outputs_ = std::make_unique<GatewayOutputs>(*this);
  gateway_ = std::make_unique<gateway::Core>(door, random_bytes(), *gateway_outputs_);
}

void VirtualCluster::restart_gateway(Micros away_us) {
  gateway_.reset();
  queue_.after(away_us, [this] {
    start_gateway();
    gateway_->on_map(queue_.now_us(), directory_->map());
  });
}

void VirtualCluster::claim(const transport::ClaimRequest& request) {
  const auto outcome = session_->claim(unix_us(), {.tag = request.token_tag,
                                                   .client_id = request.client_id,
                                                   .issue = request.issue,
                                                   .expires_s = request.expire_time_s,
                                                   .gateway_instance = gateway_life_,
                                                   .handshake = request.claim_id});
  PERIGEE_ASSERT(outcome.ok(), "a store in memory");
  queue_.after(session_delay_us, [this, life = gateway_life_, id = request.claim_id,
                                  granted = *outcome == session::ClaimOutcome::Granted] {
    using Answer = transport::Server::ClaimAnswer;
    if (!gateway_ || life != gateway_life_) return;
    gateway_->on_claim(queue_.now_us(), id, granted ? Answer::Granted : Answer::Refused);
    gateway_->flush();
  });
}

void VirtualCluster::send_resume_token(std::uint64_t client_id) {
  const auto answer = session_->issue_resume(unix_us(), client_id, directory_->map());
  const auto* resume = std::get_if<session::ResumeToken>(&answer);
  if (resume == nullptr) return;
  queue_.after(session_delay_us, [this, client_id, token = resume->token] {
    if (gateway_) gateway_->on_resume_token(queue_.now_us(), client_id, token);
  });
}

std::variant<std::uint64_t, session::OrderRefused> VirtualCluster::order(
    const session::SessionName& name, std::string_view settings) {
  if (auto refused = session::refuse_settings(settings)) return *refused;
  const auto sessions = session_->named(name);
  PERIGEE_ASSERT(sessions.ok(), "a store in memory");
  const auto opened = orders_.open(unix_us(), *sessions);
  if (const auto* id = std::get_if<std::uint64_t>(&opened)) {
    queue_.after(session_delay_us, [this, order = *read_order(settings), id = *id] {
      if (!gateway_) return;
      for (const std::uint64_t client_id : orders_.clients(id)) {
        gateway_->order_techniques(queue_.now_us(), client_id, id, order);
      }
    });
  }
  return opened;
}

void VirtualCluster::start_workers(const world::GameModule& game) {
  for (std::uint32_t i = 0; i < options_.workers; ++i) {
    directory::WorkerIntroduction self;
    self.name = "sim-" + std::to_string(i);
    self.fabric = worker_fabric(i);
    self.grpc = Address::v4(10, 0, 1, static_cast<std::uint8_t>(10 + i), 40020);
    self.schema_hash = game.schema_hash();
    const auto granted = directory_->register_worker(queue_.now_us(), self);
    PERIGEE_ASSERT(std::holds_alternative<directory::Grant>(granted), "the worker is admitted");
    auto worker = std::make_unique<Worker>();
    worker->fabric = self.fabric;
    Worker* raw = worker.get();
    worker->core = std::make_unique<worker::Core>(
        options_.worker, game, std::get<directory::Grant>(granted).slot,
        [this, raw](const Address& to, std::span<const std::byte> bytes) {
          to_fabric(raw->fabric, to, bytes, raw->in_tick ? options_.tick_cost_us : 0);
        });
    workers_.push_back(std::move(worker));
  }
  directory_->advance(queue_.now_us());
  spread_map();
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    PERIGEE_ASSERT(workers_[i]->core->ready(), "every worker owns a region");
    queue_.at(tick_start_us(directory_->map().time, workers_[i]->core->next_tick()),
              [this, i] { worker_tick(i); });
  }
  gateway_turn();
}

void VirtualCluster::spread_map() {
  const Tick start = tick_at(directory_->map().time, queue_.now_us()) + 2;
  for (auto& worker : workers_) worker->core->on_map(directory_->map(), start);
  if (gateway_) gateway_->on_map(queue_.now_us(), directory_->map());
}

void VirtualCluster::worker_tick(std::size_t index) {
  Worker& worker = *workers_[index];
  if (before_tick) before_tick(*worker.core);
  worker.in_tick = true;
  worker.core->tick();
  worker.in_tick = false;
  for (const float s : worker.core->take_transits()) stages_.fabric_us.push_back(s * 1e6);
  for (const float s : worker.core->take_waits()) stages_.input_wait_us.push_back(s * 1e6);
  const Tick next = worker.core->next_tick();
  for (VirtualPlayer& player : players_) {
    const worker::Player* known = worker.core->player_of(player.client_id);
    if (known != nullptr) player.oracle.after_tick(queue_.now_us(), *worker.core, *known, next);
  }
  // Same members for ever in here: heartbeats are not part of what is simulated.
  queue_.at(tick_start_us(directory_->map().time, next), [this, index] { worker_tick(index); });
}

void VirtualCluster::gateway_turn() {
  if (gateway_) {
    gateway_->advance(queue_.now_us(), unix_s());
    gateway_->flush();
  }
  queue_.after(500, [this] { gateway_turn(); });
}

void VirtualCluster::to_fabric(const Address& from, const Address& to,
                               std::span<const std::byte> bytes, Micros extra_us) {
  queue_.after(fabric_delay_us + extra_us, [this, from, to, data = copy_of(bytes)] {
    if (to == gateway_fabric) {
      if (!gateway_) return;
      gateway_->on_fabric_datagram(queue_.now_us(), from, data);
      gateway_->flush();
      return;
    }
    for (auto& worker : workers_) {
      if (worker->fabric == to) worker->core->on_fabric(fine_now(), from, data);
    }
  });
}

void VirtualCluster::start_players(const world::GameModule& game, const Pilot& pilot) {
  players_.resize(options_.players);
  for (std::uint32_t i = 0; i < options_.players; ++i) {
    VirtualPlayer& player = players_[i];
    Random random(mix64(options_.seed, std::uint64_t{i}, std::uint64_t{0xb07}));
    const world::GameModule& clients_game =
        options_.clients_game != nullptr ? *options_.clients_game : game;
    player.client = std::make_unique<client::Client>(clients_game, options_.client);
    player.pilot = pilot(*player.client, mix64(options_.seed, std::uint64_t{i}));
    player.address = client_address(i);
    player.clock_rate = 1 + random.between(-1, 1) * options_.drift_ppm_max * 1e-6;
    player.clock_offset_us = static_cast<Micros>(random.between(-1, 1) *
                                                 static_cast<double>(options_.clock_offset_us_max));
    player.frame_us = 1'000'000 / options_.frames_per_s[i % options_.frames_per_s.size()];
    player.up = std::make_unique<LinkSimulator>(options_.link.up, options_.seed, i, 0);
    player.down = std::make_unique<LinkSimulator>(options_.link.down, options_.seed, i, 1);
    const LinkProfile& up = options_.link.up;
    player.oracle = PlayerOracle(game, static_cast<Micros>((up.delay_ms - up.jitter_ms) * 1e3),
                                 window_us(options_));
    player.next_hitch_us =
        queue_.now_us() +
        static_cast<Micros>(random.between(0.2, 1) * static_cast<double>(options_.hitch_every_us));
    const Micros joins_us = static_cast<Micros>(random.between(0, 1) * 500'000);
    queue_.after(joins_us, [this, i] {
      connect(players_[i], i);
      player_frame(i);
    });
  }
}

void VirtualCluster::connect(VirtualPlayer& player, std::uint32_t number) {
  const ClusterMap& map = directory_->map();
  const auto answer =
      session_->log_in(unix_us(),
                       {.player_name = "player-" + std::to_string(number),
                        .credential = "everybody in the lab",
                        .wire_version = wire_version,
                        .schema_hash = map.schema_hash,
                        .wanted_region = map.regions[number % map.regions.size()].region,
                        .source = player.address},
                       map);
  const auto* admitted = std::get_if<session::Admitted>(&answer);
  PERIGEE_ASSERT(admitted != nullptr, "everybody may play in the lab");
  player.client_id = admitted->client_id;
  player.client->begin(local_us(player), admitted->token);
}

void VirtualCluster::player_frame(std::size_t index) {
  VirtualPlayer& player = players_[index];
  player.client->advance(local_us(player), *player.pilot);
  player.oracle.after_advance(queue_.now_us(), local_us(player), *player.client);
  if (after_frame) after_frame(player);
  client_sends(player);
  Micros pause_us = player.frame_us;
  if (queue_.now_us() >= player.next_hitch_us) {
    player.next_hitch_us = queue_.now_us() + options_.hitch_every_us;
    pause_us = options_.hitch_us;
  }
  pause_us += std::exchange(player.stands_still_us, 0);
  queue_.after(pause_us, [this, index] { player_frame(index); });
}

void VirtualCluster::client_sends(VirtualPlayer& player) {
  const auto arrive = [this](const Address& from, Bytes data) {
    if (!gateway_) return;
    gateway::ClientDatagram datagram{from, queue_.now_us(), fine_now(), data};
    gateway_->on_client_datagram(queue_.now_us(), unix_s(), datagram);
    gateway_->flush();
  };
  while (const auto out = player.client->poll_send()) {
    auto fate = player.up->send(queue_.now_us());
    if (on_way_up) on_way_up(player, fate);
    for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
      if (!when) continue;
      queue_.at(*when, [arrive, from = player.address, data = copy_of(out->datagram)] {
        arrive(from, data);
      });
    }
  }
}

void VirtualCluster::gateway_sends(const Address& to, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < players_.size(); ++i) {
    if (!(players_[i].address == to)) continue;
    const auto fate = players_[i].down->send(queue_.now_us());
    for (const auto& when : {fate.arrives_us, fate.duplicate_us}) {
      if (!when) continue;
      queue_.at(*when, [this, i, data = copy_of(bytes)]() mutable {
        VirtualPlayer& player = players_[i];
        player.oracle.before_receive(*player.client);
        const std::uint64_t corrections = player.client->corrections_shown();
        player.client->receive(local_us(player), gateway_public, data);
        player.oracle.after_receive(queue_.now_us(), *player.client);
        const bool corrected = player.client->corrections_shown() != corrections;
        if (options_.records && corrected) notice_worst(i);
      });
    }
    return;
  }
}

void VirtualCluster::run_for(Micros us) { queue_.run_until(queue_.now_us() + us); }

void VirtualCluster::quit(std::size_t index) {
  VirtualPlayer& player = players_[index];
  player.client->disconnect(local_us(player));
  client_sends(player);
}

void VirtualCluster::restart_figures() {
  for (VirtualPlayer& player : players_) {
    player.oracle.restart();
    player.client->restart_totals();
  }
  rollback_ticks_before_ = rollback_ticks();
  stages_ = {};
  worst_flight_.reset();
  worst_m_ = 0;
}

std::uint64_t VirtualCluster::rollback_ticks() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->core->counts()[worker::Count::RollbackTicks];
  return sum;
}

PlayerFigures VirtualCluster::figures() const {
  PlayerFigures all;
  for (const VirtualPlayer& player : players_) {
    all += player.oracle.figures();
    const auto& by_cause = player.client->telemetry().totals().by_cause;
    for (std::size_t i = 0; i < by_cause.size(); ++i) all.told_causes[i] += by_cause[i];
  }
  return all;
}

std::uint32_t VirtualCluster::playing() const {
  std::uint32_t count = 0;
  for (const VirtualPlayer& player : players_) {
    if (player.client->connected() && player.client->playing()) ++count;
  }
  return count;
}

std::uint64_t VirtualCluster::hash() const {
  StateHash hash;
  for (const auto& worker : workers_) hash.add(worker->core->hash());
  for (const VirtualPlayer& player : players_) {
    const ActorState& s = player.client->prediction().state();
    hash.add(s.position.x).add(s.position.y).add(s.position.z);
    hash.add(player.client->time().view_ticks()).add(player.client->lead().offset_ticks());
    hash.add(player.client->telemetry().totals().packets);
  }
  return hash.value();
}

}  // namespace perigee::lab
