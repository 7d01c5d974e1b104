#include "perigee/console/access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::console {
namespace {

constexpr const char* token = "0123456789abcdef0123456789abcdef";
const std::string own = "127.0.0.1:40190";

struct AConsole : testing::Test {
  Right right(const Caller& caller) const {
    const auto found = access.right_of(caller);
    EXPECT_TRUE(std::holds_alternative<Right>(found)) << std::get<Denied>(found).sentence;
    return std::get<Right>(found);
  }
  Denial denial(const Caller& caller) const {
    const auto found = access.right_of(caller);
    EXPECT_TRUE(std::holds_alternative<Denied>(found));
    EXPECT_FALSE(std::get<Denied>(found).sentence.empty());
    return std::get<Denied>(found).reason;
  }
  Access access{{.token = token, .loopback = true, .hosts = {"console.example.org"}}};
};

TEST_F(AConsole, LetsEverybodyOnLoopbackReadAndOnlyTheTokenAct) {
  EXPECT_EQ(right({.host = own}), Right::Read);
  EXPECT_EQ(right({.host = own, .token = token}), Right::Act);
  EXPECT_EQ(denial({.host = own, .token = "0123456789abcdef0123456789abcdeX"}), Denial::WrongToken);
  EXPECT_EQ(denial({.host = own, .token = "0123"}), Denial::WrongToken);
}

TEST_F(AConsole, ElsewhereReadsNothingWithoutAToken) {
  const Access access_elsewhere{{.token = token, .loopback = false}};
  const auto found = access_elsewhere.right_of({.host = "10.0.0.9:40190"});
  ASSERT_TRUE(std::holds_alternative<Denied>(found));
  EXPECT_EQ(std::get<Denied>(found).reason, Denial::NoToken);
  EXPECT_THAT(std::get<Denied>(found).sentence, testing::HasSubstr("console_token"));
}

// A page of another site that the browser's user has open.
TEST_F(AConsole, RefusesPagesOfOtherSites) {
  EXPECT_EQ(right({.host = own, .origin = "http://" + own}), Right::Read);
  EXPECT_EQ(right({.host = "console.example.org", .origin = "https://console.example.org"}),
            Right::Read);
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
    EXPECT_EQ(right({.host = host}), Right::Read) << host;
  }
}

}  // namespace
}  // namespace perigee::console
