#include "perigee/directory/fabric_keyring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::directory {
namespace {

using testing::ElementsAre;

constexpr Micros keyring_second_us = 1'000'000;
constexpr FabricKeySettings hourly{.sealing = FabricSealing::Tag,
                                   .key_us = 3'600 * keyring_second_us};

/// A keyring with a gateway and two workers.
struct AFabricKeyring : testing::Test {
  AFabricKeyring() {
    map.gateways.push_back({.slot = GatewaySlot{0}, .alive = true, .run = 1});
    for (const WorkerSlot slot : worker_slots(2)) {
      map.workers.push_back(
          {.slot = slot, .handle_count = 1, .alive = true, .run = 2U + slot.number});
    }
  }
  /// The key that is due, or that an operator orders.
  void add_key() {
    const bool due = keyring.wants_key(now_us) || keyring.order_change();
    ASSERT_TRUE(due);
    FabricKeyBytes bytes{};
    bytes.fill(static_cast<std::byte>(++drawn));
    keyring.add_key(now_us, bytes);
  }
  void pass(Micros us) {
    now_us += us;
    keyring.advance(now_us);
  }
  void confirm_gateway(std::uint32_t deal) { keyring.note_confirmed(MemberKind::Gateway, 0, deal); }
  void confirm(int worker, std::uint32_t deal) {
    keyring.note_confirmed(MemberKind::Worker, static_cast<std::uint32_t>(worker), deal);
  }
  void all_confirm() {
    confirm_gateway(keyring.dealt().deal);
    for (const int worker : {0, 1}) confirm(worker, keyring.dealt().deal);
  }
  /// After the first key, in the middle of an hour.
  void settle() {
    add_key();
    all_confirm();
    pass(1'800 * keyring_second_us);
  }
  std::vector<std::uint32_t> epochs() const {
    std::vector<std::uint32_t> out;
    for (const FabricKey& key : keyring.dealt().keys) out.push_back(key.epoch);
    return out;
  }
  std::uint32_t sends() const { return keyring.dealt().send; }
  std::uint32_t oldest() const { return keyring.dealt().oldest; }

  Micros now_us = 1'000 * keyring_second_us;
  std::uint32_t drawn = 0;
  ClusterMap map{.cluster_id = 7, .version = 1};
  FabricKeyring keyring{{.map = map}, hourly, {}};
};

TEST_F(AFabricKeyring, DealsTheFirstKeyForUseAtOnce) {
  EXPECT_EQ(keyring.dealt().deal, 0);
  EXPECT_TRUE(keyring.wants_key(now_us));
  add_key();
  EXPECT_FALSE(keyring.wants_key(now_us));
  EXPECT_EQ(keyring.dealt().cluster_id, 7);
  EXPECT_THAT(epochs(), ElementsAre(1));
  EXPECT_EQ(sends(), 1);
  EXPECT_EQ(oldest(), 1);
  EXPECT_EQ(keyring.dealt().keys[0].bytes[31], std::byte{1});
}

TEST_F(AFabricKeyring, WantsTheNextKeyAfterItsTimeOrAnOrder) {
  settle();
  EXPECT_FALSE(keyring.wants_key(now_us));
  pass(1'799 * keyring_second_us);
  EXPECT_FALSE(keyring.wants_key(now_us));
  pass(keyring_second_us);
  EXPECT_TRUE(keyring.wants_key(now_us));
  add_key();
  EXPECT_FALSE(keyring.order_change());
  all_confirm();
  pass(keyring_second_us);
  all_confirm();
  pass(keyring_second_us);
  pass(FabricKeyring::settle_us);
  EXPECT_TRUE(keyring.order_change());
  EXPECT_TRUE(keyring.wants_key(now_us));
  EXPECT_FALSE(keyring.order_change());
}

TEST_F(AFabricKeyring, UsesAKeyOnceAllHaveItAndDropsTheFormerOneOnceNoneUsesIt) {
  settle();
  add_key();
  EXPECT_THAT(epochs(), ElementsAre(1, 2));
  const std::uint32_t announced = keyring.dealt().deal;
  confirm_gateway(announced);
  confirm(0, announced);
  pass(keyring_second_us);
  EXPECT_EQ(sends(), 1);
  confirm(1, announced);
  pass(keyring_second_us);
  EXPECT_EQ(sends(), 2);
  EXPECT_EQ(oldest(), 1);
  EXPECT_THAT(epochs(), ElementsAre(1, 2));
  const std::uint32_t switched = keyring.dealt().deal;
  EXPECT_GT(switched, announced);
  pass(10 * keyring_second_us);
  EXPECT_EQ(oldest(), 1) << "the members still say that they have the former deal";
  all_confirm();
  pass(keyring_second_us);
  EXPECT_EQ(oldest(), 1) << "datagrams may be under way";
  pass(FabricKeyring::settle_us);
  EXPECT_EQ(oldest(), 2);
  EXPECT_THAT(epochs(), ElementsAre(2));
  EXPECT_EQ(keyring.changes(), 1);
  EXPECT_FALSE(keyring.changing());
}

TEST_F(AFabricKeyring, WaitsForNoDeadMemberAndNoneThatDoesNotSeal) {
  settle();
  add_key();
  confirm_gateway(keyring.dealt().deal);
  pass(keyring_second_us);
  EXPECT_EQ(sends(), 1);
  map.workers[0].alive = false;
  map.workers[1].run = 0;
  pass(keyring_second_us);
  EXPECT_EQ(sends(), 2);
}

TEST_F(AFabricKeyring, WaitsForASuccessorThatHasNotConfirmed) {
  settle();
  add_key();
  all_confirm();
  map.workers[1].run = 99;
  keyring.note_registered(MemberKind::Worker, 1, 99);
  pass(keyring_second_us);
  EXPECT_EQ(sends(), 1) << "the former process had the key, this one has not";
  confirm(1, keyring.dealt().deal);
  keyring.note_registered(MemberKind::Worker, 1, 99);  // the same process, again
  pass(keyring_second_us);
  EXPECT_EQ(sends(), 2);
}

TEST_F(AFabricKeyring, GoesOnWithoutAMemberThatNeverConfirms) {
  settle();
  add_key();
  pass(FabricKeyring::patience_us - 1);
  EXPECT_EQ(sends(), 1);
  pass(1);
  EXPECT_EQ(sends(), 2);
  pass(FabricKeyring::patience_us);
  pass(FabricKeyring::settle_us);
  EXPECT_EQ(oldest(), 2);
}

TEST_F(AFabricKeyring, ContinuesUnderAnotherLeaderWithoutTheFormerKey) {
  settle();
  FabricKeyring next({.map = map}, hourly, keyring.saved());
  EXPECT_TRUE(next.wants_key(now_us));
  next.add_key(now_us, {});
  const FabricKeys dealt = next.dealt();
  EXPECT_GT(dealt.deal, keyring.dealt().deal);
  ASSERT_EQ(dealt.keys.size(), 1);
  EXPECT_EQ(dealt.keys[0].epoch, 2);
  EXPECT_EQ(dealt.send, 1) << "members go on with the key that they have";
  EXPECT_EQ(dealt.oldest, 1);
  next.note_confirmed(MemberKind::Gateway, 0, dealt.deal);
  for (const int worker : {0, 1}) {
    next.note_confirmed(MemberKind::Worker, static_cast<std::uint32_t>(worker), dealt.deal);
  }
  next.advance(now_us);
  EXPECT_EQ(next.dealt().send, 2);
  EXPECT_EQ(next.dealt().oldest, 1);
}

TEST_F(AFabricKeyring, NeverDealsAnEpochTwice) {
  settle();
  add_key();  // this leader ends in the middle of a change
  FabricKeyring next({.map = map}, hourly, keyring.saved());
  next.add_key(now_us, {});
  EXPECT_EQ(next.dealt().keys.back().epoch, 3);
  EXPECT_EQ(next.dealt().send, 1);
}

TEST_F(AFabricKeyring, DealsPlainEpochsWithoutBytes) {
  FabricKeyring plain({.map = map}, {.sealing = FabricSealing::Plain}, keyring.saved());
  FabricKeyBytes bytes{};
  bytes.fill(std::byte{5});
  plain.add_key(now_us, bytes);
  EXPECT_EQ(plain.dealt().keys[0],
            (FabricKey{.epoch = 1, .sealing = FabricSealing::Plain, .bytes = {}}));
}

}  // namespace
}  // namespace perigee::directory
