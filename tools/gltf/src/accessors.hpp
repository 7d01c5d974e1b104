/// Numbers of a glTF file, read after every index and size on the way to them has been checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/vec.hpp"
#include "tinygltf.hpp"

namespace perigee::gltf {

/// The bytes of an accessor, within its buffer.
struct Elements {
  const unsigned char* first = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;

  const unsigned char* at(std::size_t i) const { return first + i * stride; }
};

/// Places, read one by one: many parts may share a long accessor, and use little of it. Valid as
/// long as the model.
class Positions {
 public:
  static Result<Positions> of(const tinygltf::Model& model, int accessor);
  std::size_t count() const { return elements_.count; }
  /// `i` is less than count(). None: not finite.
  std::optional<Vec3f> at(std::size_t i) const;
  int accessor() const { return accessor_; }

 private:
  Positions(const Elements& elements, int accessor) : elements_(elements), accessor_(accessor) {}

  Elements elements_;
  int accessor_ = -1;
};

/// At most `count_max`.
Result<std::vector<std::uint32_t>> indices(const tinygltf::Model& model, int accessor,
                                           std::size_t count_max);

/// The corners of a part's triangles as the file says, unchecked. 0: it has no such accessor.
std::size_t corner_count(const tinygltf::Model& model, const tinygltf::Primitive& part);

}  // namespace perigee::gltf
