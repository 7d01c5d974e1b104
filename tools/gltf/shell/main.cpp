// perigee-level: makes levels from glTF, checks them, and shows their contents.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include "perigee/gltf/gltf.hpp"

namespace perigee::gltf {
namespace {

namespace fs = std::filesystem;
using level::shown_name;
using Bytes = std::vector<std::byte>;
constexpr int exit_ok = 0;
constexpr int exit_failed = 1;
constexpr int exit_usage = 2;
constexpr const char* beside = ".new";  // of the name of a file that is not whole yet

int fail(const std::string& file, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", file.c_str(), why.c_str());
  return exit_failed;
}

Result<Bytes> contents_of(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return Error{"it cannot be read: " + error.message()};
  if (size > level::bytes_max) return Error{"it has more than 1 GiB"};
  Bytes out(static_cast<std::size_t>(size));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  if (!file) return Error{"it cannot be read to its end"};
  return out;
}

/// Under another name first: a reader never sees half a file.
bool store(const std::string& path, const Bytes& bytes) {
  const std::string unfinished = path + beside;
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file) fs::rename(unfinished, path, error);
  if (file && !error) return true;
  fs::remove(unfinished, error);
  return false;
}

bool is_level(const Bytes& bytes) {
  constexpr std::string_view begin = "perigee level";
  return bytes.size() >= begin.size() &&
         std::equal(begin.begin(), begin.end(), reinterpret_cast<const char*>(bytes.data()));
}

struct Made {
  Bytes bytes;
  level::Level level;
  std::uint64_t slivers = 0;
};

Result<Made> make(const Bytes& file, const Options& options) {
  Made out;
  if (is_level(file)) {
    out.bytes = file;
  } else {
    auto imported = read_gltf(file, options);
    if (!imported) return imported.error();
    out.slivers = imported->slivers;
    auto bytes = write_level(imported->level);
    if (!bytes) {
      const std::string& why = bytes.error().message;
      const bool closed = why.find("closed and two-sided") != std::string::npos;
      return Error{why + (closed ? " (in Blender: tick Backface Culling in its material; for all "
                                   "materials: --one-sided)"
                                 : "")};
    }
    out.bytes = std::move(bytes).value();
  }
  auto level = level::read_level(out.bytes);
  if (!level) return level.error();
  out.level = std::move(level).value();
  return out;
}

std::size_t triangles_of(const level::Level& level) {
  std::size_t out = 0;
  for (const auto& each : level.meshes) out += each.mesh->triangles().size();
  return out;
}

void print_summary(const std::string& file, const Made& made) {
  const level::Level& level = made.level;
  std::printf(
      "%s: %zu meshes with %zu triangles, %zu hulls, %zu instances, %zu points, %zu materials, "
      "hash %016llx\n",
      file.c_str(), level.meshes.size(), triangles_of(level), level.hulls.size(),
      level.instances.size(), level.points.size(), level.materials.size(),
      static_cast<unsigned long long>(level.hash));
  if (made.slivers > 0) {
    std::printf("%s: left out %llu slivers\n", file.c_str(),
                static_cast<unsigned long long>(made.slivers));
  }
}

void print_pose(const Pose& pose) {
  const Vec3& at = pose.position;
  const Vec3 front = rotate(pose.rotation, {0, 0, 1});
  std::printf("at (%.3f, %.3f, %.3f), front (%.3f, %.3f, %.3f)\n", at.x, at.y, at.z, front.x,
              front.y, front.z);
}

void print_all(const Made& made) {
  const level::Level& level = made.level;
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
  for (const auto& [name, shape, pose] : level.instances) {
    const bool solid = shape >= level.meshes.size();
    const std::string& of =
        solid ? level.hulls[shape - level.meshes.size()].name : level.meshes[shape].name;
    std::printf("instance '%s' of %s '%s' ", shown_name(name).c_str(), solid ? "hull" : "mesh",
                shown_name(of).c_str());
    print_pose(pose);
  }
  for (const auto& [name, pose] : level.points) {
    std::printf("point '%s' ", shown_name(name).c_str());
    print_pose(pose);
  }
}

enum class Show { Summary, Everything };

/// The level of a file, in either format; exits with a sentence if there is none.
int look_at(const std::string& file, const Options& options, Show show) {
  const auto bytes = contents_of(file);
  if (!bytes) return fail(file, bytes.error().message);
  const auto made = make(*bytes, options);
  if (!made) return fail(file, made.error().message);
  print_summary(file, *made);
  if (show == Show::Everything) print_all(*made);
  return exit_ok;
}

/// Whether writing to `to` would replace the file that is read.
bool replaces(const std::string& to, const std::string& from) {
  std::error_code none_yet;
  return fs::equivalent(to, from, none_yet) || fs::equivalent(to + beside, from, none_yet);
}

int write(const std::string& from, const std::string& to, const Options& options) {
  if (replaces(to, from)) {
    return fail(to, "it would replace the file that is read: give the level another name");
  }
  const auto bytes = contents_of(from);
  if (!bytes) return fail(from, bytes.error().message);
  if (is_level(*bytes)) return fail(from, "it is a level already");
  const auto made = make(*bytes, options);
  if (!made) return fail(from, made.error().message);
  if (!store(to, made->bytes)) return fail(to, "it cannot be written");
  print_summary(to, *made);
  return exit_ok;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Makes levels for perigee from glTF 2.0 files (.glb, or .gltf with its data inside).",
      "perigee-level");
  app.footer(
      "In Blender: File > Export > glTF 2.0, format 'glTF Binary', custom properties included.\n"
      "examples:\n"
      "  perigee-level make town.glb town.level --join\n"
      "  perigee-level info town.level\n"
      "  perigee-level check town.glb harbour.level");
  app.require_subcommand(1);
  Options options;
  std::string from, to;
  std::vector<std::string> files;
  const auto add_options = [&](CLI::App* to_command) {
    to_command->add_flag("--join", options.join,
                         "one mesh of everything, and one more of what has both sides");
    to_command->add_flag("--one-sided", options.one_sided,
                         "triangles have one side, whatever their materials say");
    to_command->add_flag("--drop-slivers", options.drop_slivers,
                         "leave out triangles less than 0.1 mm high, which are an error otherwise");
  };
  auto* makes = app.add_subcommand("make", "make a level from a glTF file");
  makes->add_option("gltf", from, "the file to read: .glb, or .gltf with its data inside")
      ->required();
  makes->add_option("level", to, "the file to write")->required();
  add_options(makes);
  auto* info = app.add_subcommand("info", "list what is in a level or in a glTF file");
  info->add_option("file", from, "a level, or a glTF file")->required();
  add_options(info);
  auto* checks = app.add_subcommand("check", "check levels and glTF files, and write nothing");
  checks->add_option("files", files, "levels, or glTF files")->required();
  add_options(checks);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? exit_ok : exit_usage;
  }
  if (*makes) return write(from, to, options);
  if (*info) return look_at(from, options, Show::Everything);
  int worst = exit_ok;
  for (const std::string& file : files) {
    worst = std::max(worst, look_at(file, options, Show::Summary));
  }
  return worst;
}

}  // namespace
}  // namespace perigee::gltf

int main(int argc, char** argv) {
  try {
    return perigee::gltf::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("perigee-level: this machine has too little memory for the file: divide it\n",
               stderr);
    return perigee::gltf::exit_failed;
  }
}
