// perigee-lab: the whole cluster on virtual time, preset by preset, in the same weather.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "confusion.hpp"
#include "crew.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/print.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/settings.hpp"
#include "perigee/transport/keys.hpp"
#include "report.hpp"

namespace perigee::lab {
namespace {

constexpr std::string_view process = "perigee-lab";

struct Options {
  std::string scenarios = "all";
  std::string profiles = "P2,P3,P5";
  std::string presets = "perigee";
  std::uint32_t players = 4;
  std::uint32_t seconds = 60;
  std::uint32_t seeds = 1;
  std::uint32_t threads = std::max(1U, std::thread::hardware_concurrency());
  bool probes = false;
  std::uint32_t causes = 0;
  bool json = false;
};

void add_names(std::string& out, std::string_view name, std::string_view about) {
  host::print(out, "  %-18.*s", static_cast<int>(name.size()), name.data());
  out += std::string(about) + "\n";
}

std::string list() {
  std::string out = "Scenarios:\n";
  for (const Scenario& scenario : scenarios()) add_names(out, scenario.name, scenario.about);
  out += "Profiles of the network, both ways:\n";
  for (const LinkPair& pair : link_profiles()) add_names(out, pair.name, pair.about);
  out += "Presets of techniques:\n";
  for (const Preset& preset : presets()) add_names(out, preset.name, preset.about);
  return out;
}

void declare(host::Settings& settings, Options& options) {
  settings.text("scenarios", &options.scenarios, "what is played, with commas between; or all");
  settings.text("profiles", &options.profiles, "of the network, with commas between; or all");
  settings.text("presets", &options.presets, "of techniques, with commas between; or all");
  settings.number("players", &options.players, {1, 64}, "", "that play in each cell");
  settings.number("seconds", &options.seconds, {5, 3'600}, "s",
                  "of virtual time that are measured, after 10 to settle");
  settings.number("seeds", &options.seeds, {1, 100}, "", "of each cell; the worst is shown");
  settings.number("threads", &options.threads, {1, 256}, "", "that run cells side by side");
  settings.flag("probes", &options.probes,
                "measure how soon a key is seen and how long an error lasts, instead of cells");
  settings.number("causes", &options.causes, {0, 10'000}, "",
                  "faults to bring about of each cause of corrections, instead of playing cells: "
                  "are they told rightly? 0: play");
  settings.flag("json", &options.json, "print one JSON object with all cells instead of tables");
  settings.printable("list", "print all scenarios, profiles and presets", list);
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

void run_faults(const Options& options, std::span<const LinkPair> links) {
  for (const LinkPair& link : links) {
    std::vector<FaultAnswers> answers;
    for (const CorrectionCause cause : injected_causes()) {
      answers.push_back(inject_faults({.cause = cause, .link = link, .faults = options.causes}));
    }
    const auto report = options.json ? confusion_json : confusion_table;
    std::fputs(report(answers, link.name).c_str(), stdout);
  }
}

int run(const Options& options) {
  if (const auto crypto = transport::init_crypto(); !crypto) {
    return host::report_failure(process, crypto.error());
  }
  const auto games = chosen<Scenario>(options.scenarios, scenarios(), find_scenario);
  if (!games) return misused(games.error());
  const auto links = chosen<LinkPair>(options.profiles, link_profiles(), find_link_profile);
  if (!links) return misused(links.error());
  const auto wanted = chosen<Preset>(options.presets, presets(), find_preset);
  if (!wanted) return misused(wanted.error());

  if (options.probes) {
    std::fputs(probe_table(*wanted, *links).c_str(), stdout);
    return host::exit_ok;
  }
  if (options.causes > 0) {
    run_faults(options, *links);
    return host::exit_ok;
  }
  std::vector<CellOptions> orders;
  for (const Scenario& scenario : *games) {
    for (const LinkPair& link : *links) {
      for (const Preset& preset : *wanted) {
        for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
          orders.push_back({.scenario = scenario,
                            .preset = preset,
                            .link = link,
                            .players = options.players,
                            .seconds = options.seconds,
                            .seed = seed});
        }
      }
    }
  }
  const bool shows_progress = isatty(STDERR_FILENO) != 0;
  const auto cells =
      run_cells(orders, options.threads, [&](std::size_t begun, const CellOptions& cell) {
        if (!shows_progress) return;
        std::string line;
        host::print(line, "\r\033[K%zu of %zu: ", begun, orders.size());
        line += std::string(cell.scenario.name) + ", " + std::string(cell.preset.name) + " on " +
                std::string(cell.link.name) + ", seed " + std::to_string(cell.seed) + " ";
        std::fputs(line.c_str(), stderr);
      });
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
      "What techniques against latency feel like: players in a whole cluster on virtual time,\n"
      "scenario by scenario, preset by preset, in the same weather. docs/feel.md says what the\n"
      "columns mean.",
      "  perigee-lab\n"
      "  perigee-lab --scenarios L1,play --profiles P5 --presets perigee,exponential --seeds 3\n"
      "  perigee-lab --probes --presets all --profiles P2\n"
      "  perigee-lab --causes 100 --profiles P2\n"
      "  perigee-lab --profiles all --presets all --players 16 --seconds 240 --json\n");
  lab::declare(settings, options);
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::set_up_log("lab", host::LogFormat::Text, host::LogLevel::Error);
  return lab::run(options);
}
