/// One setting as a row of text conversions; Settings works only on the table of these rows.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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
  std::string former_key{};  // its key until 0.1.0, or empty

  std::string flag() const;   // --sim-tick-rate-hz
  std::string flags() const;  // with the former one, as CLI11 takes them
  /// PERIGEE_SIM_TICK_RATE_HZ, after the former one.
  std::vector<std::string> environments() const;
  std::string toml_value() const;  // the present value in TOML syntax
};

/// Minimum number of single-character edits from one to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace perigee::host
