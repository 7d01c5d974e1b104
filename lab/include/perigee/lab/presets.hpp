/// Named sets of techniques: our own, and those of other systems, to be compared with each other.
#pragma once

#include <span>
#include <string_view>

#include "perigee/base/result.hpp"
#include "perigee/base/techniques.hpp"

namespace perigee::lab {

struct Preset {
  std::string_view name;
  std::string_view about;
  Techniques techniques;
};
/// Ours first, then the published ones, then ours with one change each.
std::span<const Preset> presets();
/// By name, or an Error that lists the names.
Result<Preset> find_preset(std::string_view name);

}  // namespace perigee::lab
