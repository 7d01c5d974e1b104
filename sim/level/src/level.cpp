#include "perigee/level/level.hpp"

#include <algorithm>

namespace perigee::level {

const Point* Level::point(std::string_view name) const {
  const auto found =
      std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.name == name; });
  return found == points.end() ? nullptr : &*found;
}

std::vector<Point> Level::points_like(std::string_view beginning) const {
  std::vector<Point> out;
  std::copy_if(points.begin(), points.end(), std::back_inserter(out),
               [&](const Point& p) { return p.name.starts_with(beginning); });
  return out;
}

}  // namespace perigee::level
