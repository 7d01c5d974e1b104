/// One player's inputs on the worker: which input each tick is simulated with, which of these are
/// guesses, and what a late arrival makes wrong.
///
/// Under `lead` and `suggested` an input is applied at the tick it names. Under `playout` the
/// server's tick runs a constant delay behind the named one: that is the talk's buffer of four,
/// whose places are the delay's three pushes. Anything may be switched at any tick; no input is
/// lost by that. The window P is the tolerance of server reconciliation.
/// (mission S3, S5b, S6, S7, S12, K9-K17)
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/player_input.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/netcode/techniques.hpp"

namespace perigee {

enum class InputOffer : std::uint8_t {
  Waiting,  ///< for a tick that has not run yet (S5b)
  Rewind,   ///< its tick ran with a guess, inside P: re-simulate from there (S9)
  Duplicate,
  EdgesKept,  ///< void, but its edges and actions happen with the next input that is applied
  TooLate,    ///< its tick has left P: final as guessed; a duplicate when it is said again
  TooEarly,   ///< more than `ahead_ticks_max` in the future: refused (S4)
  last = TooEarly
};

class InputTimeline {
 public:
  struct Settings {
    std::int32_t window_ticks = 15;     ///< P: 250 ms at 60 Hz; 0 turns rollback off (S12)
    std::int32_t repeat_ticks_max = 6;  ///< longer gaps release the controls (K15)
    std::int32_t ahead_ticks_max = 90;  ///< 1.5 s
    std::int32_t quiet_ticks = 600;     ///< without trouble: playout in trouble is off again (K17)
  };
  /// The first packet enters a playout buffer at the last of its four places and is applied three
  /// pushes later: a residence of 50.0 to 66.7 ms at 60 Hz. (K9, K10)
  static constexpr std::int32_t pushes = 3;
  static constexpr std::int32_t pushes_when_quiet = 1;
  /// One place behind the last: further ahead the client's clock has moved, not the path.
  static constexpr std::int32_t pushes_max = 2 * pushes + 2;

  explicit InputTimeline(const Settings& settings)
      : settings_(settings), window_ticks_(settings.window_ticks) {}
  InputTimeline() = default;

  /// From `next` on, the tick that will be simulated next; what ran before it is final.
  void use(const SharedTechniques& techniques, Tick next);
  const SharedTechniques& techniques() const { return techniques_; }
  /// A packet whose newest input is this has come; its inputs are about to be offered.
  void on_packet(Tick newest, Tick next);
  InputOffer offer(const PlayerInput& input, Tick next);

  /// What a sample of an input is called in the answer to it. (S4)
  struct SampleName {
    Tick target;
    std::uint8_t index = 0;
  };
  struct Use {
    PlayerInput input;
    bool guessed = false;
    std::uint8_t kept = 0;  ///< of its samples, the first ones: they are an earlier input's
  };
  /// The input to simulate `tick` with, marking it as used so. Called once per tick going forward,
  /// and again for each tick of a re-simulation.
  Use take(Tick tick);
  SampleName name_of_sample(Tick tick, const Use& use, std::size_t index) const;

  /// The newest input whose real input was applied, if any, as it names itself: what the echo names
  /// (K28) ...
  std::optional<Tick> last_applied() const { return last_applied_; }
  /// ... and the tick that it was applied at.
  Tick last_applied_at() const { return last_applied_at_; }
  /// How much later than they name themselves inputs are applied.
  std::int32_t delay_ticks() const { return delay_ticks_; }
  /// Places of the playout buffer that inputs are held back for; 0 without one. (K9, K17)
  std::int32_t pushes_now() const { return playout() ? pushes_ : 0; }
  /// The oldest tick that may be simulated again when `next` is to be simulated.
  Tick oldest_open(Tick next) const;
  /// The newest tick up to which nothing can change any more when `next` is to be simulated: every
  /// older tick either ran with its real input or has left P.
  Tick final_before(Tick next) const;

  /// Did the input of that name come when its tick was beyond changing? Of the last 128 ticks.
  bool came_too_late(Tick name) const { return came_too_late_.find(name) != nullptr; }

  /// As bytes: input_codec.hpp.
  template <class Cursor, class T>
  static bool walk(Cursor& cursor, T& timeline, Tick next);
  /// Only what decides from `next` on: what ran before it is final for who reads this.
  template <class Cursor, class T>
  static bool walk_open(Cursor& cursor, T& timeline, Tick next);

  /// What has come for `next` and later ticks never did.
  void drop_waiting(Tick next);
  /// A hard reset: forgets everything received; what ran before `next` is final. (mission V8, V9)
  void reset(Tick next);

 private:
  struct Slot {
    PlayerInput input;
    bool real = false;      ///< `input` came from the player
    bool used = false;      ///< simulated at least once
    std::uint8_t kept = 0;  ///< of its samples, the first ones
  };
  struct KeptSample {
    SubSample sample;
    SampleName name;
    Tick due;  ///< when it would have happened
  };
  static constexpr std::uint32_t ring_ticks = 256;
  static constexpr std::int32_t past_ticks = 64;  ///< of the ring; the others are still to come
  static constexpr std::int32_t coming_ticks = ring_ticks - past_ticks;

  bool playout() const {
    return techniques_.timeline != Timeline::Lead && techniques_.timeline != Timeline::Suggested;
  }
  std::int32_t first_pushes() const {
    return techniques_.timeline == Timeline::OnArrival ? pushes_when_quiet : pushes;
  }
  PlayerInput guess(Tick tick) const;
  void move_to(std::int32_t delay_ticks, Tick next);
  void watch_for_trouble(Tick newest, Tick next);
  void begin_quiet_time(std::int32_t early_ticks, Tick next);
  void push_back(std::int32_t by_ticks, Tick next);
  bool passed_by_switch(Tick name, Tick at) const;
  InputOffer void_input(const PlayerInput& input, Tick due, Tick next);
  InputOffer too_late(Tick name);
  void keep_samples(const PlayerInput& input, Tick due);
  void add_kept_samples(Slot& slot, Tick tick);

  Settings settings_;
  std::int32_t window_ticks_ = 15;
  SharedTechniques techniques_;
  TickRing<Slot, ring_ticks> slots_;  ///< by the tick that they are applied at
  std::optional<Tick> last_applied_;
  Tick last_applied_at_;
  std::optional<Tick> first_;                         ///< nothing older can be simulated again
  TickRing<std::uint8_t, ring_ticks> came_too_late_;  ///< by name

  // Playout only:
  std::int32_t delay_ticks_ = 0;
  std::int32_t pushes_ = pushes;
  bool anchored_ = false;  ///< the first packet is there
  std::int32_t missed_ticks_ = 0;
  std::optional<Tick> newest_;  ///< named in a packet
  Tick trouble_;                ///< when there was some, and since then ...
  std::int32_t earliest_ = 0;   ///< ... the packet that waited longest
  std::int32_t latest_ = 0;     ///< ... and the one that waited least
  // Once a switch was thrown:
  std::optional<Tick> names_from_;            ///< inputs that name older ticks had their turn
  std::optional<Tick> final_from_;            ///< what ran before it stays as it ran
  TickRing<std::uint8_t, ring_ticks> spent_;  ///< by name: applied or kept before the change
  FixedVector<KeptSample, 2 * PlayerInput::sub_samples_max> kept_;
  TickRing<FixedVector<SampleName, PlayerInput::sub_samples_max>, 32> kept_names_;  ///< by tick
};

}  // namespace perigee
