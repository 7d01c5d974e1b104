#include "print_level.hpp"

#include <cstdio>

namespace perigee::gltf {
namespace {

using level::shown_name;

std::size_t triangles_of(const level::Level& level) {
  std::size_t out = 0;
  for (const auto& each : level.meshes) out += each.mesh->triangles().size();
  return out;
}

}  // namespace

void print_summary(const std::string& file, const level::Level& level) {
  std::printf(
      "%s: %zu meshes with %zu triangles, %zu hulls, %zu heightfields, %zu instances, %zu points, "
      "%zu materials, "
      "hash %016llx\n",
      file.c_str(), level.meshes.size(), triangles_of(level), level.hulls.size(),
      level.heightfields.size(), level.instances.size(), level.points.size(),
      level.materials.size(), static_cast<unsigned long long>(level.hash));
}

namespace {

void print_heightfield(const std::string& name, const world::Heightfield& field) {
  const Vec3& low = field.bounds().low;
  const Vec3& high = field.bounds().high;
  const std::size_t cells = std::size_t{field.columns() - 1} * (field.rows() - 1);
  std::printf(
      "heightfield '%s': %u x %u samples every %g m, %zu triangles, %zu holes, %.1f KiB, from "
      "(%.3f, "
      "%.3f, %.3f) to (%.3f, %.3f, %.3f), hash %016llx\n",
      shown_name(name).c_str(), field.columns(), field.rows(), field.source().spacing_m,
      field.triangle_count(), cells - field.triangle_count() / 2,
      static_cast<double>(field.memory_bytes()) / 1024, low.x, low.y, low.z, high.x, high.y, high.z,
      static_cast<unsigned long long>(field.hash()));
}

void print_pose(const Pose& pose) {
  const Vec3& at = pose.position;
  const Vec3 front = rotate(pose.rotation, {0, 0, 1});
  std::printf("at (%.3f, %.3f, %.3f), front (%.3f, %.3f, %.3f)\n", at.x, at.y, at.z, front.x,
              front.y, front.z);
}

}  // namespace

void print_all(const level::Level& level) {
  for (const auto& [name, of] : level.materials) {
    std::printf("material '%s': surface %d, friction %g\n", shown_name(name).c_str(), of.surface,
                double{of.friction});
  }
  for (const auto& [name, mesh] : level.meshes) {
    const Vec3& low = mesh->bounds().low;
    const Vec3& high = mesh->bounds().high;
    const bool two_sided = (mesh->source().two_sided);
    std::printf(
        "mesh '%s': %zu triangles%s, %.1f KiB, from (%.3f, %.3f, %.3f) to (%.3f, %.3f, %.3f), "
        "hash %016llx\n",
        shown_name(name).c_str(), mesh->triangles().size(), two_sided ? " with both sides" : "",
        static_cast<double>(mesh->memory_bytes()) / 1024, low.x, low.y, low.z, high.x, high.y,
        high.z, static_cast<unsigned long long>(mesh->hash()));
  }
  for (const auto& [name, hull] : level.hulls) {
    std::printf("hull '%s': %zu corners, %zu faces, hash %016llx\n", shown_name(name).c_str(),
                hull->corners().size(), hull->planes().size(),
                static_cast<unsigned long long>(hull->hash()));
  }
  for (const auto& [name, field] : level.heightfields) print_heightfield(name, *field);
  for (const auto& [name, shape, pose] : level.instances) {
    const char* what = shape < level.meshes.size()                        ? "mesh"
                       : shape < level.meshes.size() + level.hulls.size() ? "hull"
                                                                          : "heightfield";
    std::printf("instance '%s' of %s '%s' ", shown_name(name).c_str(), what,
                shown_name(level.shape_name(shape)).c_str());
    print_pose(pose);
  }
  for (const auto& [name, pose] : level.points) {
    std::printf("point '%s' ", shown_name(name).c_str());
    print_pose(pose);
  }
}

}  // namespace perigee::gltf
