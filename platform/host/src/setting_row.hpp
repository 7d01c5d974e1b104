/// One setting as a row of text conversions; Settings works only on the table of these rows.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "perigee/base/result.hpp"

namespace perigee::host {

enum class SettingKind : unsigned char { Number, Numbers, Flag, Text };

struct SettingRow {
  std::string key;     // sim.tick_rate_hz
  std::string help;    // meaning
  std::string limits;  // "30 .. 120 Hz", "text | json", or empty
  SettingKind kind = SettingKind::Text;
  std::function<Result<Ok>(std::string_view)> set;
  std::function<std::string()> get;  // in the format that set() takes
  std::string origin = "default";

  std::string flag() const;         // --sim-tick-rate-hz
  std::string environment() const;  // PERIGEE_SIM_TICK_RATE_HZ
  std::string toml_value() const;   // the present value in TOML syntax
};

/// Minimum number of single-character edits from one to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace perigee::host
