#include "ledger.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <tuple>

#include "perigee/host/print.hpp"

namespace perigee::lab {
namespace {

std::string head() {
  std::string out = "protocol,yardstick,commit,scenario,preset,profile,seed,players,seconds,below";
  for (const CellFigure& figure : cell_figures()) out += "," + std::string(figure.name);
  for (const auto& cause : correction_cause_rows) out += ",cause_" + std::string(cause.name);
  return out;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

template <class T>
bool parse(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Protocol, yardstick and commit: the beginning of each line.
std::string stamp_of(const Provenance& of) {
  return of.protocol + "," + of.yardstick + "," + of.commit + ",";
}

/// The columns before the figures, in each file of cells.
constexpr std::array names{"protocol", "yardstick", "commit",  "scenario", "preset",
                           "profile",  "seed",      "players", "seconds",  "below"};

bool is_head(const std::vector<std::string>& columns) {
  return columns.size() > names.size() && std::equal(names.begin(), names.end(), columns.begin());
}

/// In the order of the lab's plan: lines are stored in the order of completion.
auto place_of(const Cell& cell) {
  return std::tuple(&*std::ranges::find(scenarios(), cell.scenario, &Scenario::name),
                    &*std::ranges::find(link_profiles(), cell.profile, &LinkPair::name),
                    &*std::ranges::find(presets(), cell.preset, &Preset::name), cell.seed);
}

}  // namespace

Result<std::vector<Ledger::Line>> Ledger::read_all(const std::string& path,
                                                   const std::string& stamp) {
  std::ifstream old(path);
  std::vector<Line> out;
  std::string line;
  if (!std::getline(old, line)) return out;
  const Fields columns = fields_of(line);
  if (!is_head(columns)) return Error{path + " is not a file of cells; choose another file"};
  while (std::getline(old, line)) {
    if (old.eof()) break;  // an incomplete last line: the process was stopped while writing it
    if (!line.starts_with(stamp)) {
      return Error{
          path + " has figures of another commit or yardstick (" +
          line.substr(0, line.find(',', line.find(',', 2) + 1)) +
          "); these must not be mixed in one table: choose another file, or delete this one"};
    }
    const auto cell = read(columns, line);
    if (!cell) return Error{path + " has a line that is not a cell: " + line.substr(0, 80)};
    out.push_back(*cell);
  }
  return out;
}

Result<Ledger::Table> Ledger::load(const std::string& path) {
  std::ifstream file(path);
  std::string first, second;
  if (!std::getline(file, first) || !std::getline(file, second)) {
    return Error{path + " has no cells; create them with `perigee-lab --full --into FILE`"};
  }
  Fields cell = fields_of(second);
  cell.resize(std::max(cell.size(), names.size()));
  Table out{{cell[0], cell[1], cell[2]}, {}, {}};
  const auto lines = read_all(path, stamp_of(out.of));
  if (!lines) return lines.error();
  const Fields columns = fields_of(first);
  for (const CellFigure& figure : cell_figures()) {
    if (std::ranges::find(columns, figure.name) == columns.end()) {
      out.missing.emplace_back(figure.name);
    }
  }
  for (const Line& known : *lines) out.cells.push_back(known.cell);
  std::ranges::sort(out.cells, {}, place_of);
  return out;
}

Result<Ledger> Ledger::open(const std::string& path, const std::string& commit) {
  Ledger out;
  out.stamp_ = stamp_of(of_this_build(commit));
  const auto known = read_all(path, out.stamp_);
  if (!known) return known.error();
  // Rewritten, to drop an incomplete last line.
  const std::string partial = path + ".partial";
  out.file_.reset(std::fopen(partial.c_str(), "w"));
  if (!out.file_) return Error{"cannot write " + partial + ": " + std::strerror(errno)};
  std::fprintf(out.file_.get(), "%s\n", head().c_str());
  for (const Line& line : *known) {
    CellOptions order{.players = line.players, .seconds = line.seconds};
    if (!out.add(order, line.cell)) return Error{"cannot write " + partial};
  }
  if (std::fflush(out.file_.get()) != 0 || ::rename(partial.c_str(), path.c_str()) != 0) {
    return Error{"cannot write " + path + ": " + std::strerror(errno)};
  }
  return out;
}

// Figures are found by column name: files of other builds have other columns.
std::optional<Ledger::Line> Ledger::read(const Fields& columns, const std::string& text) {
  const Fields fields = fields_of(text);
  if (fields.size() != columns.size()) return {};
  const auto scenario = find_scenario(fields[3]);
  const auto preset = find_preset(fields[4]);
  const auto link = find_link_profile(fields[5]);
  Line out;
  if (!scenario || !preset || !link || !parse(fields[6], out.cell.seed) ||
      !parse(fields[7], out.players) || !parse(fields[8], out.seconds)) {
    return {};
  }
  out.cell.scenario = scenario->name;
  out.cell.preset = preset->name;
  out.cell.profile = link->name;
  out.cell.below = fields[9];
  const auto fill = [&](const std::string& name, double& value) {
    const auto column = std::ranges::find(columns, name);
    return column == columns.end() ||
           parse(fields[static_cast<std::size_t>(column - columns.begin())], value);
  };
  for (const CellFigure& figure : cell_figures()) {
    if (!fill(std::string(figure.name), out.cell.*figure.value)) return {};
  }
  for (std::size_t i = 0; i < correction_cause_rows.size(); ++i) {
    const std::string name = "cause_" + std::string(correction_cause_rows[i].name);
    if (!fill(name, out.cell.causes_per_minute[i])) return {};
  }
  return out;
}

std::optional<Cell> Ledger::find(const CellOptions& order) const {
  for (const Line& line : lines_) {
    if (line.cell.scenario == order.scenario.name && line.cell.preset == order.preset.name &&
        line.cell.profile == order.link.name && line.cell.seed == order.seed &&
        line.players == order.players && line.seconds == order.seconds) {
      return line.cell;
    }
  }
  return std::nullopt;
}

bool Ledger::add(const CellOptions& order, const Cell& cell) {
  std::string line = stamp_ + std::string(cell.scenario) + "," + std::string(cell.preset) + "," +
                     std::string(cell.profile) + "," + std::to_string(cell.seed) + "," +
                     std::to_string(order.players) + "," + std::to_string(order.seconds) + "," +
                     cell.below;
  for (const CellFigure& figure : cell_figures()) host::print(line, ",%.9g", cell.*figure.value);
  for (const double cause : cell.causes_per_minute) host::print(line, ",%.9g", cause);
  lines_.push_back({cell, order.players, order.seconds});
  return std::fprintf(file_.get(), "%s\n", line.c_str()) > 0 && std::fflush(file_.get()) == 0;
}

}  // namespace perigee::lab
