#include "perigee/base/own_input.hpp"

#include <algorithm>
#include <cstring>

#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

std::uint64_t raw_bits(std::int64_t value, std::size_t size) {
  return static_cast<std::uint64_t>(value) & low_bits(static_cast<int>(size) * 8);
}

void cover(OwnInput& mask, const InputField& field) {
  for (std::size_t i = field.offset; i < std::size_t{field.offset} + field.size; ++i) {
    mask.changed[i] = std::byte{0xff};
  }
}

bool in_range(const InputField& field, std::int64_t value) {
  return value >= field.low && value <= field.high;
}

void store(OwnInput& own, const InputField& field, std::int64_t value) {
  const std::uint64_t raw = raw_bits(value, field.size) ^ raw_bits(field.initial, field.size);
  std::memcpy(own.changed.data() + field.offset, &raw, field.size);
}

}  // namespace

std::int64_t InputField::stored(const OwnInput& own) const {
  std::uint64_t raw = 0;
  std::memcpy(&raw, own.changed.data() + offset, size);
  raw ^= raw_bits(initial, size);
  return is_signed ? signed_bits(raw, size * 8) : static_cast<std::int64_t>(raw);
}

const InputLayout& no_own_input() {
  static const InputLayout none;
  return none;
}

const InputField* InputLayout::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const InputField& field) { return field.name == name; });
  return found == fields_.end() ? nullptr : found;
}

bool InputLayout::set(OwnInput& own, const InputField& field, std::int64_t value) const {
  if (!in_range(field, value)) return false;
  store(own, field, value);
  return true;
}

std::optional<std::string_view> InputLayout::unusable(const OwnInput& own) const {
  for (const InputField& field : fields_) {
    if (!in_range(field, field.stored(own))) return field.name;
  }
  for (std::size_t i = 0; i < own.changed.size(); ++i) {
    if ((own.changed[i] & ~covered_.changed[i]) != std::byte{}) return "own";
  }
  return std::nullopt;
}

std::optional<OwnInput> InputLayout::from_struct(std::span<const std::byte> bytes) const {
  OwnInput own;
  if (bytes.size() != bytes_) return std::nullopt;
  for (const InputField& field : fields_) {
    std::uint64_t raw = 0;
    std::memcpy(&raw, bytes.data() + field.offset, field.size);
    raw ^= raw_bits(field.initial, field.size);
    std::memcpy(own.changed.data() + field.offset, &raw, field.size);
  }
  return unusable(own) ? std::nullopt : std::optional(own);
}

void InputLayout::confine(OwnInput& own) const {
  keep(own, covered_);
  for (const InputField& field : fields_) {
    store(own, field, std::clamp(field.stored(own), field.low, field.high));
  }
}

void InputLayout::keep(OwnInput& own, const OwnInput& mask) {
  for (std::size_t i = 0; i < own.changed.size(); ++i) own.changed[i] &= mask.changed[i];
}

void InputLayout::write(BitWriter& writer, const OwnInput& own, const OwnInput& from) const {
  for (const InputField& field : fields_) {
    const std::int64_t now = field.stored(own);
    const bool differs = now != field.stored(from);
    writer.put(differs ? 1 : 0, 1);
    if (differs) writer.put(static_cast<std::uint64_t>(now - field.low), field.bits());
  }
}

bool InputLayout::read(BitReader& reader, OwnInput& own) const {
  for (const InputField& field : fields_) {
    if (reader.take(1) == 0) continue;
    const auto above = static_cast<std::int64_t>(reader.take(field.bits()));
    if (!reader.ok() || !set(own, field, field.low + above)) return false;
  }
  return reader.ok();
}

void InputLayout::add(const InputField& field) {
  PERIGEE_ASSERT(!fields_.full(), "a game's input has at most 16 own fields");
  PERIGEE_ASSERT(!field.name.empty() && field.name.size() <= name_bytes_max,
                 "the name of an own field of an input has 1 to 31 bytes");
  const bool printable =
      std::all_of(field.name.begin(), field.name.end(), [](char c) { return c > ' ' && c <= '~'; });
  PERIGEE_ASSERT(printable,
                 "the name of an own field of an input has ASCII letters, digits and signs alone");
  PERIGEE_ASSERT(find(field.name) == nullptr, "each own field of an input needs its own name");
  const int type_bits = field.size * 8;
  const std::int64_t half = std::int64_t{1} << (type_bits - 1);
  const std::int64_t low_min = field.is_signed ? -half : 0;
  const std::int64_t high_max = field.is_signed ? half - 1 : 2 * half - 1;
  PERIGEE_ASSERT(field.low >= low_min && field.low <= field.high && field.high <= high_max,
                 "the range of an own field of an input must be one of its type");
  PERIGEE_ASSERT(in_range(field, field.initial),
                 "the default of an own field of an input must be in its range");
  for (std::size_t i = field.offset; i < std::size_t{field.offset} + field.size; ++i) {
    PERIGEE_ASSERT(i < OwnInput::bytes_max && covered_.changed[i] == std::byte{},
                   "fields() must list each own field of an input once");
  }
  fields_.push_back(field);
  cover(covered_, field);
  if (field.missing != WhenMissing::Momentary) cover(held_, field);
  if (field.missing == WhenMissing::Kept) cover(kept_, field);
}

void InputLayout::close(std::size_t struct_bytes) {
  StateHash hash;
  std::size_t bytes = 0;
  for (const InputField& field : fields_) {
    bytes += field.size;
    for (const char c : field.name) hash.add(c);
    hash.add(field.offset).add(field.size).add(field.missing);
    hash.add(field.low).add(field.high).add(field.initial);
  }
  PERIGEE_ASSERT(bytes == struct_bytes, "fields() must list each own field of an input");
  bytes_ = struct_bytes;
  hash_ = hash.value();
}

}  // namespace perigee
