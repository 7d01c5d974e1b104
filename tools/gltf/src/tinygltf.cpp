// The only source with tinygltf's implementation: without access to files and without images.
#include "tinygltf.hpp"

#include <fstream>  // tinygltf does not include it
#include <nlohmann/json.hpp>

#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_INCLUDE_JSON
#include <tiny_gltf.h>
