/// Files of perigee-level as bytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"

namespace perigee::gltf {

using Bytes = std::vector<std::byte>;

/// The end of the name of a file that is not whole yet.
inline constexpr const char* beside = ".new";

Result<Bytes> contents_of(const std::string& path);
/// Under another name first: a reader never sees half a file.
bool store(const std::string& path, const Bytes& bytes);

}  // namespace perigee::gltf
