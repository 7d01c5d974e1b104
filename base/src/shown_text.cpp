#include "perigee/base/shown_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace perigee {
namespace {

struct Span {
  char32_t first, last;
};
/// Unicode 15's Default_Ignorable_Code_Point, control, format, line and paragraph separators,
/// blanks except U+0020, and the letters without a shape: the fillers and the Braille blank.
/// Sorted.
constexpr std::array hidden{
    Span{0x00, 0x1f},       Span{0x7f, 0xa0},       Span{0xad, 0xad},       Span{0x34f, 0x34f},
    Span{0x600, 0x605},     Span{0x61c, 0x61c},     Span{0x6dd, 0x6dd},     Span{0x70f, 0x70f},
    Span{0x890, 0x891},     Span{0x8e2, 0x8e2},     Span{0x115f, 0x1160},   Span{0x1680, 0x1680},
    Span{0x17b4, 0x17b5},   Span{0x180b, 0x180f},   Span{0x2000, 0x200f},   Span{0x2028, 0x202f},
    Span{0x205f, 0x206f},   Span{0x2800, 0x2800},   Span{0x3000, 0x3000},   Span{0x3164, 0x3164},
    Span{0xd800, 0xf8ff},   Span{0xfe00, 0xfe0f},   Span{0xfeff, 0xfeff},   Span{0xffa0, 0xffa0},
    Span{0xfff0, 0xffff},   Span{0x110bd, 0x110bd}, Span{0x110cd, 0x110cd}, Span{0x13430, 0x1343f},
    Span{0x1bca0, 0x1bca3}, Span{0x1d173, 0x1d17a}, Span{0xe0000, 0x10ffff}};
static_assert(std::is_sorted(hidden.begin(), hidden.end(),
                             [](const Span& a, const Span& b) { return a.last < b.first; }));

/// Length in bytes of the sequence that starts with `lead`; 0 if it starts none.
std::size_t sequence_bytes(std::uint32_t lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xf0 && lead < 0xf5) return 4;
  return 0;
}

void append_escape(std::string& out, char kind, std::uint32_t value) {
  std::array<char, 8> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  out += '\\';
  out += kind;
  out += '{';
  out.append(digits.data(), end);
  out += '}';
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { add(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xc0 | point >> 6);
  } else if (point < 0x10000) {
    add(0xe0 | point >> 12);
    tail(6);
  } else {
    add(0xf0 | point >> 18);
    tail(12);
    tail(6);
  }
  tail(0);
}

/// Decodes the escape after the backslash and removes it from `text`. False: not an escape.
bool take_escape(std::string_view& text, std::string& out) {
  if (text.starts_with('\\')) {
    out += '\\';
    text.remove_prefix(1);
    return true;
  }
  const bool byte = text.starts_with("x{");
  if (!byte && !text.starts_with("u{")) return false;
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (code != std::errc{} || size >= text.size() || *end != '}') return false;
  if (value > (byte ? 0xffU : 0x10ffffU)) return false;
  byte ? static_cast<void>(out += static_cast<char>(value)) : append_utf8(out, value);
  text.remove_prefix(size + 1);
  return true;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return static_cast<unsigned char>(text[i]);
  };
  const std::size_t size = sequence_bytes(byte(0));
  if (size == 0 || size > text.size()) return {};
  std::uint32_t point = size == 1 ? byte(0) : byte(0) & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  if (point < least[size] || surrogate || point > 0x10ffff) return {};
  return {point, size, true};
}

bool shows_itself(char32_t point) {
  const auto at = std::lower_bound(hidden.begin(), hidden.end(), point,
                                   [](const Span& span, char32_t p) { return span.last < p; });
  return at == hidden.end() || point < at->first;
}

std::string shown(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = first_code_point(text.substr(at));
    const bool at_end = at == 0 || at + 1 == text.size();
    if (!point.well_formed) {
      append_escape(out, 'x', static_cast<unsigned char>(text[at]));
    } else if (point.value == '\\') {
      out += "\\\\";
    } else if (!shows_itself(point.value) || (point.value == ' ' && at_end) ||
               (point.value == '#' && at == 0)) {
      append_escape(out, 'u', point.value);
    } else {
      out += text.substr(at, point.bytes);
    }
    at += point.bytes;
  }
  return out;
}

std::optional<std::string> from_shown(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\') {
      out += c;
    } else if (!take_escape(text, out)) {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace perigee
