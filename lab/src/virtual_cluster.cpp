// The cluster itself: its processes, the fabric between them, and the order of their turns.
#include "perigee/lab/virtual_cluster.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "perigee/base/hash.hpp"
#include "perigee/lab/peer_links.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {
namespace {

constexpr Micros start_us = 10'000'000;
constexpr Micros catch_up_us = 500;  // interval of ticks of a worker that is behind

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
  void claim(const transport::ClaimRequest& request) override {
    const std::uint64_t incarnation = cluster_.gateway_incarnation_;
    cluster_.sessions_->claim(
        request, incarnation,
        [&cluster = cluster_, incarnation,
         id = request.claim_id](transport::Server::ClaimAnswer answer) {
          if (!cluster.gateway_ || incarnation != cluster.gateway_incarnation_) return;
          cluster.gateway_->on_claim(cluster.queue_.now_us(), id, answer);
          cluster.gateway_->flush();
        });
  }
  void want_resume_token(std::uint64_t client_id) override {
    cluster_.sessions_->issue_resume(
        client_id, cluster_.directory_->map(),
        [&cluster = cluster_, client_id](const transport::ConnectToken& token) {
          if (!cluster.gateway_) return;
          cluster.gateway_->on_resume_token(cluster.queue_.now_us(), client_id, token);
        });
  }
  void released(std::uint64_t client_id, std::uint64_t issue, gateway::Release how) override {
    const bool left = how == gateway::Release::Left;
    cluster_.sessions_->release(
        {.client_id = client_id,
         .gateway_instance = cluster_.gateway_incarnation_,
         .issue = issue,
         .state = left ? session::SessionState::Left : session::SessionState::Lost});
  }
  void on_own_block(Tick tick, Micros received_us, Micros sent_us) override {
    const Micros began_us = tick_start_us(cluster_.directory_->map().time, tick - 1);
    cluster_.stages_.tick_to_gateway_us.push_back(static_cast<double>(received_us - began_us));
    cluster_.stages_.hold_us.push_back(static_cast<double>(sent_us - received_us));
  }
  void on_techniques(std::uint64_t client_id, std::uint64_t order,
                     const Techniques& techniques) override {
    cluster_.sessions_->orders().answered(order, client_id, to_text(techniques, " "));
  }

 private:
  VirtualCluster& cluster_;
};

VirtualCluster::VirtualCluster(const ClusterOptions& options, const world::GameModule& game,
                               const Pilot& pilot)
    : options_(options), game_(game), random_(mix64(options.seed, std::uint64_t{0xc1})) {
  if (options_.records) {
    options_.worker.recorder.emplace();
    options_.client.recorder.emplace();
  }
  const auto crypto = transport::init_crypto();
  PERIGEE_ASSERT(crypto.ok(), "libsodium must start");
  queue_.run_until(start_us);
  random_.fill(key_);
  link_workers();
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

FineTick VirtualCluster::fine_now() const {
  return fine_tick_at(directory_->map().time, queue_.now_us());
}
Micros VirtualCluster::local_us(const VirtualPlayer& player) const {
  return player.clock_offset_us +
         static_cast<Micros>(static_cast<double>(queue_.now_us()) * player.clock_rate);
}

void VirtualCluster::start_gateway() {
  const auto granted =
      directory_->register_gateway(queue_.now_us(), {"gateway-0", gateway_fabric, gateway_public});
  PERIGEE_ASSERT(std::holds_alternative<directory::Grant>(granted), "the gateway must be admitted");

  gateway::CoreSettings door;
  door.slot = GatewaySlot{std::get<directory::Grant>(granted).slot};
  door.transport.private_key = key_;
  door.transport.address = gateway_public;
  door.transport.clients_max = std::max(16U, options_.players + 4);
  door.transport.gateway_number = door.slot.number;
  door.transport.started_at_s = clock_.unix_s();
  door.transport.claims = true;
  ++gateway_incarnation_;
  gateway_outputs_ = std::make_unique<GatewayOutputs>(*this);
  gateway_ = std::make_unique<gateway::Core>(door, random_.bytes(), *gateway_outputs_);
}

void VirtualCluster::start_workers() {
  for (std::uint32_t i = 0; i < options_.workers; ++i) {
    workers_.push_back(std::make_unique<Worker>());
    workers_.back()->fabric = worker_fabric(i);
    start_worker(i);
  }
  directory_->advance(queue_.now_us());
  spread_map(0);
  gateway_turn();
  if (options_.balances || options_.heartbeats) directory_second();
}

std::size_t VirtualCluster::add_worker() {
  PERIGEE_ASSERT(options_.balances,
                 "add_worker() needs options.balances, else the worker gets no region");
  workers_.push_back(std::make_unique<Worker>());
  const std::size_t index = workers_.size() - 1;
  workers_.back()->fabric = worker_fabric(static_cast<std::uint32_t>(index));
  start_worker(index);
  spread_map(options_.map_late_us_max);
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
  self.instance = ++worker->incarnation;
  const auto granted = directory_->register_worker(queue_.now_us(), self);
  PERIGEE_ASSERT(std::holds_alternative<directory::Grant>(granted), "the worker must be admitted");
  const directory::Grant& grant = std::get<directory::Grant>(granted);
  worker->slot = WorkerSlot{grant.slot};
  worker->handle_base = grant.handle_base;
  worker->ticks = worker->held = worker->report_wanted = false;
  worker->map_version = 0;
  worker->knows.clear();
  worker->failover_records.clear();
  worker->tick_us = options_.tick_cost_us;
  worker->core = std::make_unique<worker::Core>(
      options_.worker, game_, worker->slot,
      [this, worker](const Address& to, std::span<const std::byte> bytes) {
        // Sent after all other messages of the tick.
        if (worker->in_tick && worker->dies_sending) return;
        to_fabric(worker->fabric, to, bytes, worker->in_tick ? worker->tick_us : 0);
      });
  connect_store(index);
  worker->core->outputs.on_crash_report = [this](const replay::CrashReport& words) {
    if (on_crash_report) on_crash_report(words);
  };
  worker->core->outputs.report_now = [this, index] { report_soon(index); };
  worker->core->outputs.to_peer = [this, index](WorkerSlot to, std::span<const std::byte> bytes) {
    say(index, to, bytes);
  };
}

/// Runs `work` in the process. False: the process has ended.
bool VirtualCluster::survives(std::size_t index, const std::function<void(worker::Core&)>& work) {
  try {
    work(*workers_[index]->core);
    return true;
  } catch (const ProcessCrash&) {
    end_process(index);
    return false;
  }
}

void VirtualCluster::await_tick(std::size_t index) {
  const Worker& worker = *workers_[index];
  const Micros due_us = tick_start_us(directory_->map().time, worker.core->next_tick());
  queue_.at(std::max(due_us - worker.ahead_us, worker.busy_until_us),
            [this, index, incarnation = worker.incarnation] { worker_tick(index, incarnation); });
}

void VirtualCluster::worker_tick(std::size_t index, std::uint64_t incarnation) {
  Worker& worker = *workers_[index];
  if (!worker.core || worker.incarnation != incarnation) return;
  if (stands_still(worker)) {
    return queue_.at(worker.stands_still_until_us,
                     [this, index, incarnation] { worker_tick(index, incarnation); });
  }
  if (worker.held) {
    worker.ticks = false;
    return;
  }
  if (before_tick && !survives(index, before_tick)) return;
  worker.busy_until_us = queue_.now_us() + catch_up_us;
  if (options_.tick_cost) bear_cost(index);
  worker.in_tick = true;
  const bool alive = survives(index, [](worker::Core& core) { core.tick(); });
  worker.in_tick = false;
  if (!alive) return;
  release_words(index, worker.dies_sending.value_or(workers_.size()));
  if (worker.dies_sending) return end_process(index);
  for (const float s : worker.core->take_transits()) stages_.fabric_us.push_back(s * 1e6);
  for (const float s : worker.core->take_waits()) stages_.input_wait_us.push_back(s * 1e6);
  const Tick next = worker.core->next_tick();
  for (VirtualPlayer& player : players_) {
    const worker::Player* known = worker.core->player_of(player.client_id);
    if (known == nullptr) continue;
    player.oracle.after_tick(queue_.now_us(), *worker.core, *known, next);
    player.flow.on_tick(queue_.now_us(), known->inputs.last_applied());
  }
  await_tick(index);
}

void VirtualCluster::gateway_turn() {
  if (gateway_) {
    gateway_->advance(queue_.now_us(), clock_.unix_s());
    gateway_->flush();
  }
  queue_.after(500, [this] { gateway_turn(); });
}

void VirtualCluster::run_for(Micros us) { queue_.run_until(queue_.now_us() + us); }

}  // namespace perigee::lab
