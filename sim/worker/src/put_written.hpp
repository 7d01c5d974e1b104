/// Appends serialized values to a byte vector.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
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

/// A writing cursor at the end of a vector. The vector has all bytes once the cursor has ended.
class Appender : public CursorTypes<Appender> {
 public:
  static constexpr bool reading = false;
  explicit Appender(std::vector<std::byte>& out) : out_(out) {}
  ~Appender() { flush(); }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  template <WireNumber T>
  bool number(const T& value) {
    if (room_.size() - used_ < sizeof value) flush();
    std::memcpy(room_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
    return true;
  }
  bool copy(std::span<const std::byte> bytes) {
    flush();
    out_.insert(out_.end(), bytes.begin(), bytes.end());
    return true;
  }

 private:
  void flush() {
    out_.insert(out_.end(), room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
  }

  std::vector<std::byte>& out_;
  std::size_t used_ = 0;
  std::array<std::byte, 1024> room_;  // unwritten bytes are not touched
};

/// Appends all bytes that `write` puts into an Appender, however many.
template <class Write>
void put_all_written(std::vector<std::byte>& out, Write&& write) {
  Appender appender(out);
  const bool valid = write(appender);
  PERIGEE_ASSERT(valid, "a written value must be one that its reader accepts");
}

}  // namespace perigee::worker
