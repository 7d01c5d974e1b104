#include "bench/common/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/rounded.hpp"

namespace perigee::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Four significant digits, without an exponent.
std::string readable(double value) {
  const double size = std::abs(value);
  char text[48];
  std::snprintf(text, sizeof text, "%.*f",
                size >= 1000  ? 0
                : size >= 100 ? 1
                : size >= 10  ? 2
                              : 3,
                value);
  return text;
}

}  // namespace

void Figures::add(std::string name, double value, std::string unit) {
  PERIGEE_ASSERT(std::isfinite(value), "a figure is a number");
  figures_.push_back({std::move(name), value, std::move(unit), "", 0});
}

void Figures::add_against(std::string_view peer, const std::string& name, double ours, double peers,
                          const std::string& unit) {
  add(name, ours, unit);
  figures_.back().vs = peer;
  figures_.back().ratio = peers > 0 ? ours / peers : 0;
  add(name + "_" + std::string(peer), peers, unit);
}

std::string Figures::json(const Origin& origin) const {
  const auto number = [](double value) { return to_significant(value, 6); };
  Json all = Json::object();
  for (const Figure& figure : figures_) {
    Json& out = all[figure.name];
    out["value"] = number(figure.value);
    out["unit"] = figure.unit;
    out["vs"] = figure.vs.empty() ? Json() : Json(figure.vs);
    out["ratio"] = figure.ratio > 0 ? Json(number(figure.ratio)) : Json();
  }
  const Json out{{"suite", origin.suite},
                 {"commit", origin.commit},
                 {"machine", origin.machine},
                 {"figures", all}};
  // The name of a processor or a commit may contain any bytes.
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Figures::table(const Origin& origin) const {
  std::size_t width = 0;
  for (const Figure& figure : figures_) width = std::max(width, figure.name.size());
  std::string out = origin.suite + " at " + origin.commit + " on " + origin.machine + "\n";
  for (const Figure& figure : figures_) {
    char line[240];
    std::snprintf(line, sizeof line, "  %-*s %14s %-10s", static_cast<int>(width),
                  figure.name.c_str(), readable(figure.value).c_str(), figure.unit.c_str());
    out += line;
    if (figure.ratio > 0) out += " " + readable(figure.ratio) + " x " + figure.vs;
    out += "\n";
  }
  return out;
}

}  // namespace perigee::bench
