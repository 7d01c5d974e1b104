// Cells as charts: for each scenario, corrections per minute over the profiles, a line per preset.
#include <algorithm>
#include <array>
#include <cmath>

#include "perigee/host/print.hpp"
#include "perigee/lab/targets.hpp"
#include "report.hpp"

namespace perigee::lab {
namespace {

using host::print;

constexpr double width = 560, height = 240, left = 56, right = 12, top = 14, bottom = 28;
constexpr double floor_per_minute = 0.05;  // position of 0 on the logarithmic scale
constexpr double ceiling_per_minute = 500;
constexpr std::array colors{"#2563eb", "#e11d48", "#f59e0b", "#10b981",
                            "#8b5cf6", "#0891b2", "#a16207", "#64748b"};

double y_of(double per_minute) {
  const double at = std::clamp(per_minute, floor_per_minute, ceiling_per_minute);
  const double share =
      std::log(at / floor_per_minute) / std::log(ceiling_per_minute / floor_per_minute);
  return height - bottom - share * (height - top - bottom);
}

double x_of(std::string_view profile) {
  const auto& all = link_profiles();
  const auto rank = std::ranges::find(all, profile, &LinkPair::name) - all.begin();
  return left + (static_cast<double>(rank) + 0.5) * (width - left - right) /
                    static_cast<double>(all.size());
}

std::string text(std::string_view in) {
  std::string out;
  for (const char c : in) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

void add_axes(std::string& out) {
  for (const double per_minute : {0.05, 0.1, 1.0, 10.0, 100.0}) {
    const double y = y_of(per_minute);
    print(out, "<line x1='%g' x2='%g' y1='%g' y2='%g' class='grid'/>", left, width - right, y, y);
    print(out, "<text x='%g' y='%g' text-anchor='end'>%g</text>", left - 6, y + 4,
          per_minute == floor_per_minute ? 0 : per_minute);
  }
  for (const LinkPair& link : link_profiles()) {
    print(out, "<text x='%g' y='%g' text-anchor='middle'>%.*s</text>", x_of(link.name), height - 8,
          static_cast<int>(link.name.size()), link.name.data());
  }
}

void add_targets(std::string& out, const Scenario& scenario) {
  for (const LinkPair& link : link_profiles()) {
    for (const Target& target : targets()) {
      const Cell cell{.scenario = scenario.name, .profile = link.name};
      if (!target.metric.starts_with("M1") || !target.asks(cell)) continue;
      const double x = x_of(link.name);
      const double y = y_of(target.most);
      print(out, "<line x1='%g' x2='%g' y1='%g' y2='%g' class='target'/>", x - 18, x + 18, y, y);
    }
  }
}

void add_preset(std::string& out, const Scenario& scenario, std::size_t rank,
                std::span<const Cell* const> cells) {
  const Preset& preset = presets()[rank];
  const char* color = colors[rank % colors.size()];
  std::string points;
  std::string dots;
  for (const Cell* cell : cells) {
    if (cell->scenario != scenario.name || cell->preset != preset.name || !cell->valid()) continue;
    const double x = x_of(cell->profile);
    const double y = y_of(cell->corrections_per_minute);
    print(points, "%g,%g ", x, y);
    // Hollow: an avatar that is not predicted is not corrected.
    const char* fill = cell->animated_share > 0.05 ? "none" : color;
    print(dots, "<circle cx='%g' cy='%g' r='3.5' fill='%s' stroke='%s' stroke-width='1.5'><title>",
          x, y, fill, color);
    print(dots, "%.*s on %.*s: %.2f</title></circle>", static_cast<int>(preset.name.size()),
          preset.name.data(), static_cast<int>(cell->profile.size()), cell->profile.data(),
          cell->corrections_per_minute);
  }
  if (points.empty()) return;
  out += "<polyline fill='none' stroke-width='2' stroke='" + std::string(color) + "' points='" +
         points + "'/>" + dots;
}

std::string legend(std::span<const Cell* const> cells) {
  std::string out = "<p class='legend'>";
  for (std::size_t rank = 0; rank < presets().size(); ++rank) {
    const Preset& preset = presets()[rank];
    const bool shown =
        std::ranges::any_of(cells, [&](const Cell* cell) { return cell->preset == preset.name; });
    if (!shown) continue;
    out += "<span style='color:" + std::string(colors[rank % colors.size()]) + "'>&#9679;</span> " +
           text(preset.name) + " &nbsp; ";
  }
  return out +
         "<span class='key'></span> our target; &#9675; server states shown without prediction for "
         "more than 5 % of the time</p>\n";
}

void add_rows(std::string& out, const Scenario& scenario, std::span<const Cell* const> cells) {
  out +=
      "<details><summary>figures</summary><table><tr><th>profile<th>preset<th>corr/min<th>p99 "
      "m<th>off p99 m<th>rough m/s<th>input ms<th>missed/min<th>again/s</tr>\n";
  for (const Cell* cell : cells) {
    if (cell->scenario != scenario.name) continue;
    out += "<tr><td>" + text(cell->profile) + "<td>" + text(cell->preset);
    if (cell->valid()) {
      print(out, "<td>%.2f<td>%.2f<td>%.2f<td>%.2f<td>%.1f<td>%.1f<td>%.1f</tr>\n",
            cell->corrections_per_minute, cell->correction_p99_m, cell->shown_error_p99_m,
            cell->roughness_p999_m_s, cell->input_delay_ms, cell->missed_per_minute,
            cell->rolled_back_per_s);
    } else {
      out += "<td colspan='7'>INVALID: too little " + text(cell->below) + "</tr>\n";
    }
  }
  out += "</table></details>\n";
}

constexpr std::string_view style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:1200px;margin:2em auto;padding:0 1em;"
    "color:#0f172a;background:#fff}"
    "main{display:grid;grid-template-columns:repeat(auto-fit,minmax(480px,1fr));gap:1.5em}"
    "section{border:1px solid #cbd5e1;border-radius:8px;padding:.8em 1em}"
    "h2{margin:0;font-size:1.05em}section p{margin:.2em 0 .6em;color:#475569}"
    "svg{width:100%;height:auto}svg text{font-size:11px;fill:currentColor}"
    ".grid{stroke:#cbd5e1;stroke-width:.7}.target{stroke:#0f172a;stroke-width:2;opacity:.55}"
    "table{border-collapse:collapse;font-size:13px}td,th{padding:2px 8px;text-align:right}"
    ".key{display:inline-block;width:24px;border-top:2px solid;opacity:.55;vertical-align:middle}"
    "@media(prefers-color-scheme:dark){body{background:#0b1220;color:#e2e8f0}"
    "section{border-color:#334155}section p{color:#94a3b8}.grid{stroke:#334155}"
    ".target{stroke:#e2e8f0}}";

const Cell* find(std::span<const Cell* const> cells, std::string_view scenario,
                 std::string_view profile, std::string_view preset) {
  const auto found = std::ranges::find_if(cells, [&](const Cell* cell) {
    return cell->scenario == scenario && cell->profile == profile && cell->preset == preset;
  });
  return found == cells.end() ? nullptr : *found;
}

/// `beside`: the same cell of another preset, or null.
void add_figure(std::string& out, const Cell* cell, const Cell* beside = nullptr) {
  if (cell == nullptr) {
    out += "–";
  } else if (!cell->valid()) {
    out += "INVALID";
  } else {
    print(out, cell->corrections_per_minute < 10 ? "%.2f" : "%.0f", cell->corrections_per_minute);
    if (cell->animated_share > 0.05) print(out, " (%.0f %%)", cell->animated_share * 100);
    const bool both = beside != nullptr && beside->valid();
    if (both && cell->corrections_per_minute > 0 && beside->corrections_per_minute > 0) {
      print(out, " ×%.2g", cell->corrections_per_minute / beside->corrections_per_minute);
    }
  }
}

}  // namespace

std::string html(std::span<const Cell> cells, const Provenance& of) {
  const std::vector<const Cell*> shown = worst_of_seeds(cells);
  std::string out =
      "<!doctype html><html lang='en'><meta charset='utf-8'><title>perigee lab"
      "</title><style>" +
      std::string(style) + "</style>\n<h1>How it feels</h1>\n";
  out +=
      "<p>Corrections per minute and player (M1), the worst of the seeds, on networks from LAN "
      "to satellite. Commit " +
      text(of.commit) + ", protocol " + text(of.protocol) + ", yardstick " + text(of.yardstick) +
      ".</p>\n" + legend(shown) + "<main>\n";
  for (const Scenario& scenario : scenarios()) {
    const bool any = std::ranges::any_of(
        shown, [&](const Cell* cell) { return cell->scenario == scenario.name; });
    if (!any) continue;
    out += "<section><h2>" + text(scenario.name) + "</h2><p>" + text(scenario.about) + "</p>";
    print(out, "<svg viewBox='0 0 %g %g' role='img'>", width, height);
    add_axes(out);
    add_targets(out, scenario);
    for (std::size_t rank = presets().size(); rank-- > 0;) {
      add_preset(out, scenario, rank, shown);
    }
    out += "</svg>\n";
    add_rows(out, scenario, shown);
    out += "</section>\n";
  }
  return out + "</main></html>\n";
}

std::string markdown(std::span<const Cell> cells) {
  const std::vector<const Cell*> shown = worst_of_seeds(cells);
  std::string out = "| |";
  std::string rule = "|---|";
  for (const LinkPair& link : link_profiles()) {
    out += " " + std::string(link.name) + " |";
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  for (const Scenario& scenario : scenarios()) {
    for (const Preset& preset : presets()) {
      const bool any = std::ranges::any_of(shown, [&](const Cell* cell) {
        return cell->scenario == scenario.name && cell->preset == preset.name;
      });
      if (!any) continue;
      const bool first = preset.name == presets().front().name;
      out += (first ? "| **" + std::string(scenario.name) + "** `" : "| `") +
             std::string(preset.name) + "` |";
      for (const LinkPair& link : link_profiles()) {
        out += " ";
        const Cell* talk =
            first ? find(shown, scenario.name, link.name, presets()[1].name) : nullptr;
        add_figure(out, find(shown, scenario.name, link.name, preset.name), talk);
        out += " |";
      }
      out += "\n";
    }
  }
  return out;
}

}  // namespace perigee::lab
