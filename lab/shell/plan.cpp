#include "plan.hpp"

#include <algorithm>
#include <array>

#include "perigee/netcode/hash.hpp"

namespace perigee::lab {
namespace {

constexpr std::size_t published_presets = 8;  // the first ones: ours, and what others describe
constexpr std::array quick_everywhere{"L1", "L2", "L3", "L4", "L5"};

struct Size {
  std::uint32_t players, seconds, seeds;
};
constexpr Size quick{4, 120, 1};
constexpr Size full{16, 240, 3};

template <class Item, class Find>
Result<std::vector<Item>> chosen(const std::string& names, std::span<const Item> all, Find find) {
  if (names == "all" || names.empty()) return std::vector<Item>(all.begin(), all.end());
  std::vector<Item> out;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    const auto item = find(std::string_view(names).substr(at, end - at));
    if (!item) return item.error();
    out.push_back(*item);
    at = end + 1;
  }
  return out;
}

/// Whether the size has this cell, as far as it was not asked for by name.
bool belongs(const PlanOptions& options, const Scenario& scenario, const LinkPair& link,
             const Preset& preset) {
  const std::size_t rank = static_cast<std::size_t>(
      std::ranges::find(presets(), preset.name, &Preset::name) - presets().begin());
  if (options.presets.empty()) {
    if (rank >= (options.full ? published_presets : 2)) return false;
    const bool near = link.name == "P1" || link.name == "P2" || link.name == "P3";
    if (rank >= 2 && !near && options.profiles.empty()) return false;
  }
  if (!options.profiles.empty() || options.full) return true;
  const bool everywhere =
      std::ranges::find(quick_everywhere, scenario.name) != quick_everywhere.end();
  return link.name == "P2" || (everywhere && (link.name == "P3" || link.name == "P5"));
}

std::uint64_t seed_of(const std::string& commit) {
  std::uint64_t hash = fixed_seeds_max;
  for (const char c : commit) hash = mix64(hash, static_cast<std::uint64_t>(c));
  return fixed_seeds_max + 1 + hash % 1'000'000;
}

}  // namespace

Result<std::vector<CellOptions>> plan(const PlanOptions& options) {
  const auto games = chosen<Scenario>(options.scenarios, scenarios(), find_scenario);
  if (!games) return games.error();
  const std::vector<LinkPair>& own = options.own_links;
  const auto find_link = [&](std::string_view name) -> Result<LinkPair> {
    const auto found = std::ranges::find(own, name, &LinkPair::name);
    return found != own.end() ? *found : find_link_profile(name);
  };
  const bool own_only = options.profiles.empty() && !own.empty();
  const auto links =
      chosen<LinkPair>(options.profiles, own_only ? own : link_profiles(), find_link);
  if (!links) return links.error();
  const auto wanted = chosen<Preset>(options.presets, presets(), find_preset);
  if (!wanted) return wanted.error();

  const Size size = options.full ? full : quick;
  const auto or_else = [](std::uint32_t asked, std::uint32_t usual) {
    return asked != 0 ? asked : usual;
  };
  std::vector<CellOptions> out;
  for (const Scenario& scenario : *games) {
    for (const LinkPair& link : *links) {
      for (const Preset& preset : *wanted) {
        if (!own_only && !belongs(options, scenario, link, preset)) continue;
        CellOptions cell{.scenario = scenario,
                         .preset = preset,
                         .link = link,
                         .players = or_else(options.players, size.players),
                         .seconds = or_else(options.seconds, size.seconds)};
        for (cell.seed = 1; cell.seed <= or_else(options.seeds, size.seeds); ++cell.seed) {
          out.push_back(cell);
        }
        if (!options.full || preset.name != presets().front().name) continue;
        cell.seed = seed_of(options.commit);
        out.push_back(cell);
      }
    }
  }
  return out;
}

}  // namespace perigee::lab
