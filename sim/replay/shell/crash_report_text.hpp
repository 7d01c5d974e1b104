/// A crash report as text.
#pragma once

#include <string>

#include "perigee/replay/crash_report.hpp"

namespace perigee::replay {

/// The whole report: a line for each player, and one for each input.
std::string reported(const CrashReport& report);

}  // namespace perigee::replay
