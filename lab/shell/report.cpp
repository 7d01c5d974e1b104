#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "causes.hpp"
#include "perigee/host/print.hpp"
#include "perigee/lab/oracle.hpp"
#include "perigee/lab/probes.hpp"
#include "perigee/lab/targets.hpp"

namespace perigee::lab {
namespace {

using host::print;

/// Worse first: invalid cells, then more corrections, then higher roughness.
bool worse(const Cell& a, const Cell& b) {
  if (a.valid() != b.valid()) return !a.valid();
  if (a.corrections_per_minute != b.corrections_per_minute) {
    return a.corrections_per_minute > b.corrections_per_minute;
  }
  return a.roughness_p999_m_s > b.roughness_p999_m_s;
}

void add_row(std::string& out, const Cell& cell) {
  print(out, "  %-16.*s", static_cast<int>(cell.preset.size()), cell.preset.data());
  if (!cell.valid()) {
    out += "  INVALID: too little " + cell.below + "\n";
    return;
  }
  print(out,
        "%10.2f %9.2f %9.2f %9.2f %9.3f %9.3f %9.2f %9.2f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f "
        "%8.1f\n",
        cell.corrections_per_minute, cell.resets_per_minute, cell.correction_p99_m,
        cell.correction_max_m, cell.shown_error_p50_m, cell.shown_error_p99_m,
        cell.roughness_p999_m_s, cell.roughness_max_m_s, cell.animated_share * 100,
        cell.input_delay_ms, cell.missed_per_minute, cell.rolled_back_per_s,
        100 * cell.people_drawn_p50_m, 100 * cell.people_drawn_p99_m, 100 * cell.hulls_drawn_p99_m);
  add_causes(out, cell);
}

}  // namespace

std::vector<const Cell*> worst_of_seeds(std::span<const Cell> cells) {
  std::vector<const Cell*> out;
  for (const Cell& cell : cells) {
    const auto same = std::ranges::find_if(out, [&](const Cell* other) {
      return other->scenario == cell.scenario && other->preset == cell.preset &&
             other->profile == cell.profile;
    });
    if (same == out.end()) {
      out.push_back(&cell);
    } else if (worse(cell, **same)) {
      *same = &cell;
    }
  }
  return out;
}

std::string table(std::span<const Cell> cells) {
  std::string out;
  const Cell* before = nullptr;
  for (const Cell* cell : worst_of_seeds(cells)) {
    if (before == nullptr || cell->scenario != before->scenario ||
        cell->profile != before->profile) {
      const std::string where = std::string(cell->scenario) + " on " + std::string(cell->profile);
      print(out, "\n%-18s%10s %9s %9s %9s %9s %9s %9s %9s %8s %8s %8s %8s %8s %8s %8s\n",
            where.c_str(), "corr/min", "reset/min", "p99 m", "max m", "off p50 m", "p99 m",
            "rough m/s", "max", "anim. %", "input ms", "miss/min", "again/s", "others", "p99 cm",
            "bow p99");
    }
    before = cell;
    add_row(out, *cell);
  }
  return out;
}

std::string verdict(std::span<const Cell> cells) {
  std::string out;
  std::size_t judged = 0;
  std::size_t invalid = 0;
  for (const Cell& cell : cells) {
    const std::string where = std::string(cell.scenario) + " on " + std::string(cell.profile) +
                              ", seed " + std::to_string(cell.seed);
    const bool ours = cell.preset == presets().front().name;
    if (ours && !cell.valid()) {
      ++invalid;
      out += "  INVALID " + where + ": too little " + cell.below + "\n";
    }
    if (ours) {
      for (const Target& target : targets()) judged += cell.valid() && target.asks(cell);
    }
    for (const Target* target : missed_targets(cell)) {
      out += "  missed " + where;
      print(out, ": %.*s %.3g, target %.3g\n", static_cast<int>(target->metric.size()),
            target->metric.data(), target->value(cell), target->most);
    }
  }
  if (judged == 0 && invalid == 0) return {};
  return "\nOur preset against its targets, " + std::to_string(judged) + " in all; missed:\n" +
         (out.empty() ? "  none\n" : out);
}

std::string probe_table(std::span<const Preset> presets, std::span<const LinkPair> links) {
  constexpr std::uint32_t presses = 10;
  std::string out;
  for (const LinkPair& link : links) {
    print(out, "\n%-18.*s%12s %9s %9s   %12s %9s %9s\n", static_cast<int>(link.name.size()),
          link.name.data(), "key ms at 30", "60", "144 fps", "step 0.1 m", "0.5 m", "2 m");
    for (const Preset& preset : presets) {
      print(out, "  %-16.*s", static_cast<int>(preset.name.size()), preset.name.data());
      for (const std::uint32_t fps : {30U, 60U, 144U}) {
        print(out, fps == 30 ? "%12.1f " : "%9.1f ",
              quantile(press_to_display_ms({preset, link, fps}, presses), 1));
      }
      out += "  ";
      for (const double meters : {0.1, 0.5, 2.0}) {
        const auto settled_ms = settle_ms({preset, link}, meters);
        print(out, meters == 0.1 ? "%12s " : "%9s ",
              settled_ms ? std::to_string(std::lround(*settled_ms)).c_str() : "-");
      }
      out += '\n';
    }
  }
  return out;
}

Provenance of_this_build(const std::string& commit) {
  return {std::to_string(lab_protocol), PERIGEE_LAB_YARDSTICK, commit};
}

}  // namespace perigee::lab
