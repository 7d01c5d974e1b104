/// Why a client's present state had to be corrected; the labels of
/// perigee_client_corrections_total{cause}.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/base/counts.hpp"

namespace perigee {

enum class CorrectionCause : std::uint8_t {
  InputLost,
  InputLate,
  StaleObject,
  NotStreamed,
  HitAnimatedBody,
  ParentSwitch,
  RotatingFrame,
  Constraint,
  ControllerState,
  ClockStep,
  Migration,
  ServerOverride,
  Residual,
  Unknown,
  last = Unknown
};

inline constexpr std::array correction_cause_rows = {
    CountRow<CorrectionCause>{CorrectionCause::InputLost, "input_lost", "An input never arrived."},
    CountRow<CorrectionCause>{CorrectionCause::InputLate, "input_late",
                              "An input arrived after its tick was final."},
    CountRow<CorrectionCause>{CorrectionCause::StaleObject, "stale_object",
                              "An obstacle was known at an older version."},
    CountRow<CorrectionCause>{CorrectionCause::NotStreamed, "not_streamed",
                              "An obstacle was not known at all."},
    CountRow<CorrectionCause>{CorrectionCause::HitAnimatedBody, "hit_animated_body",
                              "Touched a body that the client does not predict."},
    CountRow<CorrectionCause>{CorrectionCause::ParentSwitch, "parent_switch",
                              "The parent changed at another tick than predicted."},
    CountRow<CorrectionCause>{CorrectionCause::RotatingFrame, "rotating_frame",
                              "The parent turned otherwise than extrapolated."},
    CountRow<CorrectionCause>{CorrectionCause::Constraint, "constraint",
                              "Part of a constraint chain."},
    CountRow<CorrectionCause>{CorrectionCause::ControllerState, "controller_state",
                              "Hidden state of the controller differed."},
    CountRow<CorrectionCause>{CorrectionCause::ClockStep, "clock_step", "The clock jumped."},
    CountRow<CorrectionCause>{CorrectionCause::Migration, "migration", "The owner changed."},
    CountRow<CorrectionCause>{CorrectionCause::ServerOverride, "server_override",
                              "The server moved the player: respawn, reset, teleport."},
    CountRow<CorrectionCause>{CorrectionCause::Residual, "residual",
                              "No substitution removed the error."},
    CountRow<CorrectionCause>{CorrectionCause::Unknown, "unknown", "Not analyzed."},
};
static_assert(one_row_each(correction_cause_rows), "give every cause one row, in enum order");

}  // namespace perigee
