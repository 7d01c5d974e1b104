#include "perigee/console/access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::console {
namespace {

constexpr const char* players_token = "another0123456789";
constexpr const char* token = "0123456789abcdef0123456789abcdef";
const std::string own = "127.0.0.1:40190";

struct AConsole : testing::Test {
  std::string rights(const Caller& caller) const {
    const auto found = access.rights_of(caller);
    EXPECT_TRUE(std::holds_alternative<Operator>(found)) << std::get<Denied>(found).sentence;
    const auto& by = std::get<Operator>(found);
    return by.name + ":" + scope_list(by.scopes);
  }
  Denial denial(const Caller& caller) const {
    const auto found = access.rights_of(caller);
    EXPECT_TRUE(std::holds_alternative<Denied>(found));
    EXPECT_FALSE(std::get<Denied>(found).sentence.empty());
    return std::get<Denied>(found).reason;
  }
  Access access{{.tokens = {{token, {"console", Scopes::all()}},
                            {players_token, {"alice", {Scope::Read, Scope::Players}}}},
                 .loopback = true,
                 .hosts = {"console.example.org"}}};
};

TEST_F(AConsole, LetsEverybodyOnLoopbackReadAndOnlyTheTokenAct) {
  EXPECT_EQ(rights({.host = own}), ":read");
  EXPECT_EQ(rights({.host = own, .token = token}), "console:all");
  EXPECT_EQ(rights({.host = own, .token = players_token}), "alice:players");
  EXPECT_EQ(denial({.host = own, .token = "0123456789abcdef0123456789abcdeX"}), Denial::WrongToken);
  EXPECT_EQ(denial({.host = own, .token = "0123"}), Denial::WrongToken);
}

TEST_F(AConsole, ElsewhereReadsNothingWithoutAToken) {
  const Access access_elsewhere{
      {.tokens = {{token, {"console", Scopes::all()}}}, .loopback = false}};
  const auto found = access_elsewhere.rights_of({.host = "10.0.0.9:40190"});
  ASSERT_TRUE(std::holds_alternative<Denied>(found));
  EXPECT_EQ(std::get<Denied>(found).reason, Denial::NoToken);
  EXPECT_THAT(std::get<Denied>(found).sentence, testing::HasSubstr("console_token"));
}

// A page of another site that the browser's user has open.
TEST_F(AConsole, RefusesPagesOfOtherSites) {
  EXPECT_EQ(rights({.host = own, .origin = "http://" + own}), ":read");
  EXPECT_EQ(rights({.host = "console.example.org", .origin = "https://console.example.org"}),
            ":read");
  for (const char* origin : {"http://evil.example", "http://127.0.0.1:40191", "null",
                             "http://127.0.0.1:40190.evil.example"}) {
    EXPECT_EQ(denial({.host = own, .origin = origin, .token = token}), Denial::Origin) << origin;
  }
}

// A name of another site that resolves to this machine (DNS rebinding): its pages have the same
// origin as the console then.
TEST_F(AConsole, RefusesNamesThatAreNotItsOwn) {
  for (const char* host : {"evil.example:40190", "", "localhost.evil.example",
                           "127.0.0.1.evil.example", "[::1", "CONSOLE.example.org.evil"}) {
    EXPECT_EQ(denial({.host = host, .origin = std::string("http://") + host, .token = token}),
              Denial::Host)
        << host;
  }
  for (const char* host : {"127.0.0.1:40190", "localhost:40190", "localhost", "[::1]:40190",
                           "192.168.0.7:40190", "console.example.org:443"}) {
    EXPECT_EQ(rights({.host = host}), ":read") << host;
  }
}

TEST(OperatorsOfAConsole, AreReadFromLines) {
  const auto read = read_operators(
      "# who may act here\n\nalice players 0123456789abcdef  # on call\nbob read,map "
      "fedcba9876543210\n");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].of.name, "alice");
  EXPECT_EQ(scope_list((*read)[0].of.scopes), "players");
  EXPECT_EQ((*read)[1].token, "fedcba9876543210");
  EXPECT_TRUE(read_operators("")->empty());
}

TEST(OperatorsOfAConsole, RefusesLinesThatAreWrongWithoutShowingTheToken) {
  const auto why = [](std::string_view text) { return read_operators(text).error().message; };
  EXPECT_THAT(why("\nalice all short-secret"), testing::StartsWith("line 2: a token has"));
  EXPECT_THAT(why("alice everything 0123456789abcdef"), testing::HasSubstr("a scope is"));
  EXPECT_THAT(why("alice 0123456789abcdef"), testing::HasSubstr("expected NAME SCOPES TOKEN"));
  EXPECT_THAT(why("alice all 0123456789abcdef more"), testing::HasSubstr("expected NAME"));
  EXPECT_THAT(why("alice all short-secret"), testing::Not(testing::HasSubstr("short-secret")));
}

}  // namespace
}  // namespace perigee::console
