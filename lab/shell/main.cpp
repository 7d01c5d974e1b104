// perigee-lab: the whole cluster on virtual time, preset by preset, in the same weather.
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/host/log.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/settings.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/transport/keys.hpp"
#include "report.hpp"

namespace perigee::lab {
namespace {

constexpr std::string_view process = "perigee-lab";

struct Options {
  std::string profiles = "P2,P3,P5";
  std::string presets = "all";
  std::uint32_t players = 4;
  std::uint32_t seconds = 60;
  std::uint32_t seeds = 1;
  bool json = false;
};

std::string list() {
  std::string out = "Profiles of the network, both ways:\n";
  for (const LinkPair& pair : link_profiles()) {
    out += "  " + std::string(pair.name) + "  " + std::string(pair.about) + "\n";
  }
  out += "Presets of techniques:\n";
  for (const Preset& preset : presets()) {
    std::string name(preset.name);
    name.resize(18, ' ');
    out += "  " + name + std::string(preset.about) + "\n";
  }
  return out;
}

void declare(host::Settings& settings, Options& options) {
  settings.text("profiles", &options.profiles, "of the network, with commas between; or all");
  settings.text("presets", &options.presets, "of techniques, with commas between; or all");
  settings.number("players", &options.players, {1, 64}, "", "bots that play in each cell");
  settings.number("seconds", &options.seconds, {5, 3'600}, "s",
                  "of virtual time that are measured, after 10 to settle");
  settings.number("seeds", &options.seeds, {1, 100}, "", "of each cell; the worst is shown");
  settings.flag("json", &options.json, "print one JSON object with all cells instead of tables");
  settings.printable("list", "print all profiles and presets", list);
}

template <class Item, class Find>
Result<std::vector<Item>> chosen(const std::string& names, std::span<const Item> all, Find find) {
  if (names == "all") return std::vector<Item>(all.begin(), all.end());
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

int misused(const Error& error) {
  host::report_failure(process, error);
  return host::exit_usage;
}

int run(const Options& options) {
  if (const auto crypto = transport::init_crypto(); !crypto) {
    return host::report_failure(process, crypto.error());
  }
  const auto links = chosen<LinkPair>(options.profiles, link_profiles(), find_link_profile);
  if (!links) return misused(links.error());
  const auto wanted = chosen<Preset>(options.presets, presets(), find_preset);
  if (!wanted) return misused(wanted.error());

  const skiff::Skiff game;
  std::vector<Cell> cells;
  const bool shows_progress = isatty(STDERR_FILENO) != 0;
  const std::size_t total = links->size() * wanted->size() * options.seeds;
  for (const LinkPair& link : *links) {
    for (const Preset& preset : *wanted) {
      for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
        if (shows_progress)
          std::fprintf(stderr, "\r\033[K%zu of %zu: %.*s on %.*s, seed %llu ", cells.size() + 1,
                       total, static_cast<int>(preset.name.size()), preset.name.data(),
                       static_cast<int>(link.name.size()), link.name.data(),
                       static_cast<unsigned long long>(seed));
        cells.push_back(run_cell(game, {.preset = preset,
                                        .link = link,
                                        .players = options.players,
                                        .seconds = options.seconds,
                                        .seed = seed}));
      }
    }
  }
  if (shows_progress) std::fputs("\r\033[K", stderr);
  std::fputs((options.json ? json(cells) : table(cells)).c_str(), stdout);
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::lab

int main(int argc, char** argv) {
  using namespace perigee;
  lab::Options options;
  host::Settings settings(
      std::string(lab::process),
      "What techniques against latency feel like: bots play Skiff in a whole cluster on virtual "
      "time,\npreset by preset, in the same weather. docs/feel.md says what the columns mean.",
      "  perigee-lab\n"
      "  perigee-lab --profiles P5 --presets perigee,exponential --seeds 3\n"
      "  perigee-lab --profiles all --players 16 --seconds 240 --json\n");
  lab::declare(settings, options);
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::set_up_log("lab", host::LogFormat::Text, host::LogLevel::Error);
  return lab::run(options);
}
