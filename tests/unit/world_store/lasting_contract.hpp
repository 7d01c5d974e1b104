// Results of matches and profiles of players, in both engines.
#pragma once

#include "unit/world_store/contract.hpp"

namespace perigee::world_store {

class ALastingStore : public AWorldStore {
 protected:
  static ResultRow result_of(std::uint32_t match, std::uint16_t place_in_match,
                             std::size_t size = 20) {
    return {.cluster_id = world,
            .origin = 0xfedcba9876543210,
            .match = match,
            .place = place_in_match,
            .unix_s = 1'800'000'000,
            .payload = bytes(size, place_in_match + 1)};
  }
  static ProfileRow profile_of(std::uint64_t player_id, std::uint32_t tick, std::size_t size = 30) {
    return {.player_id = player_id,
            .tick = Tick{tick},
            .version = 3,
            .payload = bytes(size, static_cast<int>(tick))};
  }
  void reopen() {
    store.reset();
    store = opened();
  }
};

TEST_P(ALastingStore, KeepsTheFirstResultOfAKey) {
  const ResultRow first = result_of(1, 0), second = result_of(1, 1, Store::result_bytes_max);
  EXPECT_EQ(sure(store->add_results(owner(1, 1), std::vector{first, second})),
            (std::vector{Write::Written, Write::Written}));
  ResultRow later = first;
  later.unix_s += 5;
  ResultRow other = second;
  other.payload = {std::byte{1}};
  EXPECT_EQ(sure(store->add_results(owner(2, 1), std::vector{later, other, result_of(2, 0)})),
            (std::vector{Write::AlreadyThere, Write::Contradiction, Write::Written}));
  reopen();
  EXPECT_EQ(sure(store->read_results({})), (std::vector{first, second, result_of(2, 0)}));
}

TEST_P(ALastingStore, ReadsResultsPageByPageAndByMatch) {
  std::vector<ResultRow> rows;
  for (std::uint32_t match = 0; match < 4; ++match) {
    for (std::uint16_t place = 0; place < 3; ++place) rows.push_back(result_of(match, place));
  }
  sure(store->add_results(owner(1, 1), rows));
  std::vector<ResultRow> read;
  ResultQuery query{.rows_max = 5};
  for (std::size_t size = 5; size == 5;) {
    const auto page = sure(store->read_results(query));
    read.insert(read.end(), page.begin(), page.end());
    size = page.size();
    if (!page.empty()) query.beyond = page.back();
  }
  EXPECT_EQ(read, rows);
  EXPECT_EQ(sure(store->read_results({.match = 2})),
            (std::vector<ResultRow>(rows.begin() + 6, rows.begin() + 9)));
}

TEST_P(ALastingStore, KeepsTheLatestProfileOfAPlayer) {
  const std::uint64_t player_id = 0xffffffff00000001;
  EXPECT_EQ(sure(store->read_profile(player_id)), std::nullopt);
  const auto save = [&](const ProfileRow& row) {
    return sure(store->save_profiles(owner(1, 1), std::vector{row})).front();
  };
  EXPECT_EQ(save(profile_of(player_id, 100)), Write::Written);
  EXPECT_EQ(save(profile_of(player_id, 200, Store::profile_bytes_max)), Write::Written);
  EXPECT_EQ(save(profile_of(player_id, 150)), Write::AlreadyThere) << "it waited for longer";
  EXPECT_EQ(save(profile_of(7, 1, 0)), Write::Written);
  reopen();
  EXPECT_EQ(sure(store->read_profile(player_id)),
            profile_of(player_id, 200, Store::profile_bytes_max));
  EXPECT_EQ(sure(store->read_profile(7)), profile_of(7, 1, 0));
}

TEST_P(ALastingStore, LetsOnlyTheSessionThatTookAProfileLastSaveIt) {
  const auto take = [&] {
    return sure(store->take_profiles(owner(1, 1), std::vector<std::uint64_t>{5})).front();
  };
  const auto save = [&](ProfileRow row, std::uint64_t lease, std::uint32_t tick) {
    row.lease = lease;
    row.tick = Tick{tick};
    return sure(store->save_profiles(owner(1, 1), std::vector{row})).front();
  };
  const TakenProfile first = take();
  EXPECT_EQ(first.row, std::nullopt);
  EXPECT_EQ(sure(store->read_profile(5)), std::nullopt);
  EXPECT_EQ(save(profile_of(5, 1), first.lease, 100), Write::Written);
  const TakenProfile second = take();
  EXPECT_GT(second.lease, first.lease);
  EXPECT_EQ(second.row->payload, profile_of(5, 1).payload);
  EXPECT_EQ(save(profile_of(5, 2), first.lease, 200), Write::Contradiction)
      << "it does not know what the newer one does";
  EXPECT_EQ(save(profile_of(5, 3), second.lease, 150), Write::Written);
  EXPECT_EQ(sure(store->read_profile(5))->payload, profile_of(5, 3).payload);
}

TEST_P(ALastingStore, TakesManyProfilesAtOnce) {
  std::vector<std::uint64_t> players{7, 5, 6};
  sure(store->save_profiles(owner(1, 1), std::vector{profile_of(5, 10)}));
  const auto taken = sure(store->take_profiles(owner(1, 1), players));
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(taken[0].row, std::nullopt);
  EXPECT_EQ(taken[1].row->payload, profile_of(5, 10).payload);
  sure(store->fence_older(owner(1, 2)));
  for (const TakenProfile& each : sure(store->take_profiles(owner(1, 1), players))) {
    EXPECT_EQ(each.lease, 0U) << "fenced";
  }
}

TEST_P(ALastingStore, FencesResultsAndProfilesOfEndedOwners) {
  sure(store->fence_older(owner(1, 2)));
  const std::vector results{result_of(1, 0)};
  const std::vector profiles{profile_of(5, 10)};
  const std::vector fenced{Write::Fenced};
  EXPECT_EQ(sure(store->add_results(owner(1, 1), results)), fenced);
  EXPECT_EQ(sure(store->save_profiles(owner(1, 1), profiles)), fenced);
  Owner other = owner(1, 2);
  ++other.cluster_id;
  EXPECT_EQ(sure(store->add_results(other, results)), fenced);
  EXPECT_EQ(sure(store->save_profiles(other, profiles)), fenced);
  EXPECT_TRUE(sure(store->read_results({})).empty());
  EXPECT_EQ(sure(store->read_profile(5)), std::nullopt);
}

TEST_P(ALastingStore, KeepsResultsAndProfilesInAnotherCluster) {
  sure(store->add_results(owner(1, 1), std::vector{result_of(1, 0)}));
  sure(store->save_profiles(owner(1, 1), std::vector{profile_of(5, 10)}));
  sure(store->adopt(world + 1));
  while (sure(store->forget(100)) > 0) {
  }
  EXPECT_EQ(sure(store->read_results({})), std::vector{result_of(1, 0)});
  EXPECT_EQ(sure(store->read_profile(5)), profile_of(5, 10));
}

TEST_P(ALastingStore, AddsItsTablesToTheStoreOfAFormerProgram) {
  store.reset();
  place->execute("DROP TABLE results");
  place->execute("DROP TABLE profiles");
  store = opened();
  ASSERT_NE(store, nullptr);
  sure(store->save_profiles(owner(1, 1), std::vector{profile_of(5, 10)}));
  EXPECT_EQ(sure(store->read_profile(5)), profile_of(5, 10));
}

}  // namespace perigee::world_store
