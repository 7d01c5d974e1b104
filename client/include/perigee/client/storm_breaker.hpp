/// Tells when it is better to show what the server says than what the client predicts: when the
/// prediction is wrong too often, or by too much. It goes on in the shadow meanwhile, and is shown
/// again once it has been right for a while; each relapse takes longer. (mission V10, K46, K47)
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "perigee/netcode/correction_cause.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::client {

class StormBreaker {
 public:
  struct Settings {
    /// This many corrections of one cause within a second; within 0.25 s they are one.
    std::uint32_t same_cause_per_s = 3;
    double meters_per_s = 1;           ///< or several of more than this much together
    Micros clean_us = 2'000'000;       ///< without a storm: shown again
    Micros clean_us_max = 32'000'000;  ///< after relapses; each doubles the time
    Micros relapse_us = 30'000'000;    ///< sooner than this after it was shown again
  };

  StormBreaker() : StormBreaker(Settings{}) {}
  explicit StormBreaker(const Settings& settings)
      : settings_(settings), clean_us_(settings.clean_us) {}

  /// The prediction was corrected, shown or not. A change of parents heard too late is no storm.
  void on_correction(Micros now_us, double meters, CorrectionCause cause);
  /// Once per frame.
  void advance(Micros now_us);
  /// Show what the server says.
  bool open() const { return open_; }
  /// How often it has opened.
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
