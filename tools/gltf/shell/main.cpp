// perigee-level: makes levels from glTF and heightmaps, checks them, and shows their contents.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "files.hpp"
#include "heightmap_files.hpp"
#include "perigee/gltf/gltf.hpp"
#include "print_level.hpp"

namespace perigee::gltf {
namespace {

namespace fs = std::filesystem;
using level::shown_name;
constexpr int exit_ok = 0;
constexpr int exit_failed = 1;
constexpr int exit_usage = 2;

int fail(const std::string& file, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", file.c_str(), why.c_str());
  return exit_failed;
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

Result<Made> finished(const Imported& imported) {
  Made out;
  out.slivers = imported.slivers;
  auto bytes = write_level(imported.level);
  if (!bytes) {
    const std::string& why = bytes.error().message;
    const bool closed = why.find("closed and two-sided") != std::string::npos;
    return Error{why + (closed ? " (in Blender: tick Backface Culling in its material; for all "
                                 "materials: --one-sided)"
                               : "")};
  }
  out.bytes = std::move(bytes).value();
  auto level = level::read_level(out.bytes);
  if (!level) return level.error();
  out.level = std::move(level).value();
  return out;
}

void print_summary_of(const std::string& file, const Made& made) {
  print_summary(file, made.level);
  if (made.slivers > 0) {
    std::printf("%s: left out %llu slivers\n", file.c_str(),
                static_cast<unsigned long long>(made.slivers));
  }
}

/// Of a file in either format.
Result<Made> level_of(const Bytes& file, const Options& options) {
  if (is_level(file)) {
    auto level = level::read_level(file);
    if (!level) return level.error();
    return Made{.level = std::move(level).value()};
  }
  const auto imported = read_gltf(file, options);
  if (!imported) return imported.error();
  return finished(*imported);
}

enum class Show { Summary, Everything };

/// Exits with a sentence if there is no level in the file.
int look_at(const std::string& file, const Options& options, Show show) {
  const auto bytes = contents_of(file);
  if (!bytes) return fail(file, bytes.error().message);
  const auto made = level_of(*bytes, options);
  if (!made) return fail(file, made.error().message);
  print_summary_of(file, *made);
  if (show == Show::Everything) print_all(made->level);
  return exit_ok;
}

/// Whether writing to `to` would replace the file that is read.
bool replaces(const std::string& to, const std::string& from) {
  std::error_code none_yet;
  return fs::equivalent(to, from, none_yet) || fs::equivalent(to + beside, from, none_yet);
}

/// From a glTF file, a heightmap, or both: the last of `files` is written.
int write(const std::vector<std::string>& files, const Options& options,
          const HeightmapFiles& heightmap) {
  const std::string& to = files.back();
  const bool alone = files.size() == 1;
  if (alone && !to.ends_with(".level")) {
    return fail(to, "without a glTF file, the name of the file to write has to end in .level");
  }
  std::vector<std::string> sources(files.begin(), files.end() - 1);
  for (const std::string& path : {heightmap.path, heightmap.materials_path}) {
    if (!path.empty()) sources.push_back(path);
  }
  for (const std::string& from : sources) {
    if (!replaces(to, from)) continue;
    return fail(to, "it would replace the file that is read: give the level another name");
  }
  Imported imported;
  if (!alone) {
    const std::string& from = files.front();
    const auto bytes = contents_of(from);
    if (!bytes) return fail(from, bytes.error().message);
    if (is_level(*bytes)) return fail(from, "it is a level already");
    auto read = read_gltf(*bytes, options);
    if (!read) return fail(from, read.error().message);
    imported = std::move(read).value();
  }
  if (!heightmap.path.empty()) {
    if (const auto error = heightmap.add_to(imported.level))
      return fail(heightmap.path, error->message);
  }
  const auto made = finished(imported);
  if (!made) return fail(sources.front(), made.error().message);
  if (!store(to, made->bytes)) return fail(to, "it cannot be written");
  print_summary_of(to, *made);
  return exit_ok;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Makes levels for perigee from glTF 2.0 files (.glb, or .gltf with its data inside), and "
      "from "
      "heightmaps.",
      "perigee-level");
  app.footer(
      "In Blender: File > Export > glTF 2.0, format 'glTF Binary', custom properties included.\n"
      "examples:\n"
      "  perigee-level make town.glb town.level --join\n"
      "  perigee-level make hills.level --heightmap hills.png --spacing-m 1 --height-m 120\n"
      "  perigee-level info town.level\n"
      "  perigee-level check town.glb harbour.level");
  app.require_subcommand(1);
  Options options;
  std::string from;
  std::vector<std::string> files;
  HeightmapFiles heightmap;
  const auto add_options = [&](CLI::App* to_command) {
    to_command->add_flag("--join", options.join,
                         "one mesh of everything, and one more of what has both sides");
    to_command->add_flag("--one-sided", options.one_sided,
                         "triangles have one side, whatever their materials say");
    to_command->add_flag("--drop-slivers", options.drop_slivers,
                         "leave out triangles less than 0.1 mm high, which are an error otherwise");
  };
  auto* makes = app.add_subcommand("make", "make a level from a glTF file, a heightmap, or both");
  makes
      ->add_option("files", files,
                   "the file to read, .glb or .gltf with its data inside, unless there is a "
                   "heightmap alone; and the level to write")
      ->required()
      ->expected(1, 2);
  add_options(makes);
  heightmap.add_options(*makes);
  auto* info = app.add_subcommand("info", "list what is in a level or in a glTF file");
  info->add_option("file", from, "a level, or a glTF file")->required();
  add_options(info);
  auto* checks = app.add_subcommand("check", "check levels and glTF files, and write nothing");
  checks->add_option("files", files, "levels, or glTF files")->required();
  add_options(checks);
  try {
    app.parse(argc, argv);
    if (*makes && files.size() == 1 && heightmap.path.empty()) throw CLI::RequiredError("level");
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? exit_ok : exit_usage;
  }
  if (*makes) return write(files, options, heightmap);
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
