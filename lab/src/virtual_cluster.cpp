// The cluster itself: its processes, the fabric between them, and whose turn it is.
#include "perigee/lab/virtual_cluster.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "perigee/netcode/hash.hpp"
#include "perigee/session/sqlite_store.hpp"
#include "virtual_net.hpp"

namespace perigee::lab {
namespace {

constexpr Micros start_us = 10'000'000;
constexpr Micros unix_start_us = 1'800'000'000'000'000;
constexpr Micros fabric_delay_us = 100;
constexpr Micros report_delay_us = 2'000;  // of what cannot wait
constexpr Micros probe_us = 100'000;       // until who does not answer is taken for dead
constexpr Micros wake_up_us = 50'000;      // and somebody tells it

constexpr Address gateway_fabric = Address::v4(10, 0, 1, 1, 40030);
constexpr Address worker_fabric(std::uint32_t index) {
  return Address::v4(10, 0, 1, static_cast<std::uint8_t>(10 + index), 40040);
}

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
  void released(std::uint64_t client_id, std::uint64_t issue, gateway::Release how) override {
    const auto released = cluster_.session_->release(
        cluster_.unix_us(), {.client_id = client_id,
                             .gateway_instance = cluster_.gateway_life_,
                             .issue = issue,
                             .state = how == gateway::Release::Left ? session::SessionState::Left
                                                                    : session::SessionState::Lost});
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
    : options_(options), game_(game) {
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
  if (options_.world_store_us) {
    store_ = std::move(world_store::open_sqlite(":memory:")).value();
    keeper_ = std::make_unique<world_keeper::Keeper>(*store_, game_);
  }
  start_gateway();
  start_workers();
  start_players(pilot);
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
  settings.regions = options_.regions > 0 ? options_.regions : options_.workers;
  settings.balance = options_.balances;
  settings.buddies = options_.buddies;
  settings.balancing.idle_ms = 0.05;  // few play here
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
    gateway_->on_map(queue_.now_us(), map());
  });
}

void VirtualCluster::start_workers() {
  for (std::uint32_t i = 0; i < options_.workers; ++i) {
    workers_.push_back(std::make_unique<Worker>());
    workers_.back()->fabric = worker_fabric(i);
    start_worker(i);
  }
  directory_->advance(queue_.now_us());
  spread_map();
  gateway_turn();
  if (options_.balances) directory_second();
}

std::size_t VirtualCluster::add_worker() {
  PERIGEE_ASSERT(options_.balances, "otherwise nothing would ever be its");
  workers_.push_back(std::make_unique<Worker>());
  const std::size_t index = workers_.size() - 1;
  workers_.back()->fabric = worker_fabric(static_cast<std::uint32_t>(index));
  start_worker(index);
  spread_map();
  return index;
}

/// A process with a slot; the next map gives it its regions.
void VirtualCluster::start_worker(std::size_t index) {
  Worker* worker = workers_[index].get();
  directory::WorkerIntroduction self;
  self.name = "sim-" + std::to_string(index);
  self.fabric = worker->fabric;
  self.grpc = Address::v4(10, 0, 1, static_cast<std::uint8_t>(10 + index), 40020);
  self.schema_hash = game_.schema_hash();
  self.instance = ++worker->life;
  const auto granted = directory_->register_worker(queue_.now_us(), self);
  PERIGEE_ASSERT(std::holds_alternative<directory::Grant>(granted), "the worker is admitted");
  const WorkerSlot slot = std::get<directory::Grant>(granted).slot;
  worker->ticks = false;
  worker->tick_us = options_.tick_cost_us;
  worker->core = std::make_unique<worker::Core>(
      options_.worker, game_, slot,
      [this, worker](const Address& to, std::span<const std::byte> bytes) {
        to_fabric(worker->fabric, to, bytes, worker->in_tick ? worker->tick_us : 0);
      });
  connect_store(index);
  worker->core->report_now = [this, index, worker] {
    if (std::exchange(worker->report_wanted, true)) return;
    queue_.after(report_delay_us, [this, index, life = worker->life] { report_now(index, life); });
  };
  worker->core->to_peer = [this, slot, worker](WorkerSlot to, std::span<const std::byte> bytes) {
    const auto later_us = on_way_to_peer ? on_way_to_peer() : std::optional<Micros>(0);
    if (!later_us) return;
    queue_.after(fabric_delay_us + worker->tick_us + *later_us,
                 [this, slot, to, data = copy_of(bytes)] { to_peer(slot, to, data); });
  };
}

// What stands still hears it all once it goes on.
void VirtualCluster::to_peer(WorkerSlot from, WorkerSlot to, const std::vector<std::byte>& bytes) {
  Worker& worker = *workers_.at(to);
  if (stands_still(worker)) {
    queue_.at(worker.stands_still_until_us + 1,
              [this, from, to, bytes] { to_peer(from, to, bytes); });
  } else if (worker.core) {
    worker.core->on_peer(from, bytes);
  }
}

// Its connections end at once.
void VirtualCluster::kill_worker(std::size_t index) {
  workers_[index]->core.reset();
  const auto slot = static_cast<WorkerSlot>(index);
  queue_.after(fabric_delay_us, [this, slot] {
    for (auto& worker : workers_) {
      if (worker->core) worker->core->on_link_lost(slot);
    }
  });
}

void VirtualCluster::pause_worker(std::size_t index, Micros us) {
  Worker& worker = *workers_[index];
  worker.stands_still_until_us = queue_.now_us() + us;
  queue_.after(us + wake_up_us, [this, index, life = worker.life] { wake_up(index, life); });
}

/// Whoever was buried meanwhile is told so by its next heartbeat, and begins another life.
void VirtualCluster::wake_up(std::size_t index, std::uint64_t life) {
  Worker& worker = *workers_[index];
  if (!worker.core || worker.life != life) return;
  const bool known = beats(index, queue_.now_us());
  if (known) return;
  worker.core.reset();
  start_worker(index);
  spread_map();
}

/// At once, as one that cannot wait for the next second.
void VirtualCluster::report_now(std::size_t index, std::uint64_t life) {
  Worker& worker = *workers_[index];
  worker.report_wanted = false;
  if (!worker.core || worker.life != life || stands_still(worker)) return;
  const auto slot = static_cast<WorkerSlot>(index);
  const std::uint64_t version = directory_->map().version;
  const bool heard = beats(index, queue_.now_us());
  if (!heard) return;
  const WorkerReport report = worker.core->report(std::nullopt);
  directory_->report(queue_.now_us(), slot, report);
  for (const WorkerLife& suspect : directory_->suspects(slot, report)) {
    const bool gone = !workers_[suspect.slot]->core;
    queue_.after(gone ? report_delay_us : probe_us, [this, suspect] { judge(suspect); });
  }
  if (directory_->map().version != version) spread_map();
}

void VirtualCluster::judge(const WorkerLife& suspect) {
  const Worker& worker = *workers_[suspect.slot];
  if (worker.core && !stands_still(worker)) return;
  if (!directory_->bury(queue_.now_us(), suspect)) return;
  if (keeper_) {
    const auto fenced = keeper_->fence(worker.self, map());
    PERIGEE_ASSERT(fenced.ok(), "a store in memory");
  }
  spread_map();
}

// What becomes of it is said only to who asked.
void VirtualCluster::store_soon(std::size_t index, std::uint64_t life, std::function<void()> work) {
  queue_.after(*options_.world_store_us, [this, index, life, work = std::move(work)] {
    const Worker& worker = *workers_[index];
    if (!worker.core || worker.life != life) return;
    store_works_ ? work() : store_soon(index, life, work);
  });
}

void VirtualCluster::connect_store(std::size_t index) {
  if (!keeper_) return;
  Worker* worker = workers_[index].get();
  const WorkerEntry& entry = directory_->map().workers[index];
  worker->self = {directory_->map().incarnation, entry.slot, entry.life};
  PERIGEE_ASSERT(keeper_->begin(worker->self).ok(), "the store is this world's");
  worker->core->to_store = [this, index, worker](const worker::OutcomeRow& row) {
    store_soon(index, worker->life, [this, worker, row] {
      const auto stands = keeper_->append(worker->self, std::array{row});
      PERIGEE_ASSERT(stands.ok(), "a store in memory");
      worker->core->on_stored(row.number, stands->front());
    });
  };
  worker->core->to_cut = [this, index, worker](worker::CutPart part) {
    store_soon(index, worker->life, [this, worker, part = std::move(part)] {
      PERIGEE_ASSERT(keeper_->write(worker->self, part).ok(), "a store in memory");
    });
  };
}

void VirtualCluster::load_world(std::size_t index) {
  Worker& worker = *workers_[index];
  if (!worker.core->awaits_cut()) return;
  const auto cut = keeper_->load(worker.self, map());
  PERIGEE_ASSERT(cut.ok(), "what was written can be read");
  worker.core->restore(*cut, tick_at(map().time, queue_.now_us()) + 2);
}

void VirtualCluster::restart_everything(Micros away_us) {
  gateway_.reset();
  for (auto& worker : workers_) worker->core.reset();
  queue_.after(away_us, [this] {
    directory::CoreSettings settings;
    settings.workers = options_.workers;
    settings.regions = options_.workers;
    directory_ = std::make_unique<directory::Core>(settings, directory_->saved(), queue_.now_us());
    start_gateway();
    for (std::size_t i = 0; i < workers_.size(); ++i) start_worker(i);
    directory_->advance(queue_.now_us());
    spread_map();
  });
}

void VirtualCluster::await_tick(std::size_t index) {
  const Worker& worker = *workers_[index];
  queue_.at(std::max(tick_start_us(directory_->map().time, worker.core->next_tick()),
                     worker.busy_until_us),
            [this, index, life = worker.life] { worker_tick(index, life); });
}

void VirtualCluster::restart_worker(std::size_t index, Micros away_us) {
  workers_[index]->core.reset();
  queue_.after(away_us, [this, index] {
    directory_->advance(queue_.now_us());  // what it has not seen so far is no stall of its own
    start_worker(index);
    hear_workers();
    spread_map();
  });
}

void VirtualCluster::change_map(const std::function<void(ClusterMap&)>& change,
                                Micros late_us_max) {
  map_ = map();
  change(*map_);
  ++map_->version;
  const auto later_us = [&] {
    random_ = mix64(random_);
    return static_cast<Micros>(random_ % static_cast<std::uint64_t>(late_us_max + 1));
  };
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    queue_.after(later_us(), [this, i] { tell_map(i); });
  }
  queue_.after(later_us(), [this] {
    if (gateway_) gateway_->on_map(queue_.now_us(), map());
  });
}

/// Whoever has got its first region begins to tick.
void VirtualCluster::tell_map(std::size_t index) {
  Worker& worker = *workers_[index];
  if (!worker.core) return;
  if (stands_still(worker)) {
    return queue_.at(worker.stands_still_until_us + 1, [this, index] { tell_map(index); });
  }
  worker.core->on_map(map(), tick_at(map().time, queue_.now_us()) + 2);
  load_world(index);
  if (worker.core->ready() && !std::exchange(worker.ticks, true)) await_tick(index);
}

void VirtualCluster::spread_map() {
  for (std::size_t i = 0; i < workers_.size(); ++i) tell_map(i);
  if (gateway_) gateway_->on_map(queue_.now_us(), map());
}

void VirtualCluster::directory_second() {
  const std::uint64_t version = directory_->map().version;
  for (std::size_t i = 0; i < workers_.size(); ++i) report(i);
  const bool known = directory_->heartbeat(queue_.now_us(), directory::MemberKind::Gateway, 0,
                                           "gateway-0", directory_->map().incarnation, 0);
  PERIGEE_ASSERT(known, "it registered");
  directory_->advance(queue_.now_us());
  if (directory_->map().version != version) spread_map();
  queue_.after(1'000'000, [this] { directory_second(); });
}

/// The worker's process says that it lives. False: it shall register again.
bool VirtualCluster::beats(std::size_t index, Micros now_us) {
  const auto slot = static_cast<WorkerSlot>(index);
  return directory_->heartbeat(now_us, directory::MemberKind::Worker, slot,
                               directory_->worker_name(slot), directory_->map().incarnation,
                               workers_[index]->life);
}

void VirtualCluster::report(std::size_t index) {
  Worker& worker = *workers_[index];
  if (!worker.core || stands_still(worker)) return;
  const auto slot = static_cast<WorkerSlot>(index);
  const ClusterMap& known = directory_->map();
  const bool heard = beats(index, queue_.now_us());
  if (!heard) return;  // it has just woken up
  std::optional<double> load_ms;
  if (options_.tick_cost && worker.spent_ticks > 0) {
    load_ms = static_cast<double>(std::exchange(worker.spent_us, 0)) * 1e-3 /
              std::exchange(worker.spent_ticks, 0);
  }
  WorkerReport report = worker.core->report(load_ms);
  report.leaving = worker.leaving;
  report.rung = worker.budget.rung();
  report.late_ms = worker.ticks ? static_cast<double>(late_us(index)) * 1e-3 : 0;
  directory_->report(queue_.now_us(), slot, report);
  const bool owns = std::any_of(known.regions.begin(), known.regions.end(),
                                [&](const RegionEntry& region) { return region.owner == slot; });
  if (!worker.leaving || owns || report.entities > 0 || !worker.core->letters_settled()) return;
  const bool left =
      directory_->sign_off(queue_.now_us(), directory::MemberKind::Worker, slot,
                           directory_->worker_name(slot), known.incarnation, worker.life);
  PERIGEE_ASSERT(left, "this life registered");
  worker.core.reset();
}

// A little later than whatever happened at this time.
void VirtualCluster::hear_workers() {
  const Micros now_us = queue_.now_us() + 1;
  for (const WorkerEntry& entry : std::vector(directory_->map().workers)) {
    if (!workers_[entry.slot]->core) continue;
    const bool known = beats(entry.slot, now_us);
    PERIGEE_ASSERT(known, "the directory does not forget");
  }
  directory_->advance(now_us);
}

void VirtualCluster::worker_tick(std::size_t index, std::uint64_t life) {
  Worker& worker = *workers_[index];
  if (!worker.core || worker.life != life) return;
  if (stands_still(worker)) {
    return queue_.at(worker.stands_still_until_us,
                     [this, index, life] { worker_tick(index, life); });
  }
  if (before_tick) before_tick(*worker.core);
  if (options_.tick_cost) bear_cost(worker);
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
  await_tick(index);
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
      if (!gateway_ || (on_way_to_gateway && !on_way_to_gateway(data))) return;
      gateway_->on_fabric_datagram(queue_.now_us(), from, data);
      gateway_->flush();
      return;
    }
    for (auto& worker : workers_) {
      if (worker->fabric != to || !worker->core) continue;
      if (stands_still(*worker)) {
        const Micros later_us = worker->stands_still_until_us + 1 - queue_.now_us();
        return to_fabric(from, to, data, later_us);
      }
      worker->core->on_fabric(fine_now(), from, data);
    }
  });
}

void VirtualCluster::run_for(Micros us) { queue_.run_until(queue_.now_us() + us); }

}  // namespace perigee::lab
