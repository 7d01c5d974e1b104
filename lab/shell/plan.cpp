#include "plan.hpp"

#include <algorithm>
#include <charconv>

#include "perigee/base/hash.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/host/print.hpp"
#include "perigee/world/watched_game.hpp"

namespace perigee::lab {
namespace {

constexpr std::size_t published_presets = 8;  // the first ones: ours, and the published ones
constexpr std::size_t usual_profiles = 8;     // P0 to P7; the others change during play
constexpr std::string_view quick_everywhere = "L1,L2,L3,L4,L5,";
/// Scenarios of the full table: on the profiles beyond P7; with the published presets on P1 and P3.
constexpr std::string_view full_on_changing_links = "L1,L2,L10,play,";
constexpr std::string_view full_of_others = "L1,L2,L3,L4,L5,L6,L10,L11,L12,crowd,play,";

struct Size {
  std::uint32_t players, seconds, seeds;
};
constexpr Size quick{4, 120, 1};
constexpr Size full{16, 120, 3};

bool names(std::string_view list, std::string_view name) {
  return ("," + std::string(list)).find("," + std::string(name) + ",") != std::string::npos;
}

template <class List>
std::size_t rank_of(const List& list, std::string_view name) {
  const auto named = [&](const auto& item) { return item.name == name; };
  return static_cast<std::size_t>(std::ranges::find_if(list, named) - list.begin());
}

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

/// Whether the plan's size includes this cell, apart from lists given by name.
bool belongs(const PlanOptions& options, const Scenario& scenario, const LinkPair& link,
             const Preset& preset) {
  const bool any_link = !options.profiles.empty();
  if (options.presets.empty()) {
    const std::size_t rank = rank_of(presets(), preset.name);
    if (rank >= (options.full ? published_presets : 2)) return false;
    const bool shown = names("P1,P3,", link.name) && names(full_of_others, scenario.name);
    if (rank >= 2 && !any_link && link.name != "P2" && !shown) return false;
  }
  if (any_link) return true;
  if (options.full) {
    return rank_of(link_profiles(), link.name) < usual_profiles ||
           names(full_on_changing_links, scenario.name);
  }
  return link.name == "P2" ||
         (names(quick_everywhere, scenario.name) && names("P3,P5,", link.name));
}

/// The first seed that is derived from the commit; the others follow it.
std::uint64_t seed_of(const std::string& commit) {
  std::uint64_t hash = seeds_max;
  for (const char c : commit) hash = mix64(hash, static_cast<std::uint64_t>(c));
  return seeds_max + 1 + hash % 1'000'000;
}

struct Seeds {
  std::uint64_t first = 1;
  std::uint32_t count = 1;
};
Result<Seeds> read_seeds(const PlanOptions& options, std::uint32_t usual) {
  constexpr std::string_view of_commit = "commit";
  std::string_view asked = options.seeds;
  if (asked.empty() && options.full) asked = of_commit;
  Seeds seeds{.count = usual};
  const bool follow = asked.starts_with(of_commit);
  if (follow) asked.remove_prefix(of_commit.size());
  const bool counted = follow ? asked.starts_with(':') : !asked.empty();
  if (follow && counted) asked.remove_prefix(1);
  if (counted) {
    const auto [end, wrong] =
        std::from_chars(asked.data(), asked.data() + asked.size(), seeds.count);
    if (wrong != std::errc{}) seeds.count = 0;
    if (end == asked.data() + asked.size()) asked = {};
  }
  if (!asked.empty() || seeds.count < 1 || seeds.count > seeds_max) {
    return Error{"seeds must be a number from 1 to " + std::to_string(seeds_max) +
                 ", commit or commit:NUMBER, not '" + options.seeds + "'"};
  }
  if (!follow) return seeds;
  if (options.commit == unknown_commit) {
    return Error{
        "no commit is known from which seeds could be derived: start with ./perigee lab in a "
        "checkout, or set a number, such as --seeds 3"};
  }
  seeds.first = seed_of(options.commit);
  return seeds;
}

/// Bots in a game of which the lab knows nothing. It has no floors for what they do.
Scenario scenario_of(const world::GameModule& game) {
  return {.name = "game",
          .about = "bots wander in the game of --game",
          .floors = {.moving_share = 0,
                     .turns = 0,
                     .contacts = 0,
                     .jumps = 0,
                     .predicted_share = 0.9,
                     .compared_share = 0.9},
          .stage = [&game](std::uint32_t) { return std::make_unique<world::WatchedGame>(game); },
          .pilot = [](const client::Client& client,
                      std::uint64_t seed) { return std::make_unique<bots::Brain>(client, seed); }};
}

/// The same scenario with a game that is checked.
Scenario checked(Scenario scenario, const purity::CheckedTwice::Report& report) {
  scenario.stage = [stage = scenario.stage, report](std::uint32_t players) {
    return std::make_unique<purity::CheckedTwice>(stage(players), report);
  };
  return scenario;
}

Result<std::vector<Scenario>> games_of(const PlanOptions& options) {
  if (options.game == nullptr) {
    return chosen<Scenario>(options.scenarios, scenarios(), find_scenario);
  }
  if (options.scenarios.empty()) return std::vector{scenario_of(*options.game)};
  return Error{"the scenarios are Skiff's; omit them, or omit --game"};
}

}  // namespace

Result<std::vector<CellOptions>> plan(const PlanOptions& options) {
  auto games = games_of(options);
  if (!games) return games.error();
  if (options.on_impurity) {
    for (Scenario& scenario : *games) scenario = checked(scenario, options.on_impurity);
  }
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
  const auto seeds = read_seeds(options, size.seeds);
  if (!seeds) return seeds.error();
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
        const bool once =
            options.full && options.seeds.empty() && preset.name != presets().front().name;
        for (std::uint32_t i = 0; i < (once ? 1 : seeds->count); ++i) {
          cell.seed = seeds->first + i;
          out.push_back(cell);
        }
      }
    }
  }
  return out;
}

std::string list_of(std::span<const CellOptions> cells) {
  std::string out;
  for (const CellOptions& cell : cells) {
    for (const std::string_view name : {cell.scenario.name, cell.link.name, cell.preset.name}) {
      out += std::string(name) + " ";
    }
    host::print(out, "seed %llu, %u players, %u s\n", static_cast<unsigned long long>(cell.seed),
                cell.players, cell.seconds);
  }
  return out;
}

}  // namespace perigee::lab
