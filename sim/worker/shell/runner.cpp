#include "runner.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "perigee/host/log.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/worker/tick/tick_plan.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::worker {
namespace {

/// A tick begins with all datagrams that have arrived, so this wait makes no input late. In 2 ms a
/// small part of the kernel's buffer fills.
constexpr host::Gathering fabric_gathering{
    .shortest_us = 2'000, .longest_us = 2'000, .datagrams_min = 2, .datagrams = 2};
// Ample for the head of a message that carries a group.
constexpr std::size_t message_head_bytes = 1024;

TickClocks clocks() { return {host::Loop::clock_us(), host::Loop::thread_cpu_us()}; }

bool owns_a_region(const ClusterMap& map, WorkerSlot worker) {
  return std::any_of(map.regions.begin(), map.regions.end(),
                     [&](const RegionEntry& region) { return region.owner == worker; });
}

bool others_stay(const ClusterMap& map, WorkerSlot worker) {
  return std::any_of(map.workers.begin(), map.workers.end(), [&](const WorkerEntry& other) {
    return other.slot != worker && other.alive && !other.draining;
  });
}

// Logs the first fault of each kind and value; the metric counts all.
void log_fault(const world::GameModule& game, const world::GameFault& fault) {
  const world::GameValueRow& row = world::row_of(fault.value);
  host::log_warning("the game returned an invalid value",
                    {{"value", row.name},
                     {"kind", world::type_name(fault, game.types())},
                     {"entity", fault.entity},
                     {"tick", fault.tick.count},
                     {"field", fault.field},
                     {"place", world::place_text(fault)},
                     {"instead", row.instead}});
}

void log_slow(const world::SlowCall& slow, Micros limit_us) {
  host::log_warning("a function of the game took too long",
                    {{"function", std::string_view(slow.call.function)},
                     {"us", slow.took_us},
                     {"limit_us", limit_us},
                     {"tick", slow.call.tick.count},
                     {"actor", slow.call.avatar},
                     {"entity", slow.call.entity}});
}

}  // namespace

Runner::Runner(host::Loop& loop, Exported& exported, const world::GameModule& game,
               const RunnerOptions& options)
    : loop_(loop),
      exported_(exported),
      game_(game),
      options_(options),
      seal_(FabricSender::Worker, host::random_u64() | 1U, options.plain_epochs),
      links_(loop, {.tls = host::server_end(options.tls), .insecure = options.insecure},
             {.message =
                  [this](WorkerSlot from, std::span<const std::byte> message) {
                    if (core_) core_->on_peer(from, message);
                  },
              .linked =
                  [](WorkerSlot with) {
                    host::log_info("linked with a worker", {{"slot", std::uint32_t{with.number}}});
                  },
              .lost =
                  [this](WorkerSlot with, peers::Count why) {
                    host::log_warning("lost the link with a worker",
                                      {{"slot", std::uint32_t{with.number}},
                                       {"why", peers::metric.value_of(why.series)}});
                    if (core_) core_->on_link_lost(with);
                  }}),
      timer_(loop, [this] { run_due_ticks(); }),
      report_timers_(
          loop,
          [this] {
            return directory_->clock().ready()
                       ? until_report_us(directory_now_us(), registration_.worker_slot())
                       : reports_apart_us;
          },
          [this](bool at_once) { report(at_once); }),
      crash_report_(options.crash_report_dir) {
  PERIGEE_ASSERT(
      options.core.group_bytes_max + message_head_bytes <= peers::Core::message_bytes_max,
      "group_bytes_max must fit into one message of a link");
  if (options_.flights) flights_.emplace(*options_.flights);
  if (options_.tracer != nullptr) {
    spans_.emplace(
        [tracer = options_.tracer](tracing::Span span) { tracer->record(std::move(span)); });
  }
}

Result<Ok> Runner::open() {
  if (const auto crypto = fabric_seal::init_crypto(); !crypto) return crypto.error();
  const host::UdpOptions udp{.send_queue_datagrams = send_queue_datagrams,
                             .gathering = fabric_gathering};
  auto fabric = host::UdpSocket::open(loop_, options_.fabric, udp,
                                      [this](auto datagrams) { on_fabric(datagrams); });
  if (!fabric) return fabric.error();
  fabric_.emplace(std::move(*fabric));
  if (const auto linked = links_.open(options_.fabric); !linked) return linked.error();
  if (options_.store) {
    store_.emplace(
        loop_, *options_.store, game_,
        StoreThread::Events{
            .begun = [this] { adopt_map(); },
            .stored =
                [this](std::uint64_t number, Journalled became) {
                  if (core_) core_->on_stored(number, became);
                },
            .loaded = [this](const auto& checkpoint) { on_checkpoint_loaded(checkpoint); },
            .kept =
                [this](std::uint64_t number, Journalled became) {
                  if (core_) core_->on_kept(number, became);
                },
            .profile =
                [this](std::uint64_t number, const auto& profile) {
                  if (core_) core_->on_profile(number, profile);
                }});
  }
  directory_.emplace(
      loop_,
      host::DirectoryOptions{.target = options_.directory,
                             .role = host::DirectoryRole::Worker,
                             .name = options_.name,
                             .fabric = options_.fabric_reach,
                             .grpc = options_.grpc_reach,
                             .schema_hash = world::agreed_schema(game_),
                             .fabric_run = seal_.run(),
                             .tls = options_.tls},
      host::DirectoryClient::Events{
          .registered = [this](const auto& registration) { on_registered(registration); },
          .map =
              [this](const auto& map) {
                map_ = map;
                seal_.on_map(map_);
                map_is_news_ = true;
                adopt_map();
              },
          .fabric_keys = [this](const auto& keys) { seal_.on_keys(keys); },
          .reachable = [this](bool reachable) { reachable_ = reachable; }});
  report_timers_.schedule();
  return Ok{};
}

Micros Runner::directory_now_us() const {
  return directory_->clock().directory_us(host::Loop::clock_us());
}

Micros Runner::tick_lag_us() const {
  if (!core_ || !core_->ready()) return 0;
  const Micros due_us = tick_start_us(map_.time, core_->next_tick());
  return std::max<Micros>(directory_now_us() - due_us, 0);
}

void Runner::report(bool at_once) {
  if (!core_) return;
  if (!at_once) {
    pace_ = times_.end_interval(clocks());
    doubts_ = core_->doubts();
  }
  WorkerReport report = core_->report(pace_.load_ms);
  report.leaving = leaving_since_us_.has_value();
  report.level = budget_.level();
  report.tick_p99_ms = static_cast<double>(times_.cpu().quantile_us(0.99)) * 1e-3;
  report.late_ms = static_cast<double>(tick_lag_us()) * 1e-3;
  report.pace_ms = pace_.pace_ms;
  reported_entities_ = report.entities;
  exported_.show_island(report.largest_island_ms * 1e-3);
  if (spans_) spans_->on_report(host::Loop::clock_us(), report);
  directory_->report(report);
}

void Runner::leave() {
  leaving_since_us_ = host::Loop::clock_us();
  host::log_info("draining: entities migrate to other workers",
                 {{"for_at_most_s", options_.drain_us_max / 1'000'000}, {"entities", owned_}});
  report(true);
}

bool Runner::may_stop() const {
  if (!leaving_since_us_) return false;
  if (host::Loop::clock_us() - *leaving_since_us_ >= options_.drain_us_max) {
    if (owned_ > 0)
      host::log_warning("drain time is over: the remaining entities end with this worker",
                        {{"entities", owned_}});
    return true;
  }
  if (core_ && core_->lasting_open() > 0) return false;  // nobody else has them
  return !reachable_ || !others_stay(map_, registration_.worker_slot()) ||
         (owned_ == 0 && reported_entities_ == 0 &&
          !owns_a_region(map_, registration_.worker_slot()) &&
          (!core_ || core_->messages_settled()));
}

std::string_view Runner::not_ready_because() {
  if (const auto why = not_joined_because(); !why.empty()) return why;
  if (!core_->ready()) return "the directory has not assigned a region to this worker yet";
  return {};
}

std::string_view Runner::not_joined_because() {
  if (leaving_since_us_) return "draining: entities migrate to other workers";
  if (directory_ && !directory_->refused_because().empty()) return directory_->refused_because();
  if (!core_) return "not registered with the directory yet";
  if (const auto why = seal_.not_ready_because(); !why.empty()) return why;
  if (held_) return "the directory considers this worker dead or does not know it: waiting";
  if (!directory_->clock().ready()) return "not yet synchronized with the directory's clock";
  if (store_) {
    if (const auto why = store_->not_ready_because(); !why.empty()) return why;
  }
  if (core_->awaits_checkpoint()) return "reading the world's last checkpoint";
  return {};
}

void Runner::on_registered(const host::Registration& registration) {
  host::log_info("registered", {{"slot", std::uint32_t{registration.slot}},
                                {"cluster_id", registration.cluster_id}});
  seal_.identify(registration.slot);
  if (core_ && registration.slot == registration_.slot &&
      registration.cluster_id == registration_.cluster_id &&
      registration.handle_base == registration_.handle_base) {
    return;
  }
  if (core_) {
    // From now on, handles, regions and time belong to another incarnation.
    const bool same_cluster = registration.cluster_id == registration_.cluster_id;
    host::log_warning(same_cluster
                          ? "the directory considered this worker dead: discarding its world and "
                            "starting a new incarnation"
                          : "the cluster id has changed: discarding this worker's world",
                      {{"tick", core_->next_tick().count}});
    timer_.stop();
    doubts_.clear();
    exported_.on_new_core();
  }
  held_ = false;
  registration_ = registration;
  open_core(registration);
  map_is_news_ = true;
  adopt_map();
}

void Runner::open_core(const host::Registration& registration) {
  core_.emplace(options_.core, game_, registration.worker_slot(),
                [this](const Address& to, std::span<const std::byte> bytes) {
                  const auto sealed = seal_.seal(to, bytes);
                  if (!sealed.empty()) fabric_->send(to, sealed);
                });
  core_->give_way(budget_.least_stretch());
  core_->outputs.phase_ended = [this](TickPhase phase) {
    exported_.on_phase(phase, times_.end_phase(clocks(), phase).wall_us);
  };
  if (store_) {
    store_->on_new_core();
    core_->outputs.to_store = [this](const OutcomeRow& row) { store_->thread().store(row); };
    core_->outputs.to_lasting = [this](const LastingRow& row) { store_->thread().store(row); };
    core_->outputs.take_profile = [this](std::uint64_t number, std::uint64_t owner) {
      store_->thread().take_profile(number, owner);
    };
    core_->outputs.to_checkpoint = [this](CheckpointPart part) {
      store_->thread().store(std::move(part));
    };
  }
  core_->outputs.on_crash_report = [this](replay::CrashReport report) {
    report.build = flight_log::build_name();
    crash_report_.write(report);
  };
  core_->outputs.report_now = [this] { report_timers_.report_soon(); };
  if (spans_) {
    core_->outputs.on_migration = [this](const MigrationNews& news) {
      spans_->on_migration(host::Loop::clock_us(), news.step, news.group, news.attempt, news.peer);
    };
  }
  core_->outputs.to_peer = [this](WorkerSlot to, std::span<const std::byte> message) {
    links_.send(to, message);
  };
}

// The first map waits for the clock, which gives the world's first tick; show() retries it.
void Runner::adopt_map() {
  if (!map_is_news_ || !core_ || !directory_->clock().ready()) return;
  if (map_.cluster_id != registration_.cluster_id || !is_our_incarnation()) return;
  if (store_ && !store_->knows(map_, registration_.worker_slot())) return;
  map_is_news_ = false;
  const bool was_ready = core_->ready();
  const bool owned =
      std::exchange(owned_a_region_, owns_a_region(map_, registration_.worker_slot()));
  if (store_) store_->fence(map_);
  if (spans_) spans_->on_map(host::Loop::clock_us(), registration_.worker_slot(), map_);
  core_->on_map(map_, tick_at(map_.time, directory_now_us()) + start_ticks);
  links_.on_map(map_, registration_.worker_slot());
  if (core_->awaits_checkpoint()) store_->load(map_);
  if (!core_->ready()) return;
  if (!was_ready) {
    host::log_info("world created", {{"first_tick", core_->next_tick().count},
                                     {"entities", core_->summary().entities}});
  } else if (owned && !owns_a_region(map_, registration_.worker_slot())) {
    host::log_info(
        "no region is assigned to this worker any more: its entities migrate to the regions' "
        "owners",
        {{"entities", core_->summary().entities}});
  }
  arm();
}

// If the map says that this worker is dead, the worker will be replaced. No tick of its world runs
// until the map says that it is alive again, or the directory grants a new incarnation. Before the
// first map that contains this worker there is nothing to hold.
bool Runner::is_our_incarnation() {
  const WorkerEntry* self = map_.worker(registration_.worker_slot());
  const bool ours =
      self != nullptr && self->alive && self->handle_base == registration_.handle_base;
  const bool hold = !ours && core_->ready();
  if (hold && !held_) {
    timer_.stop();
    host::log_warning("this worker is dead in the map: simulation paused",
                      {{"tick", core_->next_tick().count}});
  }
  held_ = hold;
  return ours;
}

void Runner::on_checkpoint_loaded(const std::optional<WholeCheckpoint>& checkpoint) {
  if (!core_ || !core_->awaits_checkpoint()) return;
  core_->restore(checkpoint, tick_at(map_.time, directory_now_us()) + start_ticks);
  if (checkpoint) {
    host::log_info("world restored from a checkpoint",
                   {{"checkpoint_tick", checkpoint->tick.count},
                    {"first_tick", core_->next_tick().count},
                    {"entities", core_->summary().entities},
                    {"players", core_->summary().players},
                    {"journal_entries", checkpoint->journal.size()}});
  } else {
    host::log_info("the world store has no checkpoint yet: starting with a new world");
  }
  arm();
}

void Runner::on_fabric(std::span<const host::Datagram> datagrams) {
  // Without a clock, stamps cannot be converted to ticks.
  if (!core_ || !directory_->clock().ready()) return;
  if (held_) return;
  for (const host::Datagram& datagram : datagrams) {
    const auto opened = seal_.open(datagram.from, datagram.bytes);
    if (!opened) continue;
    const Micros arrived_us = directory_->clock().directory_us(datagram.received_us);
    core_->on_fabric(fine_tick_at(map_.time, arrived_us), datagram.from, *opened);
  }
}

void Runner::run_due_ticks() {
  // Datagrams that have arrived by now still count for these ticks.
  fabric_->receive_now();
  const TickPlan plan =
      plan_ticks(map_.time, directory_now_us(), core_->next_tick(), catch_up_ticks);
  for (std::uint32_t i = 0; i < plan.run; ++i) run_tick();
  arm();
}

void Runner::run_tick() {
  const Tick tick = core_->next_tick();
  const Micros due_us = tick_start_us(map_.time, tick);
  const TickClocks began = clocks();
  times_.begin_tick(began);
  links_.hold();
  core_->tick();
  links_.release();
  fabric_->flush();
  const Micros period_us = tick_start_us(map_.time, tick + 1) - due_us;
  const TickClocks spent = times_.end_tick(
      clocks(), directory_->clock().directory_us(began.wall_us) - due_us, period_us);
  give_way();
  exported_.on_tick(spent.wall_us, spent.cpu_us);
  if (spans_) spans_->on_tick(host::Loop::clock_us());
  exported_.on_transits(core_->take_transits());
  exported_.on_waits(core_->take_waits());
  if (flights_) flights_->after_tick(*core_, host::Loop::clock_us());
  for (const world::GameFault& fault : core_->take_game_faults()) log_fault(game_, fault);
  if (const auto reason = core_->journal().world_ended(); reason && !end_said_) {
    end_said_ = true;
    host::log_warning("the game ended its world: only rooms end", {{"reason", *reason}});
  }
  if (options_.slow_calls == nullptr) return;
  for (const world::SlowCall& slow : options_.slow_calls->take_unsent()) {
    log_slow(slow, options_.slow_calls->limit_us());
  }
}

void Runner::give_way() {
  const std::uint32_t before = budget_.step();
  const Micros period_us = 1'000'000 / map_.time.base.tick_rate_hz;
  budget_.on_tick(times_.spent_us(), period_us);
  if (budget_.step() == before) return;
  core_->give_way(budget_.least_stretch());
  host::log_warning(budget_.step() > before
                        ? "ticks take too long: distant entities are updated less often"
                        : "ticks take less time: distant entities are updated more often again",
                    {{"step", budget_.step()}, {"tick_p99_us", times_.cpu().quantile_us(0.99)}});
}

void Runner::record_everybody() {
  if (core_ && core_->ready()) core_->note_everybody();
}

void Runner::arm() {
  timer_.at(directory_->clock().local_us(tick_start_us(map_.time, core_->next_tick())));
}

}  // namespace perigee::worker
