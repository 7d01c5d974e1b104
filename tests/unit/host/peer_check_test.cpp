// Revocation lists that are damaged: with fewer lists than there were, revoked certificates would
// count again.
#include "perigee/host/peer_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "made_authority.hpp"
#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;

struct TwoLists : testing::Test {
  TwoLists() { std::ofstream(ca) << first.certificate << second.certificate; }
  Result<std::shared_ptr<const PeerCheck>> load(const std::string& lists) const {
    std::ofstream(crl) << lists;
    return PeerCheck::load(ca, crl);
  }
  std::string why_not(const std::string& lists) const {
    const auto loaded = load(lists);
    return loaded ? "it was read" : loaded.error().message;
  }
  /// A certificate of the second authority, which its list revokes.
  PeerCheck::Certificate revoke_one() {
    const auto issued = second.issue({});
    second.revoke(issued.serial);
    return certificate_of(issued.certificate).value();
  }

  TemporaryFolder folder;
  const std::filesystem::path ca = folder.path() / "ca.crt", crl = folder.path() / "ca.crl";
  MadeAuthority first{"first"}, second{"second"};
};

TEST_F(TwoLists, AreReadWithTheTextBeforeThem) {
  const auto revoked = revoke_one();
  for (const std::string& between :
       {std::string(), std::string("\n\n"), std::string("second:\n")}) {
    std::string lists = "first:\n" + first.list() + between + second.list() + " \n";
    EXPECT_TRUE(load(lists).value()->revoked(*revoked)) << between;
    for (std::size_t at = 0; (at = lists.find('\n', at)) != std::string::npos; at += 2) {
      lists.replace(at, 1, "\r\n");
    }
    EXPECT_TRUE(load(lists).value()->revoked(*revoked)) << between;
  }
}

TEST_F(TwoLists, AreRefusedWhereverTheSecondIsCut) {
  const auto revoked = revoke_one();
  const std::string one = first.list(), two = second.list();
  for (std::size_t size = 1; size < two.size(); ++size) {
    const auto loaded = load(one + two.substr(0, size));
    if (size + 1 == two.size()) {  // without its line end it is whole
      EXPECT_TRUE(loaded && (*loaded)->revoked(*revoked));
    } else {
      EXPECT_FALSE(loaded.ok()) << "cut after " << size << " bytes";
    }
  }
  EXPECT_THAT(why_not(one + two.substr(0, 100)),
              HasSubstr("is cut off, or text follows the last; write all"));
  EXPECT_THAT(why_not(one + two.substr(0, two.size() - 4)), HasSubstr("block 2 is damaged"));
}

TEST_F(TwoLists, AreRefusedWhereverOneOfThemIsChanged) {
  const auto revoked = revoke_one();
  const std::string good = second.list() + first.list();
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = '#';
    const auto loaded = load(bad);
    EXPECT_TRUE(!loaded || (*loaded)->revoked(*revoked)) << "changed at " << at;
  }
  EXPECT_THAT(why_not(first.certificate), HasSubstr("is damaged or no revocation list"));
  EXPECT_THAT(why_not("no list\n"), HasSubstr("no revocation list in PEM"));
}

}  // namespace
}  // namespace perigee::host
