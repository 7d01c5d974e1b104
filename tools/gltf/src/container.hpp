/// The outermost layer of a glTF file: GLB or JSON, checked before tinygltf sees it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "perigee/base/result.hpp"
#include "tinygltf.hpp"

namespace perigee::gltf {

/// The file without the parts that no level needs, e.g. images and animations: those are never
/// opened.
Result<tinygltf::Model> load(std::span<const std::byte> file);

}  // namespace perigee::gltf
