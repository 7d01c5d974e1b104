/// Tests the attribution of corrections: injects each cause many times and counts the causes that
/// are reported. (metric M9 of the lab)
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/link_simulator.hpp"

namespace perigee::lab {

/// Causes that can be injected. Migration is not among them.
std::span<const CorrectionCause> injected_causes();

struct FaultOptions {
  CorrectionCause cause = CorrectionCause::InputLost;
  LinkPair link;
  std::uint32_t faults = 100;
  std::uint64_t seed = 1;
};

/// The causes reported for faults of one cause.
struct FaultAnswers {
  CorrectionCause injected = CorrectionCause::Unknown;
  std::array<std::uint32_t, enum_count<CorrectionCause>> taken_for{};
  std::uint32_t unseen = 0;  ///< no player was moved by more than 5 cm

  std::uint32_t seen() const;
  /// Share of correct answers among those seen; 0 if none was.
  double right() const;
};

/// Each player has its own yard, without other faults than those of the link.
FaultAnswers inject_faults(const FaultOptions& options);

}  // namespace perigee::lab
