/// Are causes of corrections told rightly? Each is brought about on purpose, many times, and the
/// answers are counted. (metric M9 of the lab)
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "perigee/netcode/correction_cause.hpp"
#include "perigee/netcode/link_simulator.hpp"

namespace perigee::lab {

/// What can be brought about. Handoff: as soon as owners change.
std::span<const CorrectionCause> injected_causes();

struct FaultOptions {
  CorrectionCause cause = CorrectionCause::InputLost;
  LinkPair link;
  std::uint32_t faults = 100;
  std::uint64_t seed = 1;
};

/// What faults of one cause were taken for.
struct FaultAnswers {
  CorrectionCause injected = CorrectionCause::Unknown;
  std::array<std::uint32_t, enum_count<CorrectionCause>> taken_for{};
  std::uint32_t unseen = 0;  ///< nobody was moved by more than 5 cm

  std::uint32_t seen() const;
  /// Of those that were seen; 0 if none was.
  double right() const;
};

/// Players in yards of their own, where nothing else goes wrong but what the link does.
FaultAnswers inject_faults(const FaultOptions& options);

}  // namespace perigee::lab
