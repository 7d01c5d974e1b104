/// Messages one behind the other, each behind its size `u32`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace perigee::peers {

inline void append_word(std::vector<std::byte>& words, std::span<const std::byte> word) {
  const auto size = static_cast<std::uint32_t>(word.size());
  const std::size_t at = words.size();
  words.resize(at + sizeof size + word.size());
  std::memcpy(words.data() + at, &size, sizeof size);
  std::memcpy(words.data() + at + sizeof size, word.data(), word.size());
}

/// Takes the first one away; empty: what is there does not begin with a whole one.
inline std::span<const std::byte> take_word(std::span<const std::byte>& words) {
  std::uint32_t size = 0;
  if (words.size() < sizeof size) return {};
  std::memcpy(&size, words.data(), sizeof size);
  if (words.size() - sizeof size < size) return {};
  const auto word = words.subspan(sizeof size, size);
  words = words.subspan(sizeof size + size);
  return word;
}

}  // namespace perigee::peers
