#include "perigee/lab/faults.hpp"

#include "fault_yard.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"

namespace perigee::lab {
namespace {

constexpr std::array causes{
    CorrectionCause::InputLost,       CorrectionCause::InputLate,
    CorrectionCause::StaleObject,     CorrectionCause::NotStreamed,
    CorrectionCause::HitAnimatedBody, CorrectionCause::ParentSwitch,
    CorrectionCause::RotatingFrame,   CorrectionCause::Constraint,
    CorrectionCause::ControllerState, CorrectionCause::ClockStep,
    CorrectionCause::ServerOverride,  CorrectionCause::Residual,
};

constexpr std::uint32_t players_max = 8;
constexpr Micros warm_up_us = 8'000'000;
constexpr Micros answer_us_max = 2'000'000;  // later corrections have other causes
constexpr Micros late_us = 450'000;          // more than the worker rewinds
constexpr Micros still_us = 450'000;
constexpr Vec3 teleport_m{1.5, 0, 0};
constexpr Vec3 desync_m{0.5, 0, 0};

ClusterOptions cluster_options(const FaultOptions& options) {
  ClusterOptions out;
  out.seed = options.seed;
  out.players = std::min(players_max, options.faults);
  out.link = options.link;
  out.worker.inputs.gap_ticks_max = 0;  // late inputs that fill a gap would heal the fault
  out.hitch_every_us = 1'000'000'000;   // none: no other faults than the intended ones
  Techniques techniques;
  techniques.storm_breaker = false;
  const bool of_one_packet =
      options.cause == CorrectionCause::InputLost || options.cause == CorrectionCause::InputLate;
  if (of_one_packet) techniques.redundancy = Redundancy::None;
  if (options.cause == CorrectionCause::ParentSwitch) {
    out.worker.announce_ticks_min = out.worker.announce_ticks_max = 0;
  }
  out.client.techniques = techniques;
  return out;
}

std::unique_ptr<world::GameModule> yard(const FaultOptions& options, std::uint32_t players) {
  return options.cause == CorrectionCause::ParentSwitch ? make_ferries(players)
                                                        : make_fault_yard(players, options.cause);
}

Pilot pilot(CorrectionCause cause) {
  return [cause](const client::Client& client, std::uint64_t) {
    return cause == CorrectionCause::ParentSwitch ? make_boarder(client) : make_fault_pilot(cause);
  };
}

/// A cluster in which one kind of fault is injected repeatedly.
class FaultRun {
 public:
  explicit FaultRun(const FaultOptions& options)
      : options_(options),
        cluster_options_(cluster_options(options)),
        game_(yard(options, cluster_options_.players)),
        cluster_(cluster_options_, *game_, pilot(options.cause)),
        players_(cluster_options_.players) {
    cluster_.after_frame = [this](VirtualPlayer& player) { after_frame(player); };
    cluster_.before_tick = [this](worker::Core& core) { before_tick(core); };
    cluster_.on_way_up = [this](const VirtualPlayer& player, LinkSimulator::Fate& fate) {
      on_way_up(player, fate);
    };
    cluster_.run_for(warm_up_us);
    running_ = true;
  }
  FaultAnswers run();

 private:
  struct Played {
    Tick next;           ///< of its client, in the previous frame
    bool jumps = false;  ///< in the packets of this frame
    Handle parent = no_entity;
    std::vector<Micros> faults_us;
  };
  Played& of(const VirtualPlayer& player) {
    return players_[static_cast<std::size_t>(&player - cluster_.players().data())];
  }
  void fault_of(const VirtualPlayer& player) {
    if (running_ && injected_ < options_.faults) {
      of(player).faults_us.push_back(cluster_.now_us());
      ++injected_;
    }
  }
  void after_frame(VirtualPlayer& player);
  void before_tick(worker::Core& core);
  void on_way_up(const VirtualPlayer& player, LinkSimulator::Fate& fate);

  FaultOptions options_;
  ClusterOptions cluster_options_;
  std::unique_ptr<world::GameModule> game_;
  VirtualCluster cluster_;
  std::vector<Played> players_;
  bool running_ = false;
  std::uint32_t injected_ = 0;
};

// Faults in the client, once a period.
void FaultRun::after_frame(VirtualPlayer& player) {
  Played& played = of(player);
  const Tick next = player.client->prediction().next();
  bool fault = false;
  played.jumps = false;
  for (Tick t = played.next; before(t, next) && ticks_between(t, next) < 30; ++t) {
    played.jumps = played.jumps || t.count % fault_period_ticks == fault_jump;
    fault = fault || fault_now(t);
  }
  played.next = next;
  if (!fault || !running_) return;
  if (options_.cause == CorrectionCause::ClockStep) {
    player.stands_still_us = still_us;
    fault_of(player);
  } else if (options_.cause == CorrectionCause::Residual) {
    player.client->prediction().inject_desync(desync_m);
    fault_of(player);
  }
}

// Faults on the network path.
void FaultRun::on_way_up(const VirtualPlayer& player, LinkSimulator::Fate& fate) {
  if (!running_ || !of(player).jumps) return;
  if (options_.cause == CorrectionCause::InputLost) {
    fate = {};
  } else if (options_.cause == CorrectionCause::InputLate) {
    fate = {.arrives_us = cluster_.now_us() + late_us};
  } else {
    return;
  }
  fault_of(player);
}

// Faults on the worker, or about to be caused by the yard.
void FaultRun::before_tick(worker::Core& core) {
  const Tick tick = core.next_tick();
  for (VirtualPlayer& player : cluster_.players()) {
    const worker::Player* known = core.player_of(player.client_id);
    if (known == nullptr) continue;
    Played& played = of(player);
    const bool switched = known->parent != played.parent;
    played.parent = known->parent;
    switch (options_.cause) {
      case CorrectionCause::ParentSwitch:
        if (switched) fault_of(player);
        break;
      case CorrectionCause::ControllerState:
        if (tick.count % fault_period_ticks != fault_jump) break;
        core.disturb(player.client_id, [](ActorState& state) {
          state.flags &= static_cast<std::uint8_t>(~actor_grounded);
          state.coyote_ticks = 0;
        });
        fault_of(player);
        break;
      case CorrectionCause::ServerOverride:
        if (!fault_now(tick)) break;
        core.disturb(player.client_id, [](ActorState& state) { state.position += teleport_m; });
        fault_of(player);
        break;
      case CorrectionCause::StaleObject:
      case CorrectionCause::NotStreamed:
      case CorrectionCause::HitAnimatedBody:
      case CorrectionCause::RotatingFrame:
      case CorrectionCause::Constraint:
        if (fault_now(tick)) fault_of(player);
        break;
      default:
        break;
    }
  }
}

FaultAnswers FaultRun::run() {
  constexpr Micros period_us = fault_period_ticks * 1'000'000 / default_tick_rate_hz;
  const std::uint32_t periods_max = 16 * (1 + options_.faults / cluster_options_.players);
  for (std::uint32_t i = 0; i < periods_max && injected_ < options_.faults; ++i) {
    cluster_.run_for(period_us);
  }
  cluster_.run_for(answer_us_max);
  FaultAnswers out{.injected = options_.cause};
  for (std::size_t i = 0; i < players_.size(); ++i) {
    const auto& found = cluster_.players()[i].oracle.figures().causes;
    for (const Micros fault_us : players_[i].faults_us) {
      const auto answer = std::find_if(found.begin(), found.end(), [&](const CauseFound& cause) {
        return cause.at_us >= fault_us && cause.at_us < fault_us + answer_us_max;
      });
      if (answer == found.end()) {
        ++out.unseen;
      } else {
        ++out.taken_for[static_cast<std::size_t>(answer->cause)];
      }
    }
  }
  return out;
}

}  // namespace

std::span<const CorrectionCause> injected_causes() { return causes; }

std::uint32_t FaultAnswers::seen() const {
  std::uint32_t sum = 0;
  for (const std::uint32_t count : taken_for) sum += count;
  return sum;
}

double FaultAnswers::right() const {
  const double all = seen();
  return all == 0 ? 0 : taken_for[static_cast<std::size_t>(injected)] / all;
}

FaultAnswers inject_faults(const FaultOptions& options) { return FaultRun(options).run(); }

}  // namespace perigee::lab
