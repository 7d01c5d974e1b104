#include "perigee/base/scopes.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

TEST(Scopes, AreReadFromTextAndWrittenBack) {
  for (const char* text : {"read", "players", "map"}) {
    const auto scopes = scopes_of(text);
    ASSERT_TRUE(scopes.ok()) << text;
    EXPECT_TRUE(scopes->has(Scope::Read)) << text;
    EXPECT_EQ(scope_list(*scopes), text);
  }
  EXPECT_EQ(scope_list(*scopes_of("map,players")), "all");
  EXPECT_EQ(*scopes_of("all"), Scopes::all());
  EXPECT_FALSE(scopes_of("read")->has(Scope::Map));
  for (const char* text : {"", ",", "read,", "all,read", "Read", "read players"}) {
    EXPECT_FALSE(scopes_of(text).ok()) << text;
  }
}

}  // namespace
}  // namespace perigee
