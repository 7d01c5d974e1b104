// Replies of a worker when another worker looks for the avatar of a client that came back.
#include <gtest/gtest.h>

#include <array>

#include "border.hpp"

namespace perigee::worker {
namespace {

constexpr WorkerSlot asker{2};
// As in proto/WIRE.md.
constexpr std::uint8_t who_has = 3, has = 4;
constexpr std::size_t brings_a_group = 3'000;  // in bytes

enum : std::uint8_t { No, Perhaps, Yes };

template <std::size_t Capacity>
void fill(FixedVector<char, Capacity>& text, char letter) {
  while (text.size() < Capacity) text.push_back(letter);
}
/// With everything that an account may have.
PlayerAccount largest_account() {
  PlayerAccount out{.player_id = 77};
  fill(out.name, 'a');
  fill(out.claims, 'c');
  return out;
}

struct Search : Border {
  std::optional<Bytes> answer;
  PlayerAccount account = largest_account();

  Search() : Border(inland(), inland()) {
    here.join();
    step(30);
    for (Bench* bench : {&here, &there}) {
      bench->core->outputs.to_peer = [this, beside = bench->core->outputs.to_peer](
                                         WorkerSlot to, std::span<const std::byte> bytes) {
        if (to != asker) return beside(to, bytes);
        if (bytes[0] == std::byte{has}) answer.emplace(bytes.begin(), bytes.end());
      };
    }
    for (Bench* bench : {&here, &there}) {
      ++bench->map.version;
      bench->map.workers.push_back(
          {asker, Address::v4(10, 0, 0, 12, 40042), HandleBase{400'000}, 100'000, true});
      bench->core->on_map(bench->map, Bench::start);
    }
  }
  static test::YardOptions inland() {
    return {.spawn = {15, person_m, 0}, .barge_velocity = {}, .center_x_m = 500};
  }
  void give_everything_away() {
    for (Bench* bench : {&here, &there}) {
      ++bench->map.version;
      bench->map.regions[0].owner = WorkerSlot{1};
      ++bench->map.regions[0].epoch;
      bench->core->on_map(bench->map, Bench::start);
    }
  }
  int ask(std::uint64_t client_id) {
    std::array<std::byte, 256> buffer;
    ByteWriter writer(buffer);
    const JoinRecord join{Bench::later_session_of(0), client_id, RegionId{0}, 7, account};
    EXPECT_TRUE(writer.number(who_has) && writer.number(here.map.cluster_id) &&
                writer.number(join.session) && writer.number(join.client_id) &&
                writer.id(join.region) && writer.number(join.issue) && walk(writer, join.account) &&
                writer.flag(join.alone));
    answer.reset();
    here.core->on_peer(asker, writer.written());
    return answer ? static_cast<int>(answer->back()) : -1;
  }
};

TEST(WhoHasTheAvatar, ResumesTheSessionAndSaysSo) {
  Search search;
  EXPECT_EQ(search.ask(100), Yes);
  EXPECT_EQ(search.here.core->player_of(100)->session, Bench::later_session_of(0));
  EXPECT_EQ(search.here.player().account, search.account) << "its name and claims may be new";
  EXPECT_EQ(search.ask(100), Yes) << "asked again, because the gateway has not received it";
}

TEST(WhoNeverHadTheAvatar, SaysNo) {
  Search search;
  EXPECT_EQ(search.ask(999), No);
}

TEST(WhoHasNoWorld, SaysNo) {
  ClusterMap map = two_worker_map();
  for (RegionEntry& region : map.regions) region.owner = WorkerSlot{0};
  Bench idle(Search::inland(), map, {}, WorkerSlot{1});
  ASSERT_FALSE(idle.core->ready());
  std::optional<Bytes> answer;
  idle.core->outputs.to_peer = [&](WorkerSlot to, std::span<const std::byte> bytes) {
    EXPECT_EQ(to, WorkerSlot{0});
    answer.emplace(bytes.begin(), bytes.end());
  };
  std::array<std::byte, 256> buffer;
  ByteWriter writer(buffer);
  const PlayerAccount account = largest_account();
  const bool alone = false;
  EXPECT_TRUE(writer.number(who_has) && writer.number(map.cluster_id) &&
              writer.number(session_of(0)) && writer.number(std::uint64_t{100}) &&
              writer.number(std::uint32_t{0}) && writer.number(std::uint64_t{7}) &&
              walk(writer, account) && writer.flag(alone));
  idle.core->on_peer(WorkerSlot{0}, writer.written());
  ASSERT_TRUE(answer) << "or whoever asks waits for 30 s";
  EXPECT_EQ(static_cast<int>(answer->back()), No);
}

TEST(WhoGaveTheAvatarAway, SaysPerhapsUntilTheTakerMustHaveIt) {
  Search search;
  search.fate = [](const Border::Word& word) -> std::optional<int> {
    if (word.bytes.size() > brings_a_group) return std::nullopt;
    return 0;
  };
  search.give_everything_away();
  for (int turn = 0; turn < 300 && search.owner(0) != nullptr; ++turn) search.step();
  ASSERT_EQ(search.owner(0), nullptr) << "its state is lost on the way, and will be said again";
  EXPECT_EQ(search.ask(100), Perhaps);
  search.fate = nullptr;
  search.step(20);
  ASSERT_EQ(search.owner(0), &search.there);
  EXPECT_EQ(search.ask(100), Perhaps);
  search.step(200);
  EXPECT_EQ(search.ask(100), No);
}

/// The first worker has the avatar of client 100, and a gateway asks the other one to join that
/// client.
struct Return : Border {
  explicit Return(const Settings& settings = {})
      : Border(Search::inland(), Search::inland(), settings) {
    here.join();
    step(30);
  }
  void gateway_asks_for(int turns) {
    for (int i = 0; i < turns; ++i) {
      if (i % 6 == 0) {
        there.gateway_says(
            JoinRecord{Bench::later_session_of(0), 100, RegionId{1}, 7, largest_account()});
      }
      step();
    }
  }
};

TEST(WhoBeginsWithAClient, WaitsForOthersThatAreSecondsLate) {
  Return back;
  back.fate = [](const Border::Word&) { return std::optional(90); };
  back.gateway_asks_for(200);
  EXPECT_EQ(back.there.core->player_of(100), nullptr) << "or there are two of them";
  ASSERT_NE(back.here.core->player_of(100), nullptr);
  EXPECT_EQ(back.here.player().session, Bench::later_session_of(0));
}

// A refusal would disconnect the client for good.
TEST(WhoBeginsWithAClient, AsksOthersThoughItHasNoRoom) {
  Settings one = small_settings();
  one.players_max = 1;
  Return back(one);
  back.there.join(1, 1);
  back.step(6);
  ASSERT_EQ(back.there.core->summary().players, 1U);
  back.gateway_asks_for(30);
  EXPECT_TRUE(back.there.refused.empty());
  EXPECT_EQ(back.here.player().session, Bench::later_session_of(0));
}

TEST(WhoBeginsWithAClient, AsksAgainWhenAnAnswerMayBeLost) {
  Return back;
  int lost = 0;
  back.fate = [&](const Border::Word& word) -> std::optional<int> {
    const bool asked = word.bytes[0] == std::byte{who_has};
    return asked && lost++ == 0 ? std::nullopt : std::optional(0);
  };
  back.gateway_asks_for(60);
  EXPECT_GE(lost, 2);
  EXPECT_EQ(back.there.core->player_of(100), nullptr);
  EXPECT_EQ(back.here.player().session, Bench::later_session_of(0));
}

TEST(WhoBeginsWithAClient, TellsTheWorkerWithTheAvatarTheWholeAccount) {
  Return back;
  back.gateway_asks_for(30);
  EXPECT_EQ(back.here.player().session, Bench::later_session_of(0));
  EXPECT_EQ(back.here.player().account, largest_account());
}

// The link to the avatar's worker is cut, and the gateway has no news of that worker either: after
// the silence limit that worker has dropped the avatar.
TEST(WhoBeginsWithAClient, WaitsForWhoIsOutOfReachAsLongAsThatOneKeepsWhoIsSilent) {
  Return back;
  back.fate = [](const Border::Word&) { return std::optional<int>(); };
  const std::int32_t silence = Settings{}.silence_ticks_max;
  back.gateway_asks_for(silence - 60);
  EXPECT_EQ(back.there.core->player_of(100), nullptr);
  back.there.gateway_says(LeaveRecord{Bench::later_session_of(0)});
  back.gateway_asks_for(120);
  EXPECT_NE(back.there.core->player_of(100), nullptr);
  EXPECT_EQ(back.here.core->player_of(100), nullptr) << "or there are two of them";
}

// A standby replies 'Perhaps' if its owner has fallen silent, until the directory decides.
TEST(WhoBeginsWithAClient, WaitsForAsLongAsSomebodySaysPerhaps) {
  Return back;
  back.here.core->outputs.to_peer = [beside = back.here.core->outputs.to_peer](WorkerSlot to,
                                                                               const auto& bytes) {
    Bytes reply(bytes.begin(), bytes.end());
    if (reply[0] == std::byte{has}) reply.back() = std::byte{Perhaps};
    beside(to, reply);
  };
  back.gateway_asks_for(2 * Settings{}.silence_ticks_max);
  EXPECT_EQ(back.there.core->player_of(100), nullptr);
}

}  // namespace
}  // namespace perigee::worker
