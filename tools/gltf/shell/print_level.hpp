/// The lines that perigee-level prints about a level.
#pragma once

#include <string>

#include "perigee/level/level.hpp"

namespace perigee::gltf {

/// One line.
void print_summary(const std::string& file, const level::Level& level);
/// A line for each part.
void print_all(const level::Level& level);

}  // namespace perigee::gltf
