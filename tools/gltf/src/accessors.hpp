/// Numbers of a glTF file, read after every index and size on the way to them has been checked.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/vec.hpp"
#include "tinygltf.hpp"

namespace perigee::gltf {

Result<std::vector<Vec3f>> positions(const tinygltf::Model& model, int accessor);
Result<std::vector<std::uint32_t>> indices(const tinygltf::Model& model, int accessor);

}  // namespace perigee::gltf
