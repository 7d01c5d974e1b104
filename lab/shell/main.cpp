// perigee-lab: the whole cluster on virtual time, preset by preset, under the same conditions.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "confusion.hpp"
#include "crew.hpp"
#include "flight_files.hpp"
#include "json.hpp"
#include "ledger.hpp"
#include "perigee/game_library/game_choice.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/print.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/settings.hpp"
#include "perigee/skiff_library/stages.hpp"
#include "perigee/transport/keys.hpp"
#include "plan.hpp"
#include "profile_files.hpp"
#include "report.hpp"

namespace perigee::lab {
namespace {

constexpr std::string_view process = "perigee-lab";

struct Options {
  PlanOptions plan;
  std::uint32_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::string into, from, html, profile_file;
  bool plan_only = false;
  bool probes = false;
  std::uint32_t causes = 0;
  std::string record;
  bool json = false;
  bool markdown = false;
  bool check_purity = false;
};

template <class Item>
void add_once(std::vector<Item>& items, const Item& item) {
  if (std::ranges::find(items, item.name, &Item::name) == items.end()) items.push_back(item);
}

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
  PlanOptions& plan = options.plan;
  settings.text("scenarios", &plan.scenarios, "scenarios to play, separated by commas; empty: all");
  settings.text("profiles", &plan.profiles,
                "profiles of the network, separated by commas, or all; empty: P2, and for L1 to L5 "
                "also P3 and P5");
  settings.text("profile_file", &options.profile_file,
                "recorded networks to play on, NAME=PATH or NAME=UP:DOWN separated by commas "
                "(docs/feel.md); without profiles, only these are played");
  settings.text("presets", &plan.presets,
                "presets of techniques, separated by commas, or all; empty: perigee and talk");
  settings.flag(
      "full", &plan.full,
      "the whole table: 16 players, 120 s, 3 seeds derived from the commit for our preset and one "
      "for others; docs/feel.md lists the cells; takes an hour or more: see into");
  settings.number("players", &plan.players, {0, 64}, "", "players in each cell; 0: 4");
  settings.number("seconds", &plan.seconds, {0, 3'600}, "s",
                  "measured virtual time, after a warm-up of 10 s; 0: 120");
  settings.text(
      "seeds", &plan.seeds,
      "seeds of each cell, the worst is shown: N for the seeds 1 to N; commit or commit:N for "
      "seeds derived from the commit, for which nobody can have tuned; empty: 1");
  settings.flag("plan", &options.plan_only,
                "print the cells that would be played, without playing them");
  settings.number("threads", &options.threads, {1, 256}, "", "threads that run cells in parallel");
  settings.text(
      "into", &options.into,
      "file (CSV) to which every cell is added; cells that it has already are not measured again");
  settings.text("from", &options.from,
                "such a file to show, without playing; docs/lab/cells.csv has our measurements");
  settings.flag("probes", &options.probes,
                "measure the delay from a key press to its display and the duration of errors, "
                "instead of cells");
  settings.number("causes", &options.causes, {0, 10'000}, "",
                  "faults to inject for each cause of corrections, instead of playing cells, to "
                  "check the reported causes; 0: play");
  settings.text("record", &options.record,
                "folder for both halves of each cell's worst correction, for ./perigee replay");
  settings.text("html", &options.html, "also write an HTML page with charts to this file");
  settings.flag("check_purity", &options.check_purity,
                "call each function of the game that must be pure twice; differences are printed, "
                "and the exit code is 1");
  settings.flag("markdown", &options.markdown, "print the table of docs/feel.md instead");
  settings.flag("json", &options.json, "print one JSON object with all cells instead of tables");
  settings.printable("list", "print all scenarios, profiles and presets", list);
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

/// Progress of a long run on a terminal: position and remaining time.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t cells) : cells_(cells), shown_(isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  void show(std::size_t begun, const CellOptions& cell) const {
    if (!shown_) return;
    std::string line;
    host::print(line, "\r\033[K%zu of %zu", begun, cells_);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    const double left_s =
        passed.count() / static_cast<double>(begun) * static_cast<double>(cells_ - begun);
    if (begun > 4) host::print(line, ", %.0f min left", left_s / 60);
    line += ": " + std::string(cell.scenario.name) + ", " + std::string(cell.preset.name) + " on " +
            std::string(cell.link.name) + ", seed " + std::to_string(cell.seed) + " ";
    std::fputs(line.c_str(), stderr);
  }

 private:
  std::size_t cells_;
  bool shown_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// In the order of `orders`; cells in the ledger are not run.
Result<std::vector<Cell>> measure(const std::vector<CellOptions>& orders, std::uint32_t threads,
                                  Ledger* ledger) {
  std::vector<Cell> cells(orders.size());
  std::vector<CellOptions> open;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const auto known = ledger != nullptr ? ledger->find(orders[i]) : std::nullopt;
    if (known) {
      cells[i] = *known;
    } else {
      open.push_back(orders[i]);
      places.push_back(i);
    }
  }
  const ProgressLine line(open.size());
  bool kept = true;
  const auto measured = run_cells(
      open, threads, [&](std::size_t begun, const CellOptions& cell) { line.show(begun, cell); },
      [&](const CellOptions& order, const Cell& cell) {
        if (ledger != nullptr) kept = ledger->add(order, cell) && kept;
      });
  if (!kept) return Error{"the file of cells could not be written completely: is the disk full?"};
  for (std::size_t i = 0; i < places.size(); ++i) cells[places[i]] = measured[i];
  return cells;
}

Result<Ok> print_report(const Options& options, std::span<const Cell> cells, const Provenance& of) {
  if (!options.html.empty()) {
    std::ofstream out(options.html);
    out << html(cells, of);
    if (!out.flush()) return Error{"cannot write " + options.html};
  }
  const std::string text = options.json       ? json(cells, of)
                           : options.markdown ? markdown(cells)
                                              : table(cells) + verdict(cells);
  std::fputs(text.c_str(), stdout);
  return Ok{};
}

/// On standard error, so that standard output is the same as after a run.
void print_measured_commit(const Ledger::Table& table) {
  const Provenance ours = of_this_build(table.of.commit);
  std::string line = "Measured at commit " + table.of.commit + " with yardstick " +
                     table.of.yardstick + ", protocol " + table.of.protocol;
  const bool same = table.of.protocol == ours.protocol && table.of.yardstick == ours.yardstick;
  line += same ? ".\n"
               : "; this build has yardstick " + ours.yardstick + ", protocol " + ours.protocol +
                     ". Figures of the two must not be mixed in one table.\n";
  const char* comma = "Not in the file, shown as 0: ";
  for (const std::string& name : table.missing) line += std::exchange(comma, ", ") + name;
  if (!table.missing.empty()) line += "\n";
  std::fputs(line.c_str(), stderr);
}

/// The differences that the cells found, each once.
class Impurities {
 public:
  purity::CheckedTwice::Report report() {
    return [this](const purity::Impurity& impurity) {
      const std::scoped_lock lock(mutex_);
      if (known_.insert(impurity.function + " " + impurity.field).second) {
        sentences_ += "perigee-lab: " + purity::to_sentence(impurity) + "\n";
      }
    };
  }
  /// Whether there are any.
  bool print() const {
    std::fputs(sentences_.c_str(), stderr);
    return !sentences_.empty();
  }

 private:
  std::mutex mutex_;
  std::set<std::string> known_;
  std::string sentences_;
};

int run(Options options) {
  if (!options.from.empty()) {
    const auto known = Ledger::load(options.from);
    if (known) print_measured_commit(*known);
    const auto reported = known ? print_report(options, known->cells, known->of) : known.error();
    return reported ? host::exit_ok : host::report_failure(process, reported.error());
  }
  if (const auto crypto = transport::init_crypto(); !crypto) {
    return host::report_failure(process, crypto.error());
  }
  ProfileFiles files;
  if (const auto read = files.read(options.profile_file); !read) return misused(read.error());
  options.plan.own_links = files.profiles();
  if (!files.profiles().empty() && !(options.into.empty() && options.html.empty())) {
    return misused(Error{"into and html support only the lab's own profiles; omit profile-file"});
  }
  if (options.plan.game != nullptr &&
      (!options.into.empty() || options.probes || options.causes > 0)) {
    return misused(Error{"into, probes and causes play Skiff only; omit them, or omit --game"});
  }
  Impurities impurities;
  if (options.check_purity) options.plan.on_impurity = impurities.report();
  auto orders = plan(options.plan);
  if (!orders) return misused(orders.error());
  for (CellOptions& order : *orders) order.records = !options.record.empty();
  if (options.plan_only) {
    std::fputs(list_of(*orders).c_str(), stdout);
    return host::exit_ok;
  }
  std::vector<Preset> asked;
  std::vector<LinkPair> links;
  for (const CellOptions& order : *orders) {
    add_once(asked, order.preset);
    add_once(links, order.link);
  }
  if (options.probes) {
    std::fputs(probe_table(asked, links).c_str(), stdout);
    return host::exit_ok;
  }
  if (options.causes > 0) {
    run_faults(options, links);
    return host::exit_ok;
  }
  std::optional<Ledger> ledger;
  if (!options.into.empty()) {
    auto opened = Ledger::open(options.into, options.plan.commit);
    if (!opened) return host::report_failure(process, opened.error());
    ledger.emplace(std::move(*opened));
  }
  const auto cells = measure(*orders, options.threads, ledger ? &*ledger : nullptr);
  if (!cells) return host::report_failure(process, cells.error());
  if (const auto reported = print_report(options, *cells, of_this_build(options.plan.commit));
      !reported) {
    return host::report_failure(process, reported.error());
  }
  if (const auto written = write_flights(*cells, options.record); !written) {
    return host::report_failure(process, written.error());
  }
  return impurities.print() ? host::exit_failed : host::exit_ok;
}

}  // namespace
}  // namespace perigee::lab

int main(int argc, char** argv) {
  using namespace perigee;
  lab::Options options;
  host::Settings settings(
      std::string(lab::process),
      "Measures what latency techniques feel like: players in a whole cluster on virtual time, "
      "by\nscenario and preset, under the same network conditions. docs/feel.md explains the "
      "columns.",
      "  perigee-lab\n"
      "  perigee-lab --scenarios L1,play --profiles P5 --presets perigee,exponential --seeds 3\n"
      "  perigee-lab --profile-file lte=verizon.up:verizon.down@40,far=normal.dist@300/30 "
      "--scenarios L1\n"
      "  perigee-lab --probes --presets all --profiles P2\n"
      "  perigee-lab --causes 100 --profiles P2\n"
      "  perigee-lab --scenarios L2 --profiles P3 --record /tmp/flights\n"
      "  perigee-lab --full --into full.csv --html full.html   (again: continues where it "
      "stopped)\n"
      "  perigee-lab --game build/libmygame.so --profiles P3,P5 --seconds 60\n"
      "  perigee-lab --from docs/lab/cells.csv --html cells.html\n");
  lab::declare(settings, options);
  game_library::GameChoice choice(skiff::stages());
  choice.declare_game(settings);
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  if (choice.from_library()) options.plan.game = &choice.game();
  const char* commit = std::getenv("PERIGEE_COMMIT");
  if (commit != nullptr) options.plan.commit = commit;
  host::report_crashes(lab::process, {});
  host::set_up_log("lab", host::LogFormat::Text, host::LogLevel::Error);
  return lab::run(options);
}
