#include "heightmap_files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "files.hpp"

namespace perigee::gltf {
namespace {

namespace fs = std::filesystem;

/// In the order of world::Diagonals.
const std::vector<std::string> diagonal_names{"falling", "rising", "alternating"};

template <class Number>
bool is_number(std::string_view text, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc{} && end == text.data() + text.size();
}

/// NAME[:SURFACE[:FRICTION]]
Result<level::Material> material_of(const std::string& text) {
  level::Material out;
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  out.name = text.substr(0, first);
  const auto part = [&](std::size_t from, std::size_t to) {
    return from == std::string::npos ? std::string() : text.substr(from + 1, to - from - 1);
  };
  const std::string surface = part(first, second);
  const std::string friction = part(second, text.size());
  const bool wrong = (first != std::string::npos && !is_number(surface, out.made_of.surface)) ||
                     (second != std::string::npos && !is_number(friction, out.made_of.friction));
  if (out.name.empty() || wrong) {
    return Error{"--material '" + level::shown_name(text) +
                 "' is not NAME, NAME:SURFACE or NAME:SURFACE:FRICTION, such as ice:2:0.05"};
  }
  return out;
}

std::string ending_of(const std::string& path) {
  std::string out = fs::path(path).extension().string();
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

Result<heightmap::Heights> heights_of(const std::string& path, std::uint32_t columns) {
  const std::string ending = ending_of(path);
  const bool raw = ending == ".r16" || ending == ".raw";
  if (!raw && ending != ".png") {
    return Error{"a heightmap is a .png with 16 bits, or raw numbers of 16 bits in a .r16 or .raw"};
  }
  const auto bytes = contents_of(path);
  if (!bytes) return bytes.error();
  return raw ? heightmap::read_raw(*bytes, columns) : heightmap::read_png(*bytes);
}

}  // namespace

void HeightmapFiles::add_options(CLI::App& to) {
  const auto add = [&](const char* name, auto& value, const char* help) {
    return to.add_option(name, value, help)->group("heightmap");
  };
  auto* file = add("--heightmap", path, "terrain: a grayscale .png with 16 bits, or .r16, .raw");
  const auto with_file = [&](CLI::Option* option) { return option->needs(file); };
  auto* spacing = with_file(add("--spacing-m", options.spacing_m, "between two samples"));
  auto* height = with_file(add("--height-m", options.height_m, "between the values 0 and 65,535"));
  file->needs(spacing)->needs(height);
  with_file(add("--low-m", options.low_m, "height of the value 0"));
  with_file(add("--middle-m", middle_m, "place of the middle: x and z")->expected(2));
  with_file(add("--columns", columns, "samples of a row, if raw numbers are no square"));
  with_file(add("--hole", hole, "the value of samples around which there is a hole"))
      ->check(CLI::Range(0, 65'535));
  with_file(add("--diagonals", diagonals, "of cells: falling, rising or alternating"))
      ->check(CLI::IsMember(diagonal_names));
  with_file(add("--material", materials, "NAME[:SURFACE[:FRICTION]], for each material in turn"))
      ->allow_extra_args(false);
  with_file(add("--materials-map", materials_path,
                "a .png with 8 bits: index of each cell's material, 255 for a hole"));
}

std::optional<Error> HeightmapFiles::add_to(level::LevelSource& level) const {
  heightmap::Options all = options;
  all.name = fs::path(path).stem().string();
  if (!middle_m.empty()) {
    all.middle_x_m = middle_m[0];
    all.middle_z_m = middle_m[1];
  }
  const auto kind = std::find(diagonal_names.begin(), diagonal_names.end(), diagonals);
  all.diagonals = static_cast<world::Diagonals>(kind - diagonal_names.begin());
  if (hole >= 0) all.hole = static_cast<std::uint16_t>(hole);
  for (const std::string& text : materials) {
    auto material = material_of(text);
    if (!material) return material.error();
    all.materials.push_back(std::move(material).value());
  }
  std::optional<heightmap::Indices> indices;
  if (!materials_path.empty()) {
    const auto bytes = contents_of(materials_path);
    auto read = bytes ? heightmap::read_indices(*bytes) : bytes.error();
    if (!read) return Error{"--materials-map " + materials_path + ": " + read.error().message};
    indices = std::move(read).value();
  }
  auto heights = heights_of(path, columns);
  if (!heights) return heights.error();
  return add_heightfield(level, std::move(heights).value(), indices, all);
}

}  // namespace perigee::gltf
