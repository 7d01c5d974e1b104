// Profiles of players and results of matches: read before a join, kept for good, whatever happens
// to workers and to the store.
#include <gmock/gmock.h>

#include "pair.hpp"
#include "perigee/base/hash.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

using world::KeepRefusal;

Bytes one_byte(int value) { return {static_cast<std::byte>(value)}; }

/// A worker with a store that answers when it is told to.
class AStoreOfRecords : public testing::Test {
 protected:
  AStoreOfRecords() {
    bench.core->outputs.to_lasting = [this](const LastingRow& row) { rows.push_back(row); };
    bench.core->outputs.take_profile = [this](std::uint64_t number, std::uint64_t owner) {
      newest = number;
      asked.push_back(owner);
    };
    mischief.on_join = [this](world::Journal& journal, const world::Participant& who) {
      joined_with = to_bytes(journal.profile(who.actor));
    };
    mischief.think = [this](world::ThinkContext& context) {
      if (thought) std::exchange(thought, nullptr)(context.journal());
    };
  }
  static std::optional<Bytes> to_bytes(std::optional<std::span<const std::byte>> view) {
    if (!view) return std::nullopt;
    return Bytes(view->begin(), view->end());
  }
  /// The answer to the newest question.
  void answer(const std::optional<StoredProfile>& profile) {
    bench.core->on_profile(newest, {++leases, profile});
  }
  void join_with(const std::optional<StoredProfile>& profile) {
    bench.join();
    answer(profile);
    ASSERT_NE(bench.core->player_of(100), nullptr);
  }
  void think(std::function<void(world::Journal&)> what) {
    thought = std::move(what);
    bench.tick();
  }
  KeepRefusal save(const Bytes& profile) {
    KeepRefusal refusal{};
    think([&](world::Journal& journal) { refusal = journal.save(bench.player().avatar, profile); });
    return refusal;
  }
  Handle actor() const { return bench.player().avatar; }

  test::YardMischief mischief;
  Bench bench{{.mischief = &mischief}};
  std::vector<LastingRow> rows;
  std::vector<std::uint64_t> asked;
  std::uint64_t newest = 0, leases = 0;
  std::optional<Bytes> joined_with;
  std::function<void(world::Journal&)> thought;
};

TEST_F(AStoreOfRecords, IsReadBeforeAPlayerJoins) {
  bench.join();
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{100}));
  bench.join();  // the gateway asks again
  bench.tick(10);
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_TRUE(bench.joined.empty());
  answer(StoredProfile{0, one_byte(9)});
  bench.tick();
  EXPECT_EQ(bench.joined.size(), 1U);
  EXPECT_EQ(joined_with, one_byte(9));
}

TEST_F(AStoreOfRecords, HasNothingOfANewPlayer) {
  join_with(std::nullopt);
  EXPECT_EQ(joined_with, Bytes{});
}

TEST_F(AStoreOfRecords, IsAskedAgainIfItDoesNotAnswer) {
  bench.join();
  bench.tick(301);
  bench.join();
  EXPECT_EQ(asked.size(), 2U);
  EXPECT_TRUE(bench.joined.empty());
}

TEST_F(AStoreOfRecords, IsReadForTheSessionThatAskedAlone) {
  bench.join();
  bench.leave();
  answer(StoredProfile{0, one_byte(9)});
  bench.tick();
  EXPECT_EQ(bench.core->player_of(100), nullptr) << "it has left";
  bench.join();
  EXPECT_EQ(asked.size(), 2U) << "what was read then may be old";
}

TEST_F(AStoreOfRecords, GetsTheNewestProfileAndOneAtATime) {
  join_with(std::nullopt);
  for (int i = 1; i <= 9; ++i) save(one_byte(i));
  ASSERT_EQ(rows.size(), 1U) << "the store has not answered";
  EXPECT_EQ(rows[0].bytes, one_byte(1));
  EXPECT_EQ(rows[0].owner, 100U);
  const auto stored = [&] {
    bench.core->on_kept(rows.back().number, Journalled::Stands);
    bench.tick();
  };
  stored();
  ASSERT_EQ(rows.size(), 2U);
  stored();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].bytes, one_byte(9));
  stored();
  EXPECT_EQ(rows.size(), 3U) << "those between have been replaced";
  EXPECT_EQ(bench.core->lasting_open(), 0U);
  EXPECT_EQ(bench.count(metric.profiles_kept), 3U);
  EXPECT_EQ(save(one_byte(9)), KeepRefusal::None);
  EXPECT_EQ(rows.size(), 3U) << "the same bytes";
}

TEST_F(AStoreOfRecords, IsNotReadWhileASaveIsOnItsWay) {
  join_with(std::nullopt);
  asked.clear();
  mischief.on_leave = [](world::Journal& journal, const world::Participant& who) {
    EXPECT_EQ(journal.save(who.actor, one_byte(7)), KeepRefusal::None);
  };
  bench.leave();
  bench.tick(2);
  ASSERT_EQ(rows.size(), 1U);
  bench.gateway_says(JoinRecord{Bench::later_session_of(0), 100, RegionId{0}});
  EXPECT_TRUE(asked.empty());
  bench.core->on_kept(rows[0].number, Journalled::Stands);
  bench.gateway_says(JoinRecord{Bench::later_session_of(0), 100, RegionId{0}});
  EXPECT_EQ(asked.size(), 1U);
}

TEST_F(AStoreOfRecords, IsReadWhenTheAccountsOtherSessionHasLeft) {
  JoinRecord first{session_of(0), 100, RegionId{0}, 1};
  first.account.player_id = 77;
  JoinRecord second{session_of(1), 200, RegionId{0}, 2};
  second.account.player_id = 77;
  bench.gateway_says(first);
  answer(std::nullopt);
  ASSERT_NE(bench.core->player_of(100), nullptr);
  asked.clear();
  bench.gateway_says(second);
  bench.tick(2);
  EXPECT_TRUE(asked.empty());
  bench.leave(0);
  bench.tick(2);
  bench.gateway_says(second);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{77}));
}

// The player's device has crashed, and the player logs in again while the avatar still stands
// there.
TEST_F(AStoreOfRecords, IsReadWhenTheAccountsAvatarWithoutAClientHasLeft) {
  JoinRecord first{session_of(0), 100, RegionId{0}, 1};
  first.account.player_id = 77;
  JoinRecord second{session_of(1), 200, RegionId{0}, 2};
  second.account.player_id = 77;
  second.alone = true;
  mischief.on_leave = [](world::Journal& journal, const world::Participant& who) {
    EXPECT_EQ(journal.save(who.actor, one_byte(7)), KeepRefusal::None);
  };
  bench.gateway_says(first);
  answer(std::nullopt);
  bench.gateway_says(LeaveRecord{first.session, true});
  bench.tick(2);
  ASSERT_NE(bench.core->player_of(100), nullptr);
  asked.clear();
  bench.gateway_says(second);
  EXPECT_EQ(bench.core->player_of(100), nullptr);
  bench.tick(2);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].bytes, one_byte(7));
  bench.gateway_says(second);
  EXPECT_TRUE(asked.empty()) << "the save is not in the store yet";
  bench.core->on_kept(rows[0].number, Journalled::Stands);
  bench.gateway_says(second);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{77}));
}

// Accounts may play twice, or the name proves nothing: the client may come back.
TEST_F(AStoreOfRecords, LetsAnAvatarStandWhoseSessionHasNotEnded) {
  JoinRecord first{session_of(0), 100, RegionId{0}, 1};
  first.account.player_id = 77;
  JoinRecord second{session_of(1), 200, RegionId{0}, 2};
  second.account.player_id = 77;
  bench.gateway_says(first);
  answer(std::nullopt);
  bench.gateway_says(LeaveRecord{first.session, true});
  bench.tick(2);
  bench.gateway_says(second);
  bench.tick(2);
  EXPECT_NE(bench.core->player_of(100), nullptr);
}

TEST_F(AStoreOfRecords, IsReadAfterASecondIfTheOtherSessionStays) {
  JoinRecord first{session_of(0), 100, RegionId{0}, 1};
  first.account.player_id = 77;
  JoinRecord second{session_of(1), 200, RegionId{0}, 2};
  second.account.player_id = 77;
  bench.gateway_says(first);
  answer(std::nullopt);
  asked.clear();
  for (int i = 0; i < 59; ++i) {
    bench.gateway_says(second);
    bench.tick();
  }
  EXPECT_TRUE(asked.empty());
  bench.tick();
  bench.gateway_says(second);
  EXPECT_EQ(asked.size(), 1U);
}

TEST_F(AStoreOfRecords, KeepsTheBytesOfAVersionThatTheGameDoesNotKnow) {
  join_with(StoredProfile{5, one_byte(9)});
  EXPECT_EQ(joined_with, Bytes{});
  EXPECT_EQ(save(one_byte(1)), KeepRefusal::OtherGame);
  EXPECT_TRUE(rows.empty());
  EXPECT_EQ(bench.count(metric.lasting_other_game), 1U);
}

TEST_F(AStoreOfRecords, LetsTheGameConvertAnOlderVersion) {
  mischief.profile_version = 6;
  mischief.upgrade_profile = [](std::uint32_t version, std::span<const std::byte> profile) {
    EXPECT_EQ(version, 5U);
    return Bytes{profile[0], std::byte{6}};
  };
  join_with(StoredProfile{5, one_byte(9)});
  EXPECT_EQ(joined_with, (Bytes{std::byte{9}, std::byte{6}}));
  EXPECT_EQ(save(one_byte(1)), KeepRefusal::None);
  EXPECT_EQ(rows.front().version, 6U);
}

TEST_F(AStoreOfRecords, TakesNoMoreOfAnOlderSession) {
  JoinRecord first{session_of(0), 100, RegionId{0}, 1};
  first.account.player_id = 77;
  JoinRecord second{session_of(1), 200, RegionId{0}, 2};
  second.account.player_id = 77;
  bench.gateway_says(first);
  answer(std::nullopt);
  bench.gateway_says(second);
  bench.tick(61);
  bench.gateway_says(second);
  answer(std::nullopt);
  think([&](world::Journal& journal) {
    EXPECT_EQ(journal.save(bench.player(100).avatar, one_byte(2)), KeepRefusal::None);
    EXPECT_EQ(journal.save(bench.player(0).avatar, one_byte(1)), KeepRefusal::Superseded);
  });
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].bytes, one_byte(2));
}

TEST_F(AStoreOfRecords, HasRoomForThoseThatLeave) {
  join_with(std::nullopt);
  const Bytes large(world::profile_bytes_max);
  mischief.on_leave = [](world::Journal& journal, const world::Participant& who) {
    EXPECT_EQ(journal.save(who.actor, one_byte(7)), KeepRefusal::None);
  };
  think([&](world::Journal& journal) {
    KeepRefusal refusal{};
    for (int i = 0; i < 17; ++i) {
      Bytes other = large;
      other[0] = static_cast<std::byte>(i + 1);
      refusal = journal.save(actor(), other);
    }
    EXPECT_EQ(refusal, KeepRefusal::Full);
  });
  bench.leave();
}

TEST_F(AStoreOfRecords, SaysWhyARecordIsRefused) {
  join_with(std::nullopt);
  EXPECT_EQ(save(Bytes(world::profile_bytes_max + 1)), KeepRefusal::Size);
  think([&](world::Journal& journal) {
    EXPECT_EQ(journal.save(no_entity, {}), KeepRefusal::NoPlayer);
    EXPECT_EQ(journal.profile(no_entity), std::nullopt);
    EXPECT_EQ(journal.keep({.bytes = {}}), KeepRefusal::Size);
    const Bytes bytes = one_byte(1), longer(world::result_bytes_max + 1);
    EXPECT_EQ(journal.keep({.bytes = longer}), KeepRefusal::Size);
    for (std::uint16_t place = 0; place < 64; ++place) {
      EXPECT_EQ(journal.keep({.place = place, .bytes = bytes}), KeepRefusal::None);
    }
    EXPECT_EQ(journal.keep({.place = 64, .bytes = bytes}), KeepRefusal::Full);
  });
  EXPECT_EQ(rows.size(), 64U);
  EXPECT_EQ(bench.count(metric.lasting_refused), 5U);
  bench.core->on_kept(rows[0].number, Journalled::Unnamed);
  bench.core->on_kept(rows[1].number, Journalled::Fenced);
  bench.core->on_kept(rows[2].number, Journalled::Stands);
  EXPECT_EQ(bench.count(metric.results_contradicted), 1U);
  EXPECT_EQ(bench.count(metric.lasting_fenced), 1U);
  EXPECT_EQ(bench.count(metric.results_kept), 1U);
}

TEST_F(AStoreOfRecords, ThatIsMissingLeavesTheProfileWithThePlayer) {
  bench.core->outputs.to_lasting = nullptr;
  bench.core->outputs.take_profile = nullptr;
  bench.join();
  EXPECT_EQ(joined_with, Bytes{});
  EXPECT_EQ(save(one_byte(1)), KeepRefusal::NoStore);
  think([&](world::Journal& journal) {
    EXPECT_EQ(to_bytes(journal.profile(actor())), one_byte(1));
    EXPECT_EQ(journal.keep({.bytes = one_byte(1)}), KeepRefusal::NoStore);
  });
}

/// Two workers whose game counts in the first player's state, in its profile, and in results.
struct ALedger {
  test::YardMischief mischief;
  Pair both;
  std::map<std::uint64_t, LastingRow> profiles;  ///< in the store, by client
  std::map<std::uint32_t, Bytes> results;        ///< in the store, by match
  std::vector<std::function<void()>> answers;
  std::uint8_t counted = 0;
  bool counts = false;

  ALedger()
      : both(with(lanes_at_the_border()), with(yard_at_the_border({25, person_m, 0})), limits()) {
    for (Bench* bench : {&both.here, &both.there}) {
      bench->core->outputs.to_lasting = [this, bench](const LastingRow& row) {
        if (bench == &both.here && !both.here_lives) return;
        keep(row);
        answers.push_back(
            [bench, number = row.number] { bench->core->on_kept(number, Journalled::Stands); });
      };
    }
    mischief.think = [this](world::ThinkContext& context) {
      const Bench* of = &context.world() == &both.here.core->world() ? &both.here : &both.there;
      if (counts && of->core->player_of(100) != nullptr) count(context.journal(), *of);
    };
    both.pass(60);
    both.here.join(0);
    both.pass(60);
  }
  void count(world::Journal& journal, const Bench& of) {
    const Handle actor = of.player(0).avatar;
    counted = static_cast<std::uint8_t>(journal.state(actor)->as<test::Marksman>().stones + 1);
    EXPECT_TRUE(journal.notify(actor, {.kind = test::stone_news, .tick = of.core->next_tick()}));
    EXPECT_EQ(journal.save(actor, one_byte(counted)), KeepRefusal::None);
    const Bytes bytes = one_byte(counted);
    EXPECT_EQ(journal.keep({.match = counted, .bytes = bytes}), KeepRefusal::None);
  }
  void keep(const LastingRow& row) {
    if (row.kind == LastingKind::Result) {
      const auto [known, added] = results.emplace(row.match, row.bytes);
      EXPECT_EQ(known->second, row.bytes);
      return;
    }
    const auto known = profiles.find(row.owner);
    if (known == profiles.end() || not_after(known->second.tick, row.tick))
      profiles.insert_or_assign(row.owner, row);
  }
  test::YardOptions with(test::YardOptions options) const {
    options.mischief = &mischief;
    options.weapons = true;
    return options;
  }
  static Settings limits() {
    Settings out = small_settings();
    out.reset_m = 1e9;
    return out;
  }
  Bench* owner() {
    if (both.here_lives && both.here.core->player_of(100) != nullptr) return &both.here;
    return both.there.core->player_of(100) != nullptr ? &both.there : nullptr;
  }
  void pass(int turns = 1, bool walks = false) {
    for (int i = 0; i < turns; ++i) {
      if (Bench* bench = owner()) {
        PlayerInput input = walks ? walking(to_plus_x) : walking_at(Tick{}, 0);
        input.tick = bench->core->next_tick();
        bench->send(input, 0);
      }
      both.pass();
      for (const auto& answer : std::exchange(answers, {})) answer();
    }
  }
  void expect_the_same_everywhere() {
    counts = false;
    both.fate = nullptr;
    for (Border::Word& word : both.under_way) word.at_turn = 0;
    pass(60);
    Bench* bench = owner();
    ASSERT_NE(bench, nullptr);
    const std::uint16_t stones = bench->player(0).game.as<test::Marksman>().stones;
    EXPECT_GT(stones, 0U);
    const Bytes expected = one_byte(stones);
    EXPECT_EQ(bench->player(0).profile.bytes, expected);
    EXPECT_EQ(profiles.at(100).bytes, expected);
    EXPECT_EQ(results.size(), stones);
  }
};

TEST(LastingRecords, AgreeWithTheStateWhenAWorkerDies) {
  for (int at = 0; at < 24; at += shortened() ? 7 : 1) {
    SCOPED_TRACE(at);
    ALedger ledger;
    ledger.both.fate = [](const Border::Word&) { return 1; };
    ledger.counts = true;
    ledger.pass(20 + at);
    // The last of its messages were not sent.
    const auto kept = mix64(std::uint64_t(at)) % (ledger.both.under_way.size() + 1);
    ledger.both.under_way.resize(kept);
    ledger.both.kill();
    ledger.answers.clear();
    ledger.pass(3);
    ledger.both.record_failover();
    ledger.pass(30);
    ledger.expect_the_same_everywhere();
  }
}

TEST(LastingRecords, ReachTheStoreThoughTheGameSavesInEachTick) {
  ALedger ledger;
  ledger.both.fate = [](const Border::Word&) { return 2; };
  ledger.counts = true;
  ledger.pass(60);
  ASSERT_TRUE(ledger.profiles.contains(100));
  EXPECT_GT(std::to_integer<int>(ledger.profiles.at(100).bytes[0]), 40);
  ledger.expect_the_same_everywhere();
}

TEST(LastingRecords, AgreeWithTheStateAcrossABorder) {
  ALedger ledger;
  ledger.both.fate = [](const Border::Word&) { return 2; };
  for (int i = 0; i < 900 && ledger.owner() != &ledger.both.there; ++i) {
    ledger.counts = i > 500 && i % 20 == 0;
    ledger.pass(1, true);
  }
  EXPECT_EQ(ledger.owner(), &ledger.both.there);
  ledger.counts = true;
  ledger.pass();
  ledger.expect_the_same_everywhere();
}

}  // namespace
}  // namespace perigee::worker
