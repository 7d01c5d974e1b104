/// The options of perigee-level for a heightmap, and its files.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "perigee/heightmap/heightmap.hpp"

namespace perigee::gltf {

struct HeightmapFiles {
  std::string path;  ///< empty: no heightmap
  std::string materials_path;
  std::vector<std::string> materials;  ///< NAME[:SURFACE[:FRICTION]]
  std::vector<double> middle_m;        ///< x and z
  std::uint32_t columns = 0;
  int hole = -1;
  std::string diagonals = "falling";
  heightmap::Options options;

  void add_options(CLI::App& to);
  /// An error says which option or file is wrong, and why.
  std::optional<Error> add_to(level::LevelSource& level) const;
};

}  // namespace perigee::gltf
