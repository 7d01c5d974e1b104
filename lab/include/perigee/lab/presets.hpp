/// Named sets of techniques: our own, and what others do, to be measured beside each other.
#pragma once

#include <span>
#include <string_view>

#include "perigee/client/techniques.hpp"
#include "perigee/netcode/result.hpp"

namespace perigee::lab {

struct Preset {
  std::string_view name;
  std::string_view about;
  client::Techniques techniques;
};
/// Ours first; each of the others differs from it in one thing.
std::span<const Preset> presets();
/// By name, or an Error that lists the names.
Result<Preset> find_preset(std::string_view name);

}  // namespace perigee::lab
