/// Decides when to render the server's state instead of the prediction: when the prediction is
/// wrong too often, or by too much. The prediction continues in the background, and is rendered
/// again once it was right for a while; each relapse makes that time longer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::client {

class StormBreaker {
 public:
  struct Settings {
    /// Number of corrections of one cause within a second; within 0.25 s they count as one.
    std::uint32_t same_cause_per_s = 3;
    double meters_per_s = 1;           ///< or several with a larger sum
    Micros clean_us = 2'000'000;       ///< without a storm; then the prediction is rendered
    Micros clean_us_max = 32'000'000;  ///< after relapses; each doubles the time
    Micros relapse_us = 30'000'000;    ///< a storm within this time after that is a relapse
  };

  StormBreaker() : StormBreaker(Settings{}) {}
  explicit StormBreaker(const Settings& settings)
      : settings_(settings), clean_us_(settings.clean_us) {}

  /// The prediction was corrected, displayed or not. A parent switch that arrived too late is no
  /// storm.
  void on_correction(Micros now_us, double meters, CorrectionCause cause);
  /// Once per frame.
  void advance(Micros now_us);
  /// Open: render the server's state.
  bool open() const { return open_; }
  /// Number of storms.
  std::uint64_t storms() const { return storms_; }
  void clear() { *this = StormBreaker(settings_); }

 private:
  struct Seen {
    Micros at_us = 0;
    double meters = 0;
    CorrectionCause cause = CorrectionCause::Unknown;
  };
  bool storm() const;

  Settings settings_;
  FixedVector<Seen, 16> seen_;  ///< of the last second, oldest first
  bool open_ = false;
  Micros clean_us_;
  Micros quiet_since_us_ = 0;
  std::optional<Micros> closed_at_us_;
  std::uint64_t storms_ = 0;
};

}  // namespace perigee::client
