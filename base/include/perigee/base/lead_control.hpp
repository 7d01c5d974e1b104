/// Controls the client lead: T_pred = local ticks + offset. A path's latency does not depend on the
/// world's rate, so all ticks in this file are in even time (RateMap), except those that name an
/// input. The lead is steered so that inputs reach the worker just before the tick that consumes
/// them. The worker reports margins; the loop aims their low end at +1 ms. It speeds up fast and
/// gives back slowly. If the worker refuses inputs, the offset jumps at once. A queue on the path
/// that grows for seconds raises the lead only so far that it can be given back without a jump; the
/// worker applies inputs late meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

class LeadControl {
 public:
  struct Settings {
    double target_margin_ticks = 0.06;  ///< 1 ms
    double late_band_ticks = 0.03;      ///< 0.5 ms below the target: no change within
    double early_band_ticks = 0.12;     ///< 2 ms above it; being late costs more than being early
    double speed_up_max = 0.05;         ///< share of real time: imperceptible
    double hurry_max = 0.3;             ///< while inputs come too late for what they do to others
    double too_late_ticks = 13;         ///< outcomes of a tick are final 15 ticks after it
    double give_back_max = 0.002;       ///< 2 ms per second; ...
    double excess_ticks = 3;            ///< ... an excess above 50 ms ...
    double excess_share_per_tick = 0.0017;  ///< ... shrinks by a tenth per second
    double jump_ticks = 85;                 ///< 1400 ms off: jump, counted
    /// The lead exceeds the least that the path needed in the last 20 s by at most this, so that no
    /// input is refused as too early when a queue on the path has drained.
    double surge_ticks_max = 72;
    double late_share = 0.03;  ///< p3 of the margins: this share may lie below the target
    int same_sign_min = 3;     ///< consecutive samples that must agree before the offset moves
    /// The worker applies inputs between 180 ticks late and 90 early. If its newest
    /// `refused_reports` reports all lie beyond these bounds, inputs are lost or soon will be: the
    /// offset jumps, and older costs are forgotten. Four reports take 133 ms. Tighter bounds cause
    /// more jumps.
    double refused_late_ticks = 100;
    /// The same if the reports get worse and worse, and inputs that are under way will be this
    /// late.
    double foreseen_late_ticks = 80;
    double refused_early_ticks = 85;
    std::size_t refused_reports = 4;
    /// If a tick was sampled later than this, after a jump or a long hitch, the lateness is
    /// subtracted, so that its report measures the path alone. Smaller lateness, from the client's
    /// frame times, counts as part of the path.
    double hitch_ticks = 8;
    double aim_band_ticks = 0.3;  ///< 5 ms off the given aim: no change within
  };
  explicit LeadControl(const Settings& settings) : settings_(settings) {}
  LeadControl() = default;

  /// First guess, from the newest server tick received plus the round trip.
  void seed(double local_ticks, double server_ticks_ahead);
  bool seeded() const { return seeded_; }

  /// A tick was sampled and stepped `late_ticks` after it was due: remembers the offset that it was
  /// made with.
  void sampled(Tick tick, double late_ticks) {
    offsets_.claim(tick) = late_ticks > settings_.hitch_ticks ? offset_ - late_ticks : offset_;
  }
  /// The worker's report: the input of this tick had this margin (start of the tick that it names
  /// minus its arrival); negative is late. Unknown ticks are ignored, and so is a cost below
  /// `cost_ticks_min`. An input cannot arrive before it is sampled, so such a report is about an
  /// earlier sampling of that tick, before a jump back.
  void on_margin(Tick input, double margin_ticks, double cost_ticks_min);
  /// Follows another timeline's offset; margins are still recorded. None: follows the margins.
  void aim(std::optional<double> offset_ticks);
  /// Lateness of the inputs with the given offset, at the quantile that may be late. None: too few
  /// reports.
  std::optional<double> late_ticks(double offset_ticks) const;
  /// Moves the offset for `elapsed_ticks` of real time.
  void advance(double elapsed_ticks);

  /// The even time of the tick to predict at this local time.
  double predicted_even(double local_ticks) const { return local_ticks + offset_; }
  double offset_ticks() const { return offset_; }
  /// Caps the offset, because a predicted tick is kept for comparison only for a limited time.
  /// Applies until the next call.
  void limit(double offset_ticks_max);
  std::uint32_t jumps() const { return jumps_; }

 private:
  void add_cost(double cost_ticks);
  double margin_of(std::size_t newest) const;
  bool refused() const;
  bool will_be_refused() const;
  double offset_limit() const;
  void jump_to(double offset_ticks);
  void jump_to_newest();
  void watch_sign();
  std::optional<double> wanted_offset() const;
  void near_aim(double elapsed_ticks);

  static constexpr std::size_t margins_max = 240;  ///< 8 s of blocks
  static constexpr std::size_t margins_min = 4;

  Settings settings_;
  bool seeded_ = false;
  double offset_ = 0;
  double offset_max_ = std::numeric_limits<double>::infinity();
  /// offset - margin of each report: the cost of the path, independent of the lead at that time.
  static constexpr std::size_t calm_reports = 600;  ///< 20 s

  std::array<float, margins_max> costs_{};
  std::size_t costs_count_ = 0;
  std::size_t costs_next_ = 0;
  double cost_base_ = 0;           ///< costs are relative to this: offsets are large for a float
  TickRing<double, 512> offsets_;  ///< 8.5 s: also covers paths with a round trip of seconds
  /// The least cost of the present 20 s, and of those before.
  double calm_ = std::numeric_limits<double>::infinity();
  double former_calm_ = std::numeric_limits<double>::infinity();
  std::size_t calm_count_ = 0;
  std::array<Tick, 4> reported_{};  ///< inputs of the newest reports, newest first
  std::optional<double> wanted_;
  std::optional<double> aim_;
  bool nearing_aim_ = false;
  int same_sign_ = 0;
  std::uint32_t jumps_ = 0;
};

}  // namespace perigee
