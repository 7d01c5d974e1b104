/// How far the client predicts ahead: T_pred = local ticks + offset, both in even time (RateMap),
/// as all ticks here but those that name an input: a path takes as long at any rate of the world's.
/// Steered so that inputs reach
/// the worker just before the tick that consumes them. The worker reports margins; the loop aims
/// their low end at +1 ms. Speeds up fast, gives back slowly. Where the worker refuses inputs, the
/// offset jumps at once. (mission K29, K30, S3; netcode page: `lead`)
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "perigee/netcode/ring.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee {

class LeadControl {
 public:
  struct Settings {
    double target_margin_ticks = 0.06;  ///< 1 ms
    double late_band_ticks = 0.03;      ///< 0.5 ms below the target: no change inside
    double early_band_ticks = 0.12;     ///< 2 ms above it; being late costs more than being early
    double speed_up_max = 0.05;         ///< share of real time: imperceptible (K30)
    double give_back_max = 0.002;       ///< 2 ms per second ...
    double excess_ticks = 3;            ///< ... but what is more than 50 ms too much ...
    double excess_share_per_tick = 0.0017;  ///< ... goes by a tenth each second
    double jump_ticks = 60;                 ///< 1000 ms off: jump, counted (K30)
    double late_share = 0.03;               ///< p3 of the margins may lie below the target
    int same_sign_min = 3;                  ///< samples that must agree before anything moves
    /// The worker applies inputs between 15 ticks late and 90 early. Where the newest
    /// `refused_reports` of it all lie beyond these bounds, inputs are lost or soon will be: jump,
    /// and forget the older costs. Four reports take 133 ms. Nearer bounds: more jumps.
    double refused_late_ticks = 13;
    double refused_early_ticks = 75;
    std::size_t refused_reports = 4;
    /// A tick sampled later than this, after a jump or a long hitch, tells of the path alone.
    /// Below, the client's frames count as a part of the path.
    double hitch_ticks = 8;
    double aim_band_ticks = 0.3;  ///< 5 ms off a given aim: no change inside
  };
  explicit LeadControl(const Settings& settings) : settings_(settings) {}
  LeadControl() = default;

  /// First guess, from the newest server tick seen plus the round trip.
  void seed(double local_ticks, double server_ticks_ahead);
  bool seeded() const { return seeded_; }

  /// A tick was sampled and stepped now, so much later than it was due: remembers which offset it
  /// was made with.
  void sampled(Tick tick, double late_ticks) {
    offsets_.claim(tick) = late_ticks > settings_.hitch_ticks ? offset_ - late_ticks : offset_;
  }
  /// The worker's report: the input of this tick was judged with this margin (start of the tick
  /// that it names minus its arrival); negative is late. Unknown ticks are ignored, and so is a
  /// cost below `cost_ticks_min`: nothing arrives before it is sampled, so the report is about an
  /// earlier sampling of that tick, from before a jump back.
  void on_margin(Tick input, double margin_ticks, double cost_ticks_min);
  /// Another timeline's offset; margins are still noted. None: what the margins want.
  void aim(std::optional<double> offset_ticks);
  /// How late inputs are with another offset, at the share that may be late; none: too early to
  /// tell.
  std::optional<double> late_ticks(double offset_ticks) const;
  /// Moves the offset for `elapsed_ticks` of real time.
  void advance(double elapsed_ticks);

  /// When, in even time, the tick is that should be predicted at this local time.
  double predicted_even(double local_ticks) const { return local_ticks + offset_; }
  double offset_ticks() const { return offset_; }
  /// The offset goes no farther than this, because a predicted tick is kept only so long for its
  /// comparison. Holds until the next call.
  void limit(double offset_ticks_max);
  std::uint32_t jumps() const { return jumps_; }

 private:
  void add_cost(double cost_ticks);
  bool refused() const;
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
  /// offset - margin of each report: what the path costs, whatever the lead was at that time.
  std::array<float, margins_max> costs_{};
  std::size_t costs_count_ = 0;
  std::size_t costs_next_ = 0;
  double cost_base_ = 0;  ///< offsets are large, floats are not: costs are relative to this
  TickRing<double, 512> offsets_;  ///< 8.5 s: of paths with a round trip of seconds, too
  std::optional<double> wanted_;
  std::optional<double> aim_;
  bool nearing_aim_ = false;
  int same_sign_ = 0;
  std::uint32_t jumps_ = 0;
};

}  // namespace perigee
