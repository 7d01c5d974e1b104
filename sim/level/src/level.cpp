#include "perigee/level/level.hpp"

#include <algorithm>

#include "perigee/base/shown_text.hpp"

namespace perigee::level {

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > name_bytes_max) return false;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const bool control = point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0);
    if (!point.well_formed || control) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::string shown_name(std::string_view text) {
  if (text.size() <= name_bytes_max) return shown(text);
  std::size_t cut = 0;
  for (std::size_t next = 0; next <= name_bytes_max;) {
    cut = next;
    next += first_code_point(text.substr(next)).bytes;
  }
  return shown(text.substr(0, cut)) + "...";
}

const std::string& Level::shape_name(std::uint32_t shape) const {
  std::size_t at = shape;
  if (at < meshes.size()) return meshes[at].name;
  at -= meshes.size();
  return at < hulls.size() ? hulls[at].name : heightfields[at - hulls.size()].name;
}

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
