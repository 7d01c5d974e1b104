/// Common parts of all file encodings here.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/replay/input_fields.hpp"

namespace perigee::replay {

template <class Cursor, class Text>
bool walk_text(Cursor& cursor, Text& text) {
  auto size = static_cast<std::uint8_t>(std::min<std::size_t>(text.size(), 255));
  if (!cursor.number(size)) return false;
  if constexpr (Cursor::reading) {
    text.resize(size);
    return cursor.copy(std::as_writable_bytes(std::span(text)));
  } else {
    return cursor.copy(std::as_bytes(std::span(text)).first(size));
  }
}

/// Where a field is, its name and its default: a replay only prints values.
template <class Cursor, class Fields>
bool walk_input_fields(Cursor& cursor, Fields& fields) {
  const auto walk_field = [&](auto& each) {
    auto& field = each.field;
    const bool ok = walk_text(cursor, each.name) && cursor.number(field.offset) &&
                    cursor.number(field.size) && cursor.flag(field.is_signed) &&
                    cursor.number(field.initial);
    return ok && (field.size == 1 || field.size == 2 || field.size == 4) &&
           field.offset + field.size <= OwnInput::bytes_max;
  };
  return walk_counted<std::uint8_t>(cursor, fields, InputLayout::fields_max, walk_field);
}

/// The bytes that `write` writes, in a buffer that grows as needed.
template <class Write>
std::vector<std::byte> written(std::size_t bytes_max, Write write) {
  for (std::size_t room = 512 * 1024;; room *= 2) {
    std::vector<std::byte> out(room);
    ByteWriter writer(out);
    if (write(writer)) {
      out.resize(writer.size());
      return out;
    }
    PERIGEE_ASSERT(room < bytes_max, "a recording within its limits must fit");
  }
}

}  // namespace perigee::replay
