// bench_levels: the actor's step in levels of triangles, and on terrain.
#include <optional>

#include "bench/common/scheduling.hpp"
#include "bench/common/suite.hpp"
#include "unit/world/heightfields.hpp"

namespace perigee::bench {
namespace {

using namespace world;

/// A level, and the part of it in which the actor walks.
struct Level {
  std::string name;
  ShapePtr shape;
  std::size_t triangles = 0;
  double half_m = 0;
};

Level mesh_level(const std::string& name, const MeshSource& source, double half_m) {
  const MeshPtr mesh = mesh_of(source);
  return {name, make_shape({}, mesh), mesh->triangles().size(), half_m};
}

int sides_of(std::size_t triangles) {
  return static_cast<int>(std::sqrt(static_cast<double>(triangles) / 2));
}

Level floor_level(const std::string& name, std::size_t triangles, double side_m,
                  const std::function<double(double, double)>& height) {
  const int sides = sides_of(triangles);
  return mesh_level(name, floor_of(sides, side_m, height, 0.25), 0.6 * sides * side_m / 2);
}

double bowl(double x, double z) { return 0.02 * (x * x + z * z) / 2; }

/// Rooms of 4 x 4 x 3 m with pillars and steps in them, on one floor.
Level building(const std::string& name, int rooms, double side_m) {
  MeshSource out;
  const double half = rooms * 2.0;
  const auto cuts = [&](double size) { return std::max(1, static_cast<int>(size / side_m)); };
  const int cells = cuts(4.0 * rooms);
  for (int i = 0; i < cells; ++i) {
    for (int k = 0; k < cells; ++k) {
      const auto at = [&](int n) { return -half + 2 * half * n / cells; };
      add_quad(out, {at(i), 0, at(k)}, {at(i), 0, at(k + 1)}, {at(i + 1), 0, at(k + 1)},
               {at(i + 1), 0, at(k)});
    }
  }
  for (int i = 0; i < rooms; ++i) {
    for (int k = 0; k < rooms; ++k) {
      const Vec3 at{i * 4.0 - half, 0, k * 4.0 - half};
      add_block(out, at, at + Vec3{2.8, 3, 0.2}, cuts(3));
      add_block(out, at + Vec3{0, 0, 0.2}, at + Vec3{0.2, 3, 2.8}, cuts(3));
      add_block(out, at + Vec3{2, 0, 2}, at + Vec3{2.4, 3, 2.4}, cuts(1));
      for (int step = 1; step <= 3; ++step) {
        add_block(out, at + Vec3{3, 0, 1.4 + step * 0.35},
                  at + Vec3{3.9, 0.25 * step, 1.75 + step * 0.35}, cuts(0.5));
      }
    }
  }
  return mesh_level(name, out, 0.8 * half);
}

/// Small two-sided triangles at random around the actor, above a floor.
Level soup(std::size_t triangles) {
  MeshSource out;
  Random random(2);
  const double half = 60;
  while (out.triangles.size() < triangles) {
    const Vec3 at{random.between(-half, half), random.between(0, 4), random.between(-half, half)};
    const auto arm = [&] {
      return Vec3{random.between(-0.5, 0.5), random.between(-0.5, 0.5), random.between(-0.5, 0.5)};
    };
    const Vec3 a = arm();
    const Vec3 b = arm();
    if (length(cross(a, b)) < 0.01) continue;
    const auto first = static_cast<std::uint32_t>(out.corners.size());
    for (const Vec3& corner : {at, at + a, at + b}) out.corners.push_back(to_float(corner));
    out.triangles.push_back({first, first + 1, first + 2});
  }
  out.two_sided = true;
  return mesh_level("soup", out, half - 10);
}

/// Hills with corners on a grid: as a heightfield, and as the mesh of the same triangles.
Level terrain_of_heights(std::size_t triangles, bool as_mesh) {
  const int sides = sides_of(triangles);
  const HeightfieldPtr field = field_of(sides, 1, hills);
  const double half_m = 0.6 * sides / 2;
  if (as_mesh) return mesh_level("heightfield_as_mesh", mesh_source_of(*field), half_m);
  return {"heightfield", make_shape(field), field->triangle_count(), half_m};
}

double timer_ns() {
  std::vector<double> all;
  for (int i = 0; i < 2'000; ++i) {
    const std::int64_t begin = now_ns();
    all.push_back(static_cast<double>(now_ns() - begin));
  }
  return median(all);
}

/// A random walk with jumps, of which the steps on the ground count, or all steps of an actor that
/// is thrown with 1,000 m/s every 50 ticks.
void measure(const std::string& name, Scene scene, double half_m, bool thrown, int ticks,
             Figures& figures) {
  Random random(7);
  std::vector<double> all_us;
  const double timer = timer_ns();
  scene.state.position = {0.7, 3, 0.7};
  for (int tick = 0; tick < ticks; ++tick) {
    wander(scene.input, random);
    if (thrown && tick % 50 == 49) {
      const Vec3 way{random.between(-1, 1), random.between(-1, 0.3), random.between(-1, 1)};
      scene.state.velocity = to_float(normalized(way) * 1'000);
    }
    const bool walks = scene.grounded();
    const std::int64_t begin = now_ns();
    scene.step();
    if (walks || thrown || scene.neighbours.empty())
      all_us.push_back((static_cast<double>(now_ns() - begin) - timer) * 1e-3);
    const Vec3& at = scene.state.position;
    if (std::abs(at.x) > half_m || std::abs(at.z) > half_m || at.y > 60 || at.y < -40) {
      scene.state = {};
      scene.state.position = {random.between(-3, 3), 5, random.between(-3, 3)};
    }
  }
  const std::string begin = "step_" + name + (thrown ? "_thrown" : "_walk");
  figures.add(begin + "_p50_us", percentile(all_us, 0.5), "us");
  figures.add(begin + "_p99_us", percentile(all_us, 0.99), "us");
}

void measure_in(const Level& level, int ticks, Figures& figures) {
  for (const bool thrown : {false, true}) {
    Scene scene(nothing);
    scene.shapes.push_back(level.shape);
    scene.neighbours.push_back(make_neighbour(hull, NeighbourKind::Solid, *level.shape, {}, {}));
    if (level.name == "soup") scene.add(9, {floor_box(100)});
    measure(level.name, std::move(scene), level.half_m, thrown, ticks, figures);
  }
}

template <class Make>
double build_ms(const Run& run, Make&& make) {
  std::vector<double> all;
  for (int i = 0; i < run.rounds(); ++i) {
    const std::int64_t begin = thread_time_ns();
    keep(make());
    all.push_back(static_cast<double>(thread_time_ns() - begin) * 1e-6);
  }
  return median(all);
}

void measure_builds(const Run& run, std::size_t triangles, Figures& figures) {
  const auto bytes_each = [](std::size_t bytes, std::size_t of) {
    return static_cast<double>(bytes) / static_cast<double>(of);
  };
  const MeshSource source = floor_of(sides_of(triangles), 1, hills, 0.25);
  figures.add("mesh_100k_build_ms", build_ms(run, [&] { return mesh_of(source); }), "ms");
  figures.add("mesh_bytes_per_triangle",
              bytes_each(mesh_of(source)->memory_bytes(), source.triangles.size()), "B");
  const HeightfieldSource heights = field_source(sides_of(triangles), 1, hills);
  const HeightfieldPtr field = field_of(heights);
  figures.add("heightfield_100k_build_ms", build_ms(run, [&] { return field_of(heights); }), "ms");
  figures.add("heightfield_bytes_per_triangle",
              bytes_each(field->memory_bytes(), field->triangle_count()), "B");
}

Result<Ok> levels_suite(const Run& run, Figures& figures) {
  go_first();
  const int ticks = run.quick ? 500 : 60'000;
  const std::size_t many = run.quick ? 5'000 : 100'000;
  measure("nothing", Scene(nothing), 1e9, false, ticks, figures);
  measure("box_floor", Scene(), 40, false, ticks, figures);

  measure_builds(run, many, figures);
  const std::function<Level()> levels[] = {
      [&] { return floor_level("terrain", many, 1, hills); },
      [&] { return floor_level("flat", many, 0.5, {}); },
      [&] { return floor_level("bowl", many, 0.25, bowl); },
      [&] { return building("building", run.quick ? 3 : 15, 0.35); },
      [&] { return building("coarse_building", run.quick ? 3 : 5, 4); },
      [&] { return floor_level("large_terrain", run.quick ? many : 1'000'000, 0.5, hills); },
      [&] { return soup(many); },
      [&] { return terrain_of_heights(many, false); },
      [&] { return terrain_of_heights(many, true); }};
  for (const auto& make : levels) {
    const Level level = make();
    print_progress(level.name + ": " + std::to_string(level.triangles) + " triangles");
    measure_in(level, ticks, figures);
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("levels", argc, argv, perigee::bench::levels_suite);
}
