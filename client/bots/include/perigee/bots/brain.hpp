/// A simulated player: walks, turns, jumps, opens doors, uses lifts, rides rotors, flies, boards
/// passing ships, returns home, and shoots now and then. On request it flies across the middle of
/// the world and back, repeatedly. It sees only what a person would see through the client; same
/// seed and same scene, same play.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/hash.hpp"
#include "perigee/client/client.hpp"

namespace perigee::bots {

/// Counts of a bot's actions, for the result table and the lab's thresholds.
struct Deeds {
  std::uint64_t ticks = 0;
  std::uint64_t moving_ticks = 0;  ///< faster than 0.5 m/s relative to the parent
  std::uint64_t jumps = 0;
  std::uint64_t doors = 0;  ///< opened or shut
  std::uint64_t rides = 0;  ///< on lifts and rotors
  std::uint64_t flights = 0;
  std::uint64_t boardings = 0;  ///< times that it boarded a moving ship
  std::uint64_t ticks_aboard = 0;
  std::uint64_t shots = 0;

  Deeds& operator+=(const Deeds& more);
  Deeds& operator-=(const Deeds& less);
};

/// A bot's behaviour.
enum class Temper : std::uint8_t {
  Mild,     ///< does everything; shoots seldom and badly, almost never deadly
  Settled,  ///< stays on its first ground or deck: walks and jumps there, and does not shoot
  Fierce    ///< shoots well, about once a second, at the nearest target
};

class Brain final : public client::InputSampler {
 public:
  /// `voyage_m`: distance beyond the middle of the world, where borders are; 0: no voyages.
  Brain(const client::Client& client, std::uint64_t seed, double voyage_m = 0,
        Temper temper = Temper::Mild);
  PlayerInput sample(Tick tick) override;
  const Deeds& deeds() const { return deeds_; }
  /// Its current activity, for progress lines.
  const char* mode_name() const;

 private:
  enum class Mode : std::uint8_t { Walk, Door, Ride, Fly, Board, Aboard, Home, Voyage };

  void look_around(Tick tick);
  void choose(Tick tick);
  void begin(Mode mode, double seconds);
  void walk(PlayerInput& input);
  void walk_to(const Vec3& target, PlayerInput& input);
  void go_through_door(PlayerInput& input);
  void ride(PlayerInput& input);
  void fly(PlayerInput& input);
  void board(Tick tick, PlayerInput& input);
  void go_home(Tick tick, PlayerInput& input);
  void voyage(Tick tick, PlayerInput& input);
  template <class Tell>
  void for_each_body(Tell tell) const;
  bool somebody_ahead() const;
  bool somebody_nearer(const Vec3& place) const;
  /// Flies towards a moving target with the jetpack, all in the parent's frame.
  void steer(const Vec3& target, const Vec3& target_velocity, double speed_max,
             PlayerInput& input) const;
  void shoot_now_and_then(PlayerInput& input);
  void press(PlayerInput& input, std::uint16_t button) const;
  void use(PlayerInput& input, Handle target) const;
  bool flying() const { return (state_.flags & actor_jetpack) != 0; }
  bool grounded() const { return (state_.flags & actor_grounded) != 0; }
  bool is_ship(Handle handle) const;
  std::optional<Motion> ship_motion(Handle handle, Tick tick) const;

  const client::Client& client_;
  const double voyage_m_;
  const Temper temper_;
  Random random_;
  Random shots_;  ///< separate, so that other behaviour does not depend on shots
  Deeds deeds_;
  Mode mode_ = Mode::Walk;
  Tick now_;
  Tick ends_;
  Tick turn_at_;
  Tick use_at_;
  double heading_rad_ = 0;
  bool run_ = false;
  bool started_ = false;
  // Seen in this tick:
  ActorState state_;
  Handle parent_ = no_entity;
  Motion parent_motion_;
  Vec3 world_;
  FixedVector<Handle, 16> doors_;
  FixedVector<Handle, 16> lifts_;  ///< and rotors
  Handle ship_ = no_entity;
  // The lift or rotor that it is about to ride, or rides:
  Handle lift_ = no_entity;
  bool riding_ = false;
  // The door that it is about to use, and the side it came from:
  Handle door_ = no_entity;
  double side_ = 1;
  bool passing_door_ = false;
  std::int32_t blocked_ticks_ = 0;
  Handle boarding_ = no_entity;
  Vec3 deck_spot_;  ///< intended landing place, in the ship's frame
  bool considered_ = false;
  bool wants_aboard_ = false;
  // Its place of origin:
  Handle home_ = no_entity;
  Vec3 home_local_;
};

}  // namespace perigee::bots
