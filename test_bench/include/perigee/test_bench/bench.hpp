/// Your game in a whole cluster on virtual time: directory, gateway, workers and clients are the
/// real ones, and the same seed gives the same run. A test runs the cluster for a while, and
/// asserts what each player saw:
///
///   perigee::test_bench::Bench bench(game, {.players = {{walk, "P5"}, {stand}}});
///   bench.run_s(20);
///   EXPECT_EQ(bench.player(0).cues(lap_cue), 2);
///   EXPECT_EQ(bench.player(1).state_of<Runner>(bench.player(0))->laps, 2);
///
/// A second of two players takes about 10 ms.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/purity/checked_twice.hpp"
#include "perigee/test_bench/script.hpp"

namespace perigee::test_bench {

/// A cue of another actor, or one that the game ordered, when the player noticed it.
struct Heard {
  client::HeardCue cue;
  /// From the cue's tick to the one in which others were drawn then: less than a frame, unless the
  /// cue came late. An object that is drawn in the player's present has a negative one.
  double late_ticks = 0;
};

/// A player, and everything that it saw.
class Player {
 public:
  /// Cues of others that are kept; later ones are dropped.
  static constexpr std::size_t heard_max = 16'384;
  /// Outcomes and messages that are kept; later ones are dropped.
  static constexpr std::size_t outcomes_max = 4'096;
  static constexpr std::size_t messages_max = 4'096;

  Player(lab::VirtualCluster& cluster, std::size_t number) : cluster_(cluster), number_(number) {}

  std::size_t number() const { return number_; }
  bool playing() const { return client().playing(); }
  Handle avatar() const { return client().prediction().avatar(); }
  const client::Client& client() const { return *machine().client; }

  /// The own avatar as predicted now, in the frame of its parent.
  const ActorState& motion() const { return client().prediction().state(); }
  template <class State>
  const State& state() const {
    return client().prediction().game_state().template as<State>();
  }
  /// How the player sees an entity, or another player's avatar, at this moment; none: not at all.
  std::optional<client::SceneEntity> sees(Handle entity) const;
  std::optional<client::SceneEntity> sees(const Player& other) const {
    return sees(other.avatar());
  }
  /// The public part of another player's state as this player knows it; none: not known.
  template <class State>
  std::optional<State> state_of(const Player& other) const {
    const auto state = client().game_state(other.avatar());
    if (!state) return std::nullopt;
    return state->template as<State>();
  }

  /// The public part of the state of a thing as this player knows it; none: not known.
  template <class State>
  std::optional<State> state_of(Handle thing) const {
    const auto state = client().game_state(thing);
    if (!state) return std::nullopt;
    return state->template as<State>();
  }
  /// The same of the world's state.
  template <class State>
  std::optional<State> world_state() const {
    const auto state = client().world_state();
    if (!state) return std::nullopt;
    return state->template as<State>();
  }

  /// Cues of that effect that were played; those that were cancelled afterwards count, too.
  std::uint32_t cues(std::uint8_t effect) const { return played_[effect]; }
  std::uint32_t cues_cancelled(std::uint8_t effect) const { return cancelled_[effect]; }
  /// Cues of others, the oldest first.
  const std::vector<Heard>& heard() const { return heard_; }
  /// Outcomes that the player heard of, the oldest first.
  const std::vector<OutcomeEvent>& outcomes() const { return outcomes_; }
  /// Sends a message to the game, as the player's program would.
  client::MessageRefusal send_message(std::span<const std::byte> message) const {
    return machine().client->send_message(message);
  }
  /// Messages of the game that the player got, the oldest first.
  const std::vector<MessageBytes>& messages() const { return messages_; }
  /// Corrections of more than 5 cm, measured from outside of client and worker.
  std::uint64_t corrections() const { return machine().oracle.figures().corrections; }
  double correction_max_m() const { return machine().oracle.figures().correction_max_m; }

  /// The player's state on the worker that owns its avatar: that of the present tick there, which
  /// the client is ahead of. None while no worker owns it.
  template <class State>
  std::optional<State> state_on_server() const {
    const worker::Player* player = on_server();
    if (player == nullptr) return std::nullopt;
    return player->game.as<State>();
  }
  /// The index of that worker.
  std::optional<std::size_t> worker() const;

 private:
  friend class Bench;

  lab::VirtualPlayer& machine() const { return cluster_.players()[number_]; }
  const worker::Player* on_server() const;
  void after_frame();

  lab::VirtualCluster& cluster_;
  std::size_t number_;
  std::array<std::uint32_t, 256> played_{};
  std::array<std::uint32_t, 256> cancelled_{};
  std::vector<Heard> heard_;
  std::vector<OutcomeEvent> outcomes_;
  std::vector<MessageBytes> messages_;
};

struct Options {
  std::vector<PlayerPlan> players;
  std::uint64_t seed = 1;
  /// Each owns a part of the world.
  std::uint32_t workers = 2;
  /// All other conditions. The bench sets seed, workers and players.
  lab::ClusterOptions cluster;
};

class Bench {
 public:
  /// `game` outlives the bench. Players log in within the first half second. The program
  /// ends with the error of world::check if it refuses the types of the game.
  Bench(const world::GameModule& game, Options options);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void run_s(double seconds) { cluster_.run_for(static_cast<Micros>(seconds * 1e6)); }
  /// Runs until the condition holds, for this long at most. Returns whether it holds.
  bool run_until(const std::function<bool()>& condition, double seconds_max);

  const Player& player(std::size_t number) const { return players_.at(number); }
  std::size_t players() const { return players_.size(); }
  /// Functions of the game that gave two results for the same arguments (purity::CheckedTwice); the
  /// players of such a game are corrected. A sentence for each.
  const std::vector<std::string>& impurities() const { return impurities_; }
  /// Mistakes of the game that the workers noted (world::GameFault), in order: values that were
  /// refused, and actors that it has probably lost. A sentence for the first of each type and value
  /// on each worker.
  const std::vector<std::string>& faults() const { return faults_; }
  /// For everything else: faults, operators' orders, the map.
  lab::VirtualCluster& cluster() { return cluster_; }

 private:
  static lab::ClusterOptions conditions(const Options& options);

  Options options_;
  std::vector<std::string> impurities_;
  std::vector<std::string> faults_;
  purity::CheckedTwice game_;
  std::size_t made_ = 0;  ///< players that have a pilot
  lab::VirtualCluster cluster_;
  std::deque<Player> players_;
};

}  // namespace perigee::test_bench
