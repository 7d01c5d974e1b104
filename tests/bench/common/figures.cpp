#include "bench/common/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::bench {
namespace {

/// Quoted for JSON: a CPU's name may contain any characters.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

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
  std::string out = "{\"suite\": " + quoted(origin.suite) +
                    ", \"commit\": " + quoted(origin.commit) +
                    ", \"machine\": " + quoted(origin.machine) + ", \"figures\": {";
  for (const Figure& figure : figures_) {
    if (&figure != &figures_.front()) out += ", ";
    out += quoted(figure.name) + ": {\"value\": " + number(figure.value) +
           ", \"unit\": " + quoted(figure.unit);
    const bool compared = !figure.vs.empty();
    out += ", \"vs\": " + (compared ? quoted(figure.vs) : "null") +
           ", \"ratio\": " + (figure.ratio > 0 ? number(figure.ratio) : "null") + "}";
  }
  return out + "}}\n";
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
