#include "perigee/lab/targets.hpp"

namespace perigee::lab {
namespace {

template <double Cell::* figure>
double of(const Cell& cell) {
  return cell.*figure;
}
double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }
double attempts_wrong(const Cell& cell) { return percent(cell.attempts_wrong, cell.attempts); }
double hits_missing(const Cell& cell) { return percent(cell.hits_missing, cell.hits_expected); }
double misses_missing(const Cell& cell) {
  return percent(cell.misses_missing, cell.misses_expected);
}

constexpr auto corrections = of<&Cell::corrections_per_minute>;
constexpr auto delay = of<&Cell::input_delay_ms>;
constexpr std::string_view m1 = "M1 corrections per minute";
constexpr std::string_view m2 = "M2 p99 m";
constexpr std::string_view m4 = "M4 p99.9 m/s";
constexpr std::string_view m7 = "M7 ms";
constexpr std::string_view missed = "M7 missed per minute";
constexpr std::string_view unapplied = "longest without an applied input, less two round trips, s";

constexpr std::string_view calm = "L1,L1n,L3,L4,L5,";
constexpr std::string_view good_links = "P0,P1,P2,P3,P7,";

constexpr std::array list{
    Target{calm, good_links, m1, 0.3, corrections},
    Target{calm, "P4,P5,P6,", m1, 0.5, corrections},
    Target{"L2,", "P0,P1,P2,P7,", m1, 0.2, corrections},
    Target{"L2,", "P3,", m1, 25, corrections},
    Target{"L2e,", "P3,", m1, 1, corrections},
    Target{"L2,", "P4,", m1, 50, corrections},
    Target{"L6,", good_links, m1, 0.5, corrections},
    Target{"L6,", "P4,P5,", m1, 5, corrections},
    Target{"L7,", "", m1, 0, corrections},
    Target{"L7,", "", "predicted share", 0, of<&Cell::predicted_share>},
    Target{"L10,L10r,L10c,", "P0,P1,P2,", m1, 2, corrections},
    Target{"L11,", "P0,P1,P2,P3,", m1, 0.5, corrections},
    Target{"L11f,", "P2,", m1, 60, corrections},
    Target{"L12,", "P0,P1,P2,P3,", m1, 0.5, corrections},
    Target{"L13,", "P0,P1,P2,P3,", m1, 0.3, corrections},
    Target{"L16,L17,", "P0,P1,P2,", m1, 0.3, corrections},
    Target{calm, "P0,P1,P2,P3,P4,", m2, 0.10, of<&Cell::correction_p99_m>},
    Target{calm, "P0,P1,P2,P3,P4,", m4, 0.3, of<&Cell::roughness_p999_m_s>},
    Target{calm, "P0,P1,P2,P3,P4,", "M4 at switches m/s", 12, of<&Cell::switch_roughness_max_m_s>},
    Target{"L3,", "P0,P1,P2,P3,", "M6 % of attempts", 100.0 / 300, attempts_wrong},
    Target{"", "P0,", m7, 15, delay},
    Target{"", "P1,", m7, 17, delay},
    Target{"", "P2,", m7, 38, delay},
    Target{"", "P3,", m7, 50, delay},
    Target{"", "P4,", m7, 72, delay},
    Target{"", "P5,", m7, 75, delay},
    Target{"", "P0,P1,P2,P3,P4,P6,P7,", missed, 5, of<&Cell::missed_per_minute>},
    // For 6.7 s of each minute the way up takes more than a second. One second is added.
    Target{"", "P8,", missed, 460, of<&Cell::missed_per_minute>},
    Target{"", "P10,", missed, 120, of<&Cell::missed_per_minute>},
    Target{"", "", unapplied, 1, of<&Cell::unapplied_s_max>},
    Target{"", "P0,P1,P2,P3,", "M8 steps per s", 5, of<&Cell::rolled_back_per_s>},
    Target{"L8,L8s,L8d,", "", "M10 % that ought to hit", 1, hits_missing},
    Target{"L8,", "", "M10 % that ought to miss", 1, misses_missing},
    Target{"L8w,", "P0,P1,P2,", "M10 % dodged", 1, misses_missing},
};

bool names(std::string_view names, std::string_view name) {
  if (names.empty()) return true;
  for (std::size_t at = 0; at < names.size(); at = names.find(',', at) + 1) {
    if (names.substr(at, names.find(',', at) - at) == name) return true;
  }
  return false;
}

}  // namespace

bool Target::asks(const Cell& cell) const {
  return names(scenarios, cell.scenario) && names(profiles, cell.profile);
}

std::span<const Target> targets() { return list; }

std::vector<const Target*> missed_targets(const Cell& cell) {
  std::vector<const Target*> out;
  if (!cell.valid() || cell.preset != presets().front().name) return out;
  for (const Target& target : list) {
    if (target.asks(cell) && !target.met_by(cell)) out.push_back(&target);
  }
  return out;
}

}  // namespace perigee::lab
