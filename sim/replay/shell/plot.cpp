#include "plot.hpp"

#include <algorithm>
#include <vector>

#include "perigee/host/print.hpp"
#include "perigee/replay/rerun.hpp"

namespace perigee::replay {
namespace {

using host::print;

constexpr double width = 900;
constexpr double path_height = 480;
constexpr double error_height = 200;
constexpr double margin = 50;

struct Point {
  double x = 0, y = 0;
};
struct Line {
  const char* colour;
  const char* name;
  std::vector<Point> points;
};
struct Range {
  double low = 1e300, high = -1e300;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double size() const { return std::max(high - low, 1e-3); }
};

void add_line(std::string& out, const Line& line, const Range& x, const Range& y, double top,
              double height, double scale_x, double scale_y) {
  print(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", line.colour);
  for (const Point& point : line.points) {
    print(out, "%.2f,%.2f ", margin + (point.x - x.low) * scale_x,
          top + height - (point.y - y.low) * scale_y);
  }
  out += "\"/>\n";
}

void add_text(std::string& out, double x, double y, const char* colour, const std::string& text) {
  print(out, "<text x=\"%.0f\" y=\"%.0f\" fill=\"%s\">", x, y, colour);
  out += text + "</text>\n";
}

std::string meters(double value) {
  std::string out;
  print(out, "%.3g m", value);
  return out;
}

/// With equal scales on both axes, so that angles are right.
void add_paths(std::string& out, const Line& client, const Line& worker) {
  Range x, y;
  for (const Line* line : {&client, &worker}) {
    for (const Point& point : line->points) {
      x.add(point.x);
      y.add(point.y);
    }
  }
  const double scale = std::min((width - 2 * margin) / x.size(), path_height / y.size());
  add_line(out, worker, x, y, margin, path_height, scale, scale);
  add_line(out, client, x, y, margin, path_height, scale, scale);
  add_text(out, margin, margin - 26, "#222", "seen from above, " + meters(x.size()) + " wide");
  add_text(out, margin, margin - 8, client.colour, client.name);
  add_text(out, margin + 100, margin - 8, worker.colour, worker.name);
}

void add_errors(std::string& out, const Line& errors, double parted_at) {
  const double top = 2 * margin + path_height;
  Range x, y{0, 0};
  for (const Point& point : errors.points) {
    x.add(point.x);
    y.add(point.y);
  }
  const double scale_x = (width - 2 * margin) / x.size();
  const double at = margin + (parted_at - x.low) * scale_x;
  print(out,
        "<line x1=\"%.2f\" x2=\"%.2f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"#999\" "
        "stroke-dasharray=\"4 4\"/>\n",
        at, at, top, top + error_height);
  add_line(out, errors, x, y, top, error_height, scale_x, error_height / y.size());
  std::string title = "apart, up to " + meters(y.high) + ", over ";
  print(title, "%.1f s; dashed: where they diverge", x.size() * seconds_per_tick);
  add_text(out, margin, top - 10, "#222", title);
}

}  // namespace

std::string plot(const Recording& client, const Recording& worker, Tick tick) {
  Line predicted{"#1f77b4", "client", {}};
  Line became{"#d62728", "worker", {}};
  Line errors{"#222", "apart", {}};
  const world::StepRecord* here = find_tick(client, tick);
  const Handle parent = here != nullptr ? here->parent : no_entity;
  for (const world::StepRecord& step : client.ticks) {
    const auto* other = find_tick(worker, step.tick + worker.header.delay_ticks);
    if (other == nullptr || step.parent != parent || other->parent != parent) continue;
    const Vec3& a = step.after.position;
    const Vec3& b = other->after.position;
    predicted.points.push_back({a.x, -a.z});
    became.points.push_back({b.x, -b.z});
    errors.points.push_back({static_cast<double>(ticks_between(tick, step.tick)), distance(a, b)});
  }
  std::string out;
  print(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"14\">\n",
        width, path_height + error_height + 3 * margin);
  out += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  if (errors.points.empty()) {
    add_text(out, margin, margin, "#222", "no tick has the same parent on both sides");
  } else {
    add_paths(out, predicted, became);
    add_errors(out, errors, 0);
  }
  return out + "</svg>\n";
}

}  // namespace perigee::replay
