/// The spans of a log-in and of a claim, at the session service.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "perigee/session/core.hpp"
#include "tracer.hpp"

namespace perigee::session {

/// Moments of a log-in, on the monotonic clock. None: it was refused before.
struct LogInTimes {
  Micros began_us = 0;
  std::optional<Micros> checked_us;        ///< rates, versions and name are right
  std::optional<Micros> authenticated_us;  ///< the player's identity is known
};

void record_log_in(tracing::Tracer& tracer, const LogInTimes& times, Micros ended_us,
                   const std::variant<Admitted, Refused>& answer);
/// `outcome`: as in the metrics.
void record_claim(tracing::Tracer& tracer, Micros began_us, Micros ended_us,
                  std::uint64_t client_id, std::string_view outcome);

}  // namespace perigee::session
