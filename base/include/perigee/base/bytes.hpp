/// Cursors over bytes. One template function `walk(cursor, message)` lists a message's fields once;
/// ByteReader and ByteWriter both walk it, so the two directions cannot drift apart.
/// Little-endian, no allocation; every call returns whether the value fitted.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

static_assert(std::endian::native == std::endian::little,
              "the wire is little-endian, and numbers are copied from memory");

template <class T>
concept WireNumber = std::integral<T> || std::floating_point<T>;

/// Adds the compound types to a cursor that has `number`.
template <class Derived>
class CursorTypes {
 public:
  /// Enumerators 0 .. last, as one byte (or the enum's own size); larger values are refused.
  template <class Enum>
  bool enumerator(Enum& value, std::type_identity_t<std::remove_const_t<Enum>> last) {
    using Raw = std::underlying_type_t<std::remove_const_t<Enum>>;
    auto raw = static_cast<Raw>(value);
    if (!self().number(raw) || raw > static_cast<Raw>(last)) return false;
    if constexpr (!std::is_const_v<Enum>) value = static_cast<Enum>(raw);
    return true;
  }
  /// One byte, 0 or 1; other values are refused.
  template <class Bool>
  bool flag(Bool& value) {
    std::uint8_t raw = value ? 1 : 0;
    if (!self().number(raw) || raw > 1) return false;
    if constexpr (!std::is_const_v<Bool>) value = raw != 0;
    return true;
  }
  template <class T>
  bool tick(T& value) {
    return self().number(value.count);
  }
  /// Three finite doubles or floats, depending on the vector's type.
  template <class V>
  bool vec3(V& v) {
    return self().number(v.x) && self().number(v.y) && self().number(v.z);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

class ByteReader : public CursorTypes<ByteReader> {
 public:
  static constexpr bool reading = true;
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// Returns false and consumes nothing if the bytes end first. Floats must be finite.
  template <WireNumber T>
  bool number(T& value) {
    if (remaining() < sizeof(T)) return false;
    T copy;
    std::memcpy(&copy, bytes_.data() + at_, sizeof(T));
    if constexpr (std::floating_point<T>) {
      if (!(copy - copy == 0)) return false;  // NaN and infinities are not wire values
    }
    value = copy;
    at_ += sizeof(T);
    return true;
  }
  /// Copies exactly out.size() bytes.
  bool copy(std::span<std::byte> out) {
    if (remaining() < out.size()) return false;
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + at_, out.size());
    at_ += out.size();
    return true;
  }
  /// A view of the next `size` bytes; valid as long as the packet.
  bool view(std::span<const std::byte>& out, std::size_t size) {
    if (remaining() < size) return false;
    out = bytes_.subspan(at_, size);
    at_ += size;
    return true;
  }
  std::size_t remaining() const { return bytes_.size() - at_; }
  std::size_t position() const { return at_; }
  bool at_end() const { return remaining() == 0; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

class ByteWriter : public CursorTypes<ByteWriter> {
 public:
  static constexpr bool reading = false;
  explicit ByteWriter(std::span<std::byte> out) : out_(out) {}

  /// Returns false and writes nothing if the space ends first.
  template <WireNumber T>
  bool number(const T& value) {
    if (space() < sizeof(T)) return false;
    std::memcpy(out_.data() + at_, &value, sizeof(T));
    at_ += sizeof(T);
    return true;
  }
  bool copy(std::span<const std::byte> bytes) {
    if (space() < bytes.size()) return false;
    if (!bytes.empty()) std::memcpy(out_.data() + at_, bytes.data(), bytes.size());
    at_ += bytes.size();
    return true;
  }
  /// Overwrites a number written before, e.g. a length that becomes known later.
  template <WireNumber T>
  void patch(std::size_t position, const T& value) {
    std::memcpy(out_.data() + position, &value, sizeof(T));
  }
  /// Discards everything after `position`.
  void rewind(std::size_t position) { at_ = position; }
  std::span<const std::byte> written() const { return out_.first(at_); }
  std::size_t size() const { return at_; }
  std::size_t space() const { return out_.size() - at_; }

 private:
  std::span<std::byte> out_;
  std::size_t at_ = 0;
};

/// None if the message's walk refuses the bytes, or leaves some of them.
template <class Message, class Walk>
std::optional<Message> read_whole(std::span<const std::byte> bytes, Walk&& walk_message) {
  ByteReader reader(bytes);
  Message message{};
  if (!walk_message(reader, message) || !reader.at_end()) return std::nullopt;
  return message;
}

/// Strings as bytes, for keys, user data and tests.
inline std::span<const std::byte> as_bytes_of(const char* text, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(text), size};
}

}  // namespace perigee
