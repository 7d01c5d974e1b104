#include "accessors.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace perigee::gltf {
namespace {

Result<Elements> elements(const tinygltf::Model& model, int index, std::size_t bytes_each) {
  const std::string name = "accessor " + std::to_string(index);
  const tinygltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
  if (accessor.sparse.isSparse) return Error{name + " is sparse: export it in full"};
  if (accessor.bufferView < 0 ||
      static_cast<std::size_t>(accessor.bufferView) >= model.bufferViews.size()) {
    return Error{name + " has no buffer view " + std::to_string(accessor.bufferView)};
  }
  const auto& view = model.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
  if (view.extensions.count("EXT_meshopt_compression") != 0) {
    return Error{name + " is compressed: export it without compression"};
  }
  if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model.buffers.size()) {
    return Error{name + " has no buffer " + std::to_string(view.buffer)};
  }
  const auto& data = model.buffers[static_cast<std::size_t>(view.buffer)].data;
  if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset) {
    return Error{name + " has a buffer view that is not within its buffer of " +
                 std::to_string(data.size()) + " bytes"};
  }
  const std::size_t stride = view.byteStride == 0 ? bytes_each : view.byteStride;
  if (stride < bytes_each || stride > 252) {
    return Error{name + " has a stride of " + std::to_string(stride) + " bytes"};
  }
  // Division, so that no product is too large for its type.
  const std::size_t offset = accessor.byteOffset;
  const bool fits = accessor.count > 0 && offset <= view.byteLength &&
                    bytes_each <= view.byteLength - offset &&
                    accessor.count - 1 <= (view.byteLength - offset - bytes_each) / stride;
  if (!fits) {
    return Error{name + " has " + std::to_string(accessor.count) +
                 " elements, which are not within its buffer view of " +
                 std::to_string(view.byteLength) + " bytes"};
  }
  return Elements{data.data() + view.byteOffset + offset, stride, accessor.count};
}

bool exists(const tinygltf::Model& model, int accessor) {
  return accessor >= 0 && static_cast<std::size_t>(accessor) < model.accessors.size();
}

}  // namespace

Result<Positions> Positions::of(const tinygltf::Model& model, int accessor) {
  if (!exists(model, accessor)) return Error{"it has no accessor of positions"};
  const auto& of = model.accessors[static_cast<std::size_t>(accessor)];
  if (of.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT || of.type != TINYGLTF_TYPE_VEC3) {
    return Error{"accessor " + std::to_string(accessor) +
                 " of positions has to have three floats for each: export without quantization"};
  }
  const auto found = elements(model, accessor, 12);
  if (!found) return found.error();
  return Positions(*found, accessor);
}

std::optional<Vec3f> Positions::at(std::size_t i) const {
  Vec3f out;
  std::memcpy(&out.x, elements_.at(i), 4);
  std::memcpy(&out.y, elements_.at(i) + 4, 4);
  std::memcpy(&out.z, elements_.at(i) + 8, 4);
  const bool finite = std::isfinite(out.x) && std::isfinite(out.y) && std::isfinite(out.z);
  return finite ? std::optional(out) : std::nullopt;
}

Result<std::vector<std::uint32_t>> indices(const tinygltf::Model& model, int accessor,
                                           std::size_t count_max) {
  if (!exists(model, accessor)) {
    return Error{"it has no accessor " + std::to_string(accessor) + " of indices"};
  }
  const auto& of = model.accessors[static_cast<std::size_t>(accessor)];
  std::size_t bytes = 0;
  if (of.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE) bytes = 1;
  if (of.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT) bytes = 2;
  if (of.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT) bytes = 4;
  if (bytes == 0 || of.type != TINYGLTF_TYPE_SCALAR) {
    return Error{"accessor " + std::to_string(accessor) + " of indices has no unsigned integers"};
  }
  const auto found = elements(model, accessor, bytes);
  if (!found) return found.error();
  if (found->count > count_max) {
    return Error{"accessor " + std::to_string(accessor) + " has more than " +
                 std::to_string(count_max) + " indices: divide the mesh"};
  }
  std::vector<std::uint32_t> out(found->count);
  for (std::size_t i = 0; i < out.size(); ++i) std::memcpy(&out[i], found->at(i), bytes);
  return out;
}

std::size_t corner_count(const tinygltf::Model& model, const tinygltf::Primitive& part) {
  int accessor = part.indices;
  if (accessor == -1) {
    const auto place = part.attributes.find("POSITION");
    if (place != part.attributes.end()) accessor = place->second;
  }
  return exists(model, accessor) ? model.accessors[static_cast<std::size_t>(accessor)].count : 0;
}

}  // namespace perigee::gltf
