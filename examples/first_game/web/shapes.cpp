// first_game_shapes: prints the shapes of the game's types as JSON, which the page draws.
#include <cstdio>

#include "game.hpp"

namespace {

using namespace perigee;

void print_box(const world::Box& box, const char* before) {
  const auto& [c, h, q, radius] = box;
  std::printf("%s{\"center\":[%.6g,%.6g,%.6g],\"half\":[%.6g,%.6g,%.6g],", before, c.x, c.y, c.z,
              h.x, h.y, h.z);
  std::printf("\"rotation\":[%.9g,%.9g,%.9g,%.9g],\"radius\":%.6g}", q.x, q.y, q.z, q.w, radius);
}

void print_triangles(const world::Shape& shape) {
  const char* before = "";
  const auto print = [&](const Vec3& corner) {
    std::printf("%s%.6g,%.6g,%.6g", before, corner.x, corner.y, corner.z);
    before = ",";
  };
  shape.for_each_surface([&](const auto& surface, bool) {
    surface.for_each_near(surface.bounds(), [&](const world::Facet& facet) {
      for (const Vec3& corner : facet.corner) print(corner);
    });
  });
}

void print_type(const world::EntityType& type) {
  const bool actor = type.kind == world::EntityKind::Actor;
  std::printf("{\"name\":\"%.*s\",\"actor\":%s,\"boxes\":[", static_cast<int>(type.name.size()),
              type.name.data(), actor ? "true" : "false");
  const bool drawn = type.shape && !type.trigger && !type.everywhere;
  const char* before = "";
  for (const world::Box& box : drawn ? type.shape->boxes() : std::span<const world::Box>{}) {
    print_box(box, before);
    before = ",";
  }
  std::printf("],\"triangles\":[");
  if (drawn) print_triangles(*type.shape);
  std::printf("]}");
}

}  // namespace

int main() {
  const first_game::Game game;
  const char* before = "[";
  for (const world::EntityType& type : game.types()) {
    std::printf("%s", before);
    print_type(type);
    before = ",\n";
  }
  std::printf("]\n");
}
