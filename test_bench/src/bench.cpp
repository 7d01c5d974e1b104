#include "perigee/test_bench/bench.hpp"

#include <memory>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::test_bench {
namespace {

constexpr Micros poll_us = 10'000;

/// The player behind a client.
class ScriptedPilot final : public client::InputSampler {
 public:
  ScriptedPilot(const client::Client& client, const Script& script)
      : client_(client), script_(script) {}

  PlayerInput sample(Tick tick) override {
    if (!first_) first_ = tick;
    PlayerInput input = script_({.tick = tick,
                                 .seconds = ticks_between(*first_, tick) * seconds_per_tick,
                                 .client = client_});
    input.tick = tick;
    return input;
  }

 private:
  const client::Client& client_;
  const Script& script_;
  std::optional<Tick> first_;
};

}  // namespace

lab::ClusterOptions Bench::conditions(const Options& options) {
  // The first one of the process that needs cryptography.
  PERIGEE_ASSERT(transport::init_crypto().ok(), "libsodium works on this machine");
  PERIGEE_ASSERT(!options.players.empty(), "a bench needs a player");
  lab::ClusterOptions out = options.cluster;
  out.seed = options.seed;
  out.workers = options.workers;
  out.players = static_cast<std::uint32_t>(options.players.size());
  return out;
}

Bench::Bench(const world::GameModule& game, Options options)
    : options_(std::move(options)),
      game_({std::shared_ptr<void>(), &game},
            [this](const purity::Impurity& found) {
              impurities_.push_back(purity::to_sentence(found));
            }),
      cluster_(conditions(options_), game_, [this](const client::Client& client, std::uint64_t) {
        return std::make_unique<ScriptedPilot>(client, options_.players.at(made_++).script);
      }) {
  for (std::size_t i = 0; i < options_.players.size(); ++i) {
    players_.emplace_back(cluster_, i);
    const auto link = read_link(options_.players[i].link);
    PERIGEE_ASSERT(link.ok(), "the link of each player of a bench is a text for read_link");
    lab::VirtualPlayer& machine = cluster_.players()[i];
    machine.up = std::make_unique<LinkSimulator>(link->up, options_.seed, i, 0);
    machine.down = std::make_unique<LinkSimulator>(link->down, options_.seed, i, 1);
  }
  cluster_.on_game_fault = [this](const world::GameFault& fault) {
    faults_.push_back(world::to_sentence(fault, game_.types()));
  };
  cluster_.after_frame = [this](lab::VirtualPlayer& machine) {
    players_[machine.number].after_frame();
  };
}

bool Bench::run_until(const std::function<bool()>& condition, double seconds_max) {
  const Micros end_us = cluster_.now_us() + static_cast<Micros>(seconds_max * 1e6);
  while (!condition()) {
    if (cluster_.now_us() >= end_us) return false;
    cluster_.run_for(poll_us);
  }
  return true;
}

std::optional<client::SceneEntity> Player::sees(Handle entity) const {
  if (entity == no_entity) return std::nullopt;
  for (const client::SceneEntity& each : machine().client->scene(cluster_.local_us(machine()))) {
    if (each.handle == entity) return each;
  }
  return std::nullopt;
}

std::optional<std::size_t> Player::worker() const {
  for (std::size_t i = 0; i < cluster_.workers(); ++i) {
    if (!cluster_.runs(i) || !cluster_.worker(i).ready()) continue;
    if (cluster_.worker(i).player_of(machine().client_id) != nullptr) return i;
  }
  return std::nullopt;
}

const worker::Player* Player::on_server() const {
  const auto index = worker();
  return index ? cluster_.worker(*index).player_of(machine().client_id) : nullptr;
}

void Player::after_frame() {
  for (const client::CueNews& cue : client().cues()) {
    if (cue.state == client::CueState::Played) ++played_[cue.effect];
    if (cue.state == client::CueState::Cancelled) ++cancelled_[cue.effect];
  }
  const client::ViewPoint& seen = client().seen();
  for (const client::HeardCue& cue : client().heard()) {
    if (heard_.size() == heard_max) break;
    heard_.push_back({cue, seen.ticks - ticks_between(seen.origin, cue.tick)});
  }
  for (const OutcomeEvent& outcome : client().outcomes()) {
    if (outcomes_.size() < outcomes_max) outcomes_.push_back(outcome);
  }
  while (auto message = machine().client->take_message()) {
    if (messages_.size() < messages_max) messages_.push_back(std::move(*message));
  }
}

}  // namespace perigee::test_bench
