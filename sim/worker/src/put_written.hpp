/// Appends serialized values to a byte vector.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"

namespace perigee::worker {

/// Appends the bytes that `write` puts into a ByteWriter, at most `room_bytes`.
template <std::size_t room_bytes, class Write>
void put_written(std::vector<std::byte>& out, Write&& write) {
  std::array<std::byte, room_bytes> room;  // unwritten bytes are not touched
  ByteWriter writer(room);
  const bool fits = write(writer);
  PERIGEE_ASSERT(fits, "an item is larger than room_bytes");
  out.insert(out.end(), writer.written().begin(), writer.written().end());
}

}  // namespace perigee::worker
