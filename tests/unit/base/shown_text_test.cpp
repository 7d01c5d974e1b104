#include "perigee/base/shown_text.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

TEST(AShownText, IsTheTextIfItShowsAsItself) {
  for (const char* text : {"Ada", "Ada Byron", "Bj\u00f6rk", "a#1", "\u05d0\u05d1", ""}) {
    EXPECT_EQ(shown(text), text);
  }
}

TEST(AShownText, SpellsOutWhatDoesNot) {
  EXPECT_EQ(shown("A\u202eda"), "A\\u{202e}da");
  EXPECT_EQ(shown("\ufeff\u200b\u2028"), "\\u{feff}\\u{200b}\\u{2028}");
  EXPECT_EQ(shown("\x1b[2J\n"), "\\u{1b}[2J\\u{a}");
  EXPECT_EQ(shown("  "), "\\u{20}\\u{20}");
  EXPECT_EQ(shown(" a b "), "\\u{20}a b\\u{20}");
  EXPECT_EQ(shown("#12"), "\\u{23}12");
  EXPECT_EQ(shown("a\\b"), "a\\\\b");
  EXPECT_EQ(shown("a\xff"), "a\\x{ff}");
  EXPECT_EQ(shown("\U000e0041"), "\\u{e0041}");
}

TEST(AShownText, IsReadBackAsTheTextThatItShows) {
  Random random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint64_t n = random.next() % 6; n > 0; --n) {
      constexpr std::string_view often = "#\\ u{x}2e\xe2\x80\xae\xef\xbb\xbf";
      text += random.next() % 2 == 0 ? often[random.next() % often.size()]
                                     : static_cast<char>(random.next());
    }
    const auto back = from_shown(shown(text));
    ASSERT_TRUE(back) << i;
    EXPECT_EQ(*back, text) << shown(text);
  }
}

TEST(AShownText, IsNotReadIfABackslashBeginsNothing) {
  for (const char* text : {"\\", "a\\b", "\\u", "\\u{", "\\u{}", "\\u{20", "\\u{110000}",
                           "\\x{100}", "\\x{-1}", "\\u{2g}"}) {
    EXPECT_FALSE(from_shown(text)) << text;
  }
}

TEST(ACodePoint, IsMalformedWhereUtf8SaysSo) {
  for (const char* text :
       {"\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_FALSE(first_code_point(text).well_formed);
    EXPECT_EQ(first_code_point(text).bytes, 1U);
  }
  EXPECT_EQ(first_code_point("\U0001f680").value, U'\U0001f680');
  EXPECT_EQ(first_code_point("\U0001f680").bytes, 4U);
}

}  // namespace
}  // namespace perigee
