#include "perigee/session_http/origins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::session {
namespace {

using testing::HasSubstr;
using testing::Optional;

Origins origins_of(const char* list) { return Origins::parse(list).value(); }
bool allows(const Origins& origins, const char* origin) {
  return origins.answer_to(origin).has_value();
}

TEST(Origins, AreNoneByDefault) { EXPECT_FALSE(allows(origins_of(""), "http://localhost")); }

TEST(Origins, AreAllowedOneByOne) {
  const Origins origins = origins_of("https://play.example.org,http://[2001:db8::1]:8080,app://x");
  EXPECT_EQ(origins.answer_to("https://play.example.org"), "https://play.example.org");
  EXPECT_TRUE(allows(origins, "http://[2001:db8::1]:8080"));
  EXPECT_TRUE(allows(origins, "app://x")) << "of a program with a web view";
  for (const char* other :
       {"http://play.example.org", "https://play.example.org:444", "null", "",
        "https://play.example.org.evil.example", "https://evil.example", "http://[2001:db8::1]",
        "https://play.example.org, https://a.example"}) {
    EXPECT_FALSE(allows(origins, other)) << other;
  }
}

TEST(Origins, MayHaveAnyPort) {
  const Origins origins = origins_of("http://localhost:*");
  for (const char* one : {"http://localhost", "http://localhost:1", "http://localhost:65535"}) {
    EXPECT_TRUE(allows(origins, one)) << one;
  }
  for (const char* other :
       {"http://localhost:", "http://localhost:1.evil.example", "http://localhost.evil.example",
        "http://localhost:123456", "https://localhost:1", "http://localhost:*"}) {
    EXPECT_FALSE(allows(origins, other)) << other;
  }
}

TEST(Origins, OfThePlayersOwnMachineAreAddedOnLoopback) {
  Origins origins = origins_of("https://play.example.org");
  origins.add_loopback();
  for (const char* one : {"https://play.example.org", "http://127.0.0.1:8080",
                          "http://localhost:5173", "http://[::1]:80", "http://[::1]"}) {
    EXPECT_TRUE(allows(origins, one)) << one;
  }
  EXPECT_FALSE(allows(origins, "http://127.0.0.1.evil.example"));
}

TEST(Origins, AreAllAllowedByAnAsterisk) {
  EXPECT_THAT(origins_of("*").answer_to("https://any.example"), Optional(std::string("*")));
  EXPECT_TRUE(allows(origins_of("https://a.example,*"), "null"));
}

TEST(Origins, AreRefusedInAFormThatNoBrowserSends) {
  for (const char* entry :
       {"play.example.org", "https://", "://a", "https://a/", "https://a/b", "HTTPS://a",
        "https://A.example", " https://a", "https://a:", "https://a:x", "https://a:**",
        "https://*.example.org", "https://a:123456", "http://[::1", "http://[]x", "null", "**"}) {
    const auto origins = Origins::parse(std::string("https://good.example,") + entry);
    ASSERT_FALSE(origins.ok()) << entry;
    EXPECT_THAT(origins.error().message, HasSubstr("session.http_origins: '" + std::string(entry)));
  }
}

}  // namespace
}  // namespace perigee::session
