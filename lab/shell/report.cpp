#include "report.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "perigee/host/print.hpp"

namespace perigee::lab {
namespace {

using host::print;

struct Column {
  const char* name;
  double Cell::* value;
};
constexpr std::array columns{
    Column{"minutes", &Cell::minutes},
    Column{"corrections_per_minute", &Cell::corrections_per_minute},
    Column{"parent_jumps_per_minute", &Cell::parent_jumps_per_minute},
    Column{"correction_p99_m", &Cell::correction_p99_m},
    Column{"correction_max_m", &Cell::correction_max_m},
    Column{"error_p50_m", &Cell::error_p50_m},
    Column{"error_p99_m", &Cell::error_p99_m},
    Column{"shown_error_p50_m", &Cell::shown_error_p50_m},
    Column{"shown_error_p99_m", &Cell::shown_error_p99_m},
    Column{"roughness_p999_m_s", &Cell::roughness_p999_m_s},
    Column{"roughness_max_m_s", &Cell::roughness_max_m_s},
    Column{"animated_share", &Cell::animated_share},
    Column{"predicted_share", &Cell::predicted_share},
    Column{"moving_share", &Cell::moving_share},
    Column{"jumps_per_minute", &Cell::jumps_per_minute},
    Column{"boardings_per_minute", &Cell::boardings_per_minute},
};

/// Worse first: what is invalid, then more corrections, then rougher.
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
    print(out, "  INVALID: moving %.0f %%, predicted %.0f %%\n", cell.moving_share * 100,
          cell.predicted_share * 100);
    return;
  }
  print(out, "%10.2f %9.2f %9.2f %9.3f %9.3f %9.2f %9.2f %8.1f\n", cell.corrections_per_minute,
        cell.correction_p99_m, cell.correction_max_m, cell.shown_error_p50_m,
        cell.shown_error_p99_m, cell.roughness_p999_m_s, cell.roughness_max_m_s,
        cell.animated_share * 100);
}

}  // namespace

std::string table(std::span<const Cell> cells) {
  std::vector<const Cell*> shown;
  for (const Cell& cell : cells) {
    const auto same = std::ranges::find_if(shown, [&](const Cell* other) {
      return other->preset == cell.preset && other->profile == cell.profile;
    });
    if (same == shown.end()) {
      shown.push_back(&cell);
    } else if (worse(cell, **same)) {
      *same = &cell;
    }
  }
  std::string out;
  std::string_view profile;
  for (const Cell* cell : shown) {
    if (cell->profile != profile) {
      profile = cell->profile;
      print(out, "\n%-18.*s%10s %9s %9s %9s %9s %9s %9s %8s\n", static_cast<int>(profile.size()),
            profile.data(), "corr/min", "p99 m", "max m", "off p50 m", "p99 m", "rough m/s", "max",
            "anim. %");
    }
    add_row(out, *cell);
  }
  return out;
}

std::string json(std::span<const Cell> cells) {
  std::string out = "{\"cells\": [";
  const char* comma = "";
  for (const Cell& cell : cells) {
    print(out, "%s\n  {\"preset\": \"%.*s\", \"profile\": \"%.*s\", \"seed\": %llu, \"valid\": %s",
          comma, static_cast<int>(cell.preset.size()), cell.preset.data(),
          static_cast<int>(cell.profile.size()), cell.profile.data(),
          static_cast<unsigned long long>(cell.seed), cell.valid() ? "true" : "false");
    for (const Column& column : columns) {
      print(out, ", \"%s\": %.6g", column.name, cell.*column.value);
    }
    out += '}';
    comma = ",";
  }
  return out + "\n]}\n";
}

}  // namespace perigee::lab
