/// Values of a body's snapshot as they lie in memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "perigee/base/assert.hpp"

namespace perigee::world {

template <class T>
void append_bytes(std::vector<std::byte>& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, static_cast<const void*>(&value), sizeof(T));
}
template <class T>
void extract_bytes(std::span<const std::byte>& bytes, T& value) {
  PERIGEE_ASSERT(bytes.size() >= sizeof(T), "a body's snapshot is of another build");
  std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
}

}  // namespace perigee::world
