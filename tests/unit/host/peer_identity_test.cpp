#include "perigee/host/peer_identity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "perigee/host/caller.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
using Uris = std::vector<std::string>;

TEST(APeerIdentity, HasOneRoleAndAnOperatorsScopes) {
  const auto member = identity_from("sim-1", Uris{"https://example.org/x", "perigee:role:member"});
  ASSERT_TRUE(member.ok());
  EXPECT_EQ(member->name, "sim-1");
  EXPECT_EQ(member->role, PeerRole::Member);
  EXPECT_EQ(member->scopes, Scopes{});
  const auto alice = identity_from(
      "alice", Uris{"perigee:scope:players", "perigee:role:operator", "perigee:scope:map"});
  ASSERT_TRUE(alice.ok());
  EXPECT_EQ(alice->role, PeerRole::Operator);
  EXPECT_EQ(scope_list(alice->scopes), "all");
}

TEST(APeerIdentity, RefusesWhatItDoesNotKnow) {
  const auto why = [](const Uris& uris) {
    const auto identity = identity_from("x", uris);
    return identity ? std::string() : identity.error().message;
  };
  EXPECT_THAT(why({}), HasSubstr("no role"));
  EXPECT_THAT(why({"https://perigee:role:member"}), HasSubstr("no role"));
  EXPECT_THAT(why({"perigee:role:member", "perigee:role:gateway"}), HasSubstr("two roles"));
  EXPECT_THAT(why({"perigee:role:king"}), HasSubstr("unknown role: perigee:role:king"));
  EXPECT_THAT(why({"perigee:role:member", "perigee:colour:red"}), HasSubstr("unknown name"));
  EXPECT_THAT(why({"perigee:role:operator"}), HasSubstr("no scope"));
  EXPECT_THAT(why({"perigee:role:operator", "perigee:scope:alll"}), HasSubstr("unknown scope"));
  EXPECT_THAT(why({"perigee:role:gateway", "perigee:scope:map"}), HasSubstr("without being"));
}

TEST(APeerIdentity, ShowsNamesOfStrangersInPrintableForm) {
  const auto identity = identity_from(std::string(200, 'a') + "\n", Uris{"perigee:role:member"});
  ASSERT_TRUE(identity.ok());
  EXPECT_EQ(identity->name.size(), 64U);
  EXPECT_EQ(identity_from("a\x1b[2Jb", Uris{"perigee:role:member"})->name, "a?[2Jb");
}

TEST(CallRights, AreOfRolesAndScopes) {
  const PeerIdentity member{"m", PeerRole::Member, {}}, gateway{"g", PeerRole::Gateway, {}};
  const PeerIdentity reader{"r", PeerRole::Operator, {Scope::Read}};
  const PeerIdentity mapper{"o", PeerRole::Operator, {Scope::Read, Scope::Map}};
  EXPECT_TRUE(allows(rights::members, member));
  EXPECT_FALSE(allows(rights::members, gateway));
  EXPECT_FALSE(allows(rights::members, mapper));
  EXPECT_TRUE(allows(rights::readers, gateway));
  EXPECT_TRUE(allows(rights::readers, reader));
  EXPECT_FALSE(allows(rights::operators_map, reader));
  EXPECT_TRUE(allows(rights::operators_map, mapper));
  EXPECT_FALSE(allows(rights::operators_players, mapper));
  EXPECT_FALSE(allows(rights::operators_map, member));
}

}  // namespace
}  // namespace perigee::host
