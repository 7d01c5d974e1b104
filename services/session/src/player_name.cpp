#include "player_name.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "perigee/base/assert.hpp"
#include "perigee/base/shown_text.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::session {
namespace {

using Points = std::u32string;

/// None: not UTF-8.
std::optional<Points> points_of(std::string_view text) {
  Points out;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (!point.well_formed) return std::nullopt;
    out += point.value;
    text.remove_prefix(point.bytes);
  }
  return out;
}

std::u16string utf16_of(const Points& points) {
  std::u16string out;
  for (const char32_t point : points) {
    if (point > 0xffff) {
      out += static_cast<char16_t>(0xd7c0 + (point >> 10));
      out += static_cast<char16_t>(0xdc00 + (point & 0x3ff));
    } else {
      out += static_cast<char16_t>(point);
    }
  }
  return out;
}

bool is_normal(const UNormalizer2* form, const Points& points) {
  UErrorCode failure = U_ZERO_ERROR;
  const std::u16string text = utf16_of(points);
  const UBool normal =
      unorm2_isNormalized(form, text.data(), static_cast<std::int32_t>(text.size()), &failure);
  return U_SUCCESS(failure) && normal != 0;
}

const UNormalizer2* form_of(const UNormalizer2* (*instance)(UErrorCode*)) {
  UErrorCode failure = U_ZERO_ERROR;
  const UNormalizer2* const form = instance(&failure);
  PERIGEE_ASSERT(U_SUCCESS(failure), "ICU must have its tables");
  return form;
}

UChar32 icu(char32_t point) { return static_cast<UChar32>(point); }

/// Identifier characters, by the algorithm of RFC 8264, section 8.
bool is_identifier(char32_t point) {
  constexpr std::u32string_view allowed = U"\u00df\u03c2\u06fd\u06fe\u0f0b\u3007";
  constexpr std::u32string_view forbidden =
      U"\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b"
      U"\u00b7\u0375\u05f3\u05f4\u30fb";  // the last five would need context rules
  if (allowed.find(point) != allowed.npos) return true;
  if (forbidden.find(point) != forbidden.npos) return false;
  if (point > 0x20 && point < 0x7f) return true;
  const auto syllable = u_getIntPropertyValue(icu(point), UCHAR_HANGUL_SYLLABLE_TYPE);
  const bool old_jamo = syllable == U_HST_LEADING_JAMO || syllable == U_HST_VOWEL_JAMO ||
                        syllable == U_HST_TRAILING_JAMO;
  if (old_jamo || u_hasBinaryProperty(icu(point), UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 ||
      !is_normal(form_of(unorm2_getNFKCInstance), Points(1, point))) {
    return false;
  }
  constexpr std::uint32_t letters_and_digits = U_GC_LL_MASK | U_GC_LU_MASK | U_GC_LO_MASK |
                                               U_GC_ND_MASK | U_GC_LM_MASK | U_GC_MN_MASK |
                                               U_GC_MC_MASK;
  return (U_GET_GC_MASK(icu(point)) & letters_and_digits) != 0;
}

bool is_mark(char32_t point) { return (U_GET_GC_MASK(icu(point)) & U_GC_M_MASK) != 0; }

/// U+0660 to 0669 and U+06F0 to 06F9 look alike: a name must not contain both.
bool mixes_arabic_digits(const Points& points) {
  const auto any = [&](char32_t first) {
    return std::any_of(points.begin(), points.end(),
                       [&](char32_t point) { return point >= first && point < first + 10; });
  };
  return any(0x660) && any(0x6f0);
}

std::uint32_t direction_of(char32_t point) {
  return std::uint32_t{1} << static_cast<unsigned>(u_charDirection(icu(point)));
}
constexpr std::uint32_t bit(UCharDirection direction) {
  return std::uint32_t{1} << static_cast<unsigned>(direction);
}

constexpr std::uint32_t european = bit(U_EUROPEAN_NUMBER), arabic = bit(U_ARABIC_NUMBER),
                        right = bit(U_RIGHT_TO_LEFT) | bit(U_RIGHT_TO_LEFT_ARABIC),
                        mark = bit(U_DIR_NON_SPACING_MARK),
                        neutral = bit(U_EUROPEAN_NUMBER_SEPARATOR) |
                                  bit(U_COMMON_NUMBER_SEPARATOR) |
                                  bit(U_EUROPEAN_NUMBER_TERMINATOR) | bit(U_OTHER_NEUTRAL) |
                                  bit(U_BOUNDARY_NEUTRAL) | bit(U_WHITE_SPACE_NEUTRAL) | mark;

/// The rule of RFC 5893, section 2, applied to the whole name: spaces count as neutral. Names
/// without right-to-left letters and Arabic digits are exempt, as the RFC exempts such labels.
bool reads_one_way(std::u32string_view name) {
  std::uint32_t all = 0;
  for (const char32_t point : name) all |= direction_of(point);
  if ((all & (right | arabic)) == 0) return true;
  while (name.size() > 1 && direction_of(name.back()) == mark) name.remove_suffix(1);
  return (direction_of(name.front()) & right) != 0 &&
         (all & ~(right | european | arabic | neutral)) == 0 &&
         (direction_of(name.back()) & (right | european | arabic)) != 0 &&
         (all & (european | arabic)) != (european | arabic);
}

std::string number_of(char32_t point) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(point));
  return text.data();
}

std::optional<std::string> fault_of_words(const Points& name) {
  std::u32string_view rest = name;
  while (true) {
    const std::u32string_view word = rest.substr(0, rest.find(U' '));
    if (word.empty()) return "a player's name must have single spaces, and only between words";
    if (is_mark(word.front())) {
      return "a word of a player's name must not begin with a mark (" + number_of(word.front()) +
             "), which belongs to the letter before it";
    }
    if (word.size() == rest.size()) return std::nullopt;
    rest.remove_prefix(word.size() + 1);
  }
}

}  // namespace

std::optional<std::string> fault_of_name(std::string_view name) {
  if (name.empty() || name.size() > transport::player_name_bytes_max) {
    return "a player's name must have 1 to 32 bytes, this one has " + std::to_string(name.size());
  }
  const auto points = points_of(name);
  if (!points) return "a player's name must be UTF-8";
  for (const char32_t point : *points) {
    if (point == U' ' || is_identifier(point)) continue;
    return "a player's name must consist of letters, digits, ASCII punctuation and single "
           "spaces; " +
           number_of(point) + " is none of them";
  }
  if (points->front() == U'#') {
    return "a player's name must not begin with #, which precedes a session's number";
  }
  if (mixes_arabic_digits(*points)) {
    return "a player's name must not mix the Arabic digits of U+0660 and U+06F0";
  }
  if (!is_normal(form_of(unorm2_getNFCInstance), *points)) {
    return "a player's name must be in Unicode's composed form (NFC)";
  }
  if (!reads_one_way(*points)) {
    return "a player's name with right-to-left letters must have no others, and begin with one "
           "(RFC 5893)";
  }
  return fault_of_words(*points);
}

}  // namespace perigee::session
