/// One player's inputs on the worker: the input that each tick is simulated with, the ticks that
/// ran with a guess, and the ticks that a late arrival invalidates.
///
/// Under `lead` and `suggested` an input is applied at the tick that it names. Under `playout` the
/// server's tick runs a constant delay behind the named tick: this is the talk's buffer of four
/// places. An input enters at the last place and is applied after three pushes. Techniques may be
/// switched at any tick without losing an input. The window P is the tolerance of server
/// reconciliation.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/player_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/techniques.hpp"

namespace perigee {

enum class InputOffer : std::uint8_t {
  Waiting,  ///< for a tick that has not run yet
  Rewind,   ///< its tick ran with a guess, inside P or an open gap: re-simulate from there
  Duplicate,
  EdgesKept,  ///< void, but its edges and actions happen with the next applied input
  TooLate,    ///< its tick has left P: final as guessed; a repetition is a Duplicate
  TooEarly,   ///< more than `ahead_ticks_max` in the future: refused
  last = TooEarly
};

class InputTimeline {
 public:
  struct Settings {
    std::int32_t window_ticks = 15;  ///< P: 250 ms at 60 Hz; 0 turns rollback off
    /// A gap in the inputs may be filled this long after it began: 3 s. Outcomes are final after
    /// P all the same.
    std::int32_t gap_ticks_max = 180;
    std::int32_t repeat_ticks_max = 6;         ///< longer gaps release the controls
    std::int32_t ahead_ticks_max = 90;         ///< 1.5 s
    std::int32_t quiet_ticks = 600;            ///< after this without trouble playout is off
    const InputLayout* own = &no_own_input();  ///< the game's fields
  };
  /// The first packet enters a playout buffer at the last of its four places and is applied three
  /// pushes later: a residence of 50.0 to 66.7 ms at 60 Hz.
  static constexpr std::int32_t pushes = 3;
  static constexpr std::int32_t pushes_when_quiet = 1;
  /// An input further ahead than this means that the client's clock has moved, not that the path
  /// has changed.
  static constexpr std::int32_t pushes_max = 2 * pushes + 2;

  explicit InputTimeline(const Settings& settings)
      : settings_(settings), window_ticks_(settings.window_ticks) {}
  InputTimeline() = default;

  /// Applies from `next` on, the tick that is simulated next; earlier ticks are final.
  void use(const SharedTechniques& techniques, Tick next);
  const SharedTechniques& techniques() const { return techniques_; }
  /// A packet with this newest input has arrived; its inputs are about to be offered.
  void on_packet(Tick newest, Tick next);
  InputOffer offer(const PlayerInput& input, Tick next);

  /// Identifies a sample of an input in the verdict on it.
  struct SampleName {
    Tick target;
    std::uint8_t index = 0;
  };
  struct Use {
    PlayerInput input;
    bool guessed = false;
    std::uint8_t kept = 0;  ///< the first samples of the input, taken over from an earlier input
  };
  /// Returns the input to simulate `tick` with and marks it as used. Called once per tick going
  /// forward, and again for each tick of a re-simulation.
  Use take(Tick tick);
  SampleName name_of_sample(Tick tick, const Use& use, std::size_t index) const;

  /// Tick named by the newest real input that was applied, if any; the echo reports it ...
  std::optional<Tick> last_applied() const { return last_applied_; }
  /// ... and the tick that it was applied at.
  Tick last_applied_at() const { return last_applied_at_; }
  /// Delay of inputs behind the tick that they name.
  std::int32_t delay_ticks() const { return delay_ticks_; }
  /// Places of the playout buffer through which inputs are delayed; 0 without one.
  std::int32_t pushes_now() const { return playout() ? pushes_ : 0; }
  /// The oldest tick that may be simulated again while `next` is the next tick to simulate.
  Tick oldest_open(Tick next) const;
  /// The newest tick such that all older ticks are final while `next` is the next tick to simulate:
  /// each of them either ran with its real input or has left P and the open gap.
  Tick final_before(Tick next) const;

  /// Ticks from here on stay open, although they have left P: their inputs may still come. The
  /// caller keeps what re-simulation needs of them, and closes the gap in time.
  void keep_open(Tick from) { open_from_ = from; }
  void close_gap() { open_from_.reset(); }
  bool gap_open() const { return open_from_.has_value(); }
  /// Whether the tick's input has come from the player.
  bool arrived(Tick tick) const {
    const Slot* slot = slots_.find(tick);
    return slot != nullptr && slot->real;
  }
  /// Whether this tick ran with a guess that a late input may replace.
  bool missing(Tick tick) const;
  /// The same, and the tick before ran with a real input.
  bool gap_begins(Tick tick) const;

  /// Whether the input that names this tick arrived after the tick was final. Remembered for at
  /// least 192 ticks.
  bool came_too_late(Tick name) const { return came_too_late_.find(name) != nullptr; }

  /// As bytes: input_codec.hpp.
  template <class Cursor, class T>
  static bool walk(Cursor& cursor, T& timeline, Tick next);
  /// Encodes only the state that matters from `next` on; for the reader all earlier ticks are
  /// final.
  template <class Cursor, class T>
  static bool walk_open(Cursor& cursor, T& timeline, Tick next);

  /// Discards the inputs received for `next` and later ticks.
  void drop_waiting(Tick next);
  /// Hard reset: forgets everything received except for the look and the fields that are kept;
  /// ticks before `next` are final.
  void reset(Tick next);
  /// The input of a tick if nothing was received for long: nothing is pressed. Look and kept fields
  /// are as in the tick before it.
  PlayerInput at_rest(Tick tick) const;

 private:
  struct Slot {
    PlayerInput input;
    bool real = false;      ///< `input` came from the player
    bool used = false;      ///< simulated at least once
    std::uint8_t kept = 0;  ///< the first samples, taken over from an earlier input
  };
  struct KeptSample {
    SubSample sample;
    SampleName name;
    Tick due;  ///< when it would have happened
  };
  static constexpr std::uint32_t ring_ticks = 512;
  static constexpr std::int32_t past_ticks = 192;  ///< of the ring; the others are for coming ticks
  static constexpr std::int32_t coming_ticks = ring_ticks - past_ticks;
  static constexpr std::int32_t sent_ticks = 64;  ///< of the past, to another worker

  bool playout() const {
    return techniques_.timeline != Timeline::Lead && techniques_.timeline != Timeline::Suggested;
  }
  std::int32_t first_pushes() const {
    return techniques_.timeline == Timeline::OnArrival ? pushes_when_quiet : pushes;
  }
  PlayerInput guess(Tick tick) const;
  Tick oldest_allowed(Tick next) const;
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
  std::optional<Tick> newest_taken_;                  ///< its slot is the base of a reset
  std::optional<Tick> first_;                         ///< oldest tick that may be simulated again
  std::optional<Tick> open_from_;                     ///< of an open gap; not known elsewhere
  TickRing<std::uint8_t, ring_ticks> came_too_late_;  ///< by name

  // Playout only:
  std::int32_t delay_ticks_ = 0;
  std::int32_t pushes_ = pushes;
  bool anchored_ = false;  ///< the first packet has arrived
  std::int32_t missed_ticks_ = 0;
  std::optional<Tick> newest_;  ///< newest tick named in a packet
  Tick trouble_;                ///< time of the last trouble; since then ...
  std::int32_t earliest_ = 0;   ///< ... earliness of the packet that waited longest
  std::int32_t latest_ = 0;     ///< ... and of the one that waited least
  // After a switch:
  std::optional<Tick> names_from_;            ///< inputs that name older ticks are void
  std::optional<Tick> final_from_;            ///< ticks before this one are final
  TickRing<std::uint8_t, ring_ticks> spent_;  ///< by name: applied or kept before the switch
  FixedVector<KeptSample, 2 * PlayerInput::sub_samples_max> kept_;
  TickRing<FixedVector<SampleName, PlayerInput::sub_samples_max>, 32> kept_names_;  ///< by tick
};

}  // namespace perigee
