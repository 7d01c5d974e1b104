/// The contract of every store, with any engine: run with a Place for each.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "perigee/world_store/store.hpp"

namespace perigee::world_store {

/// The place of a test's store.
class Place {
 public:
  virtual ~Place() = default;
  virtual Result<std::unique_ptr<Store>> open() = 0;
  /// Runs SQL in a separate connection.
  virtual void execute(const std::string& sql) = 0;
  /// kill -9 for `writer`, and for the server if there is one; then the server is started again.
  virtual void crash(pid_t writer) = 0;
};
struct Engine {
  const char* name;
  std::unique_ptr<Place> (*make_place)();  ///< null: not available on this machine
};
inline void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.name; }
inline std::string name_of(const testing::TestParamInfo<Engine>& info) { return info.param.name; }

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class AWorldStore : public testing::TestWithParam<Engine> {
 protected:
  static constexpr ClusterId world = 0xfeed'0001;

  void SetUp() override {
    place = GetParam().make_place();
    if (!place) GTEST_SKIP() << "nothing to run it with: ./perigee doctor";
    store = opened();
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->adopt(world).ok());
  }
  std::unique_ptr<Store> opened() {
    auto result = place->open();
    if (!result) {
      ADD_FAILURE() << result.error().message;
      return nullptr;
    }
    return std::move(result).value();
  }
  static std::vector<std::byte> bytes(std::size_t count, int seed) {
    std::vector<std::byte> out(count);
    auto state = static_cast<std::uint32_t>(seed) * 2'654'435'761U + 1;
    for (std::byte& b : out) {
      state = state * 1'664'525 + 1'013'904'223;
      b = static_cast<std::byte>(state >> 24U);
    }
    return out;
  }
  static JournalRow row(std::uint32_t target, std::uint32_t tick, std::uint16_t slot = 1,
                        std::uint32_t incarnation = 1) {
    return {.id = {.target = target, .tick = Tick{tick}, .kind = 200, .ordinal = 255},
            .slot = WorkerSlot{slot},
            .incarnation = Incarnation{incarnation},
            .group = target / 10,
            .payload = bytes(40, static_cast<int>(target))};
  }
  static std::vector<WorkerSlot> slots_of(std::initializer_list<std::uint8_t> numbers) {
    std::vector<WorkerSlot> slots;
    for (const std::uint8_t number : numbers) slots.emplace_back(number);
    return slots;
  }
  static Owner owner(std::uint16_t slot, std::uint32_t incarnation) {
    return {world, WorkerSlot{slot}, Incarnation{incarnation}};
  }

  /// The value, or a failure of the test.
  template <class Value>
  static Value sure(Result<Value> result) {
    if (!result) ADD_FAILURE() << result.error().message;
    return result ? std::move(result).value() : Value{};
  }
  std::vector<Write> append(const std::vector<JournalRow>& rows) {
    return sure(store->append(world, rows));
  }
  std::vector<JournalRow> journal(JournalQuery query = {.after = Tick{0}}) {
    return sure(store->read_journal(query));
  }
  void write_checkpoint(std::uint32_t tick, const std::vector<WorkerSlot>& slots,
                        std::uint32_t incarnation = 1) {
    ASSERT_EQ(sure(store->begin_checkpoint(world, Tick{tick}, slots)), Write::Written);
    for (const WorkerSlot slot : slots) {
      ASSERT_EQ(
          sure(store->write_part(Tick{tick}, owner(slot.number, incarnation), bytes(1'000, 7))),
          Write::Written);
    }
  }
  std::vector<std::uint32_t> checkpoints() {
    std::vector<std::uint32_t> ticks;
    for (const Checkpoint& checkpoint : sure(store->complete_checkpoints()))
      ticks.push_back(checkpoint.tick.count);
    return ticks;
  }

  std::unique_ptr<Place> place;
  std::unique_ptr<Store> store;
};

// ---- the journal

TEST_P(AWorldStore, RemembersOutcomesAcrossARestart) {
  JournalRow large = row(~0U, 11);
  large.payload = bytes(Store::payload_bytes_max, 3);
  JournalRow small = row(5, 10);
  small.payload.clear();
  EXPECT_THAT(append({large, small}), ElementsAre(Write::Written, Write::Written));
  store = opened();
  EXPECT_THAT(journal(), ElementsAre(small, large));
  EXPECT_EQ(sure(store->cluster_id()), world);
}

TEST_P(AWorldStore, TellsARepeatFromAContradiction) {
  JournalRow other = row(5, 10);
  other.payload.back() ^= std::byte{1};
  EXPECT_THAT(append({row(5, 10), row(5, 10), other}),
              ElementsAre(Write::Written, Write::AlreadyThere, Write::Contradiction));
  JournalRow later_owner = row(5, 10, 2, 9);
  EXPECT_THAT(append({later_owner, other, row(6, 10)}),
              ElementsAre(Write::AlreadyThere, Write::Contradiction, Write::Written));
  EXPECT_THAT(journal(), ElementsAre(row(5, 10), row(6, 10)));
}

TEST_P(AWorldStore, HasEachOutcomeOfOneIdOnceUnderAnOrdinalOfItsOwn) {
  std::vector<JournalRow> rows;
  for (int i = 0; i < 6; ++i) {
    rows.push_back(row(5, 10, static_cast<std::uint8_t>(1 + i % 2)));
    rows.back().id.ordinal = static_cast<std::uint8_t>(250 + i / 3);
    rows.back().payload = bytes(40, i);
  }
  EXPECT_THAT(append({rows[3], rows[1]}), testing::Each(Write::Written));
  EXPECT_THAT(append(rows), ElementsAre(Write::Written, Write::AlreadyThere, Write::Written,
                                        Write::AlreadyThere, Write::Written, Write::Written));
  EXPECT_THAT(append(rows), testing::Each(Write::AlreadyThere));
  std::vector<std::uint32_t> ordinals;
  for (const JournalRow& each : journal()) ordinals.push_back(each.id.ordinal);
  EXPECT_THAT(ordinals, ElementsAre(250, 251, 252, 253, 254, 255));
  JournalRow one_more = rows[0];
  one_more.payload = bytes(40, 6);
  EXPECT_THAT(append({one_more, rows[5]}), ElementsAre(Write::Contradiction, Write::AlreadyThere));
}

TEST_P(AWorldStore, TellsOutcomesApartByEachPartOfTheirId) {
  JournalRow other = row(5, 10);
  std::vector<JournalRow> rows{other};
  other.id.ordinal = 254;
  rows.push_back(other);
  other = row(5, 10);
  other.id.kind = 1;
  rows.push_back(other);
  rows.push_back(row(5, 11));
  rows.push_back(row(6, 10));
  EXPECT_THAT(append(rows), testing::Each(Write::Written));
  EXPECT_THAT(journal(), SizeIs(5));
}

TEST_P(AWorldStore, ReadsTheJournalInOrderPageByPage) {
  std::vector<JournalRow> rows;
  for (std::uint32_t i = 0; i < 60; ++i) rows.push_back(row(100 - i, 10 + i % 3));
  ASSERT_THAT(append(rows), testing::Each(Write::Written));
  std::sort(rows.begin(), rows.end(), [](const JournalRow& a, const JournalRow& b) {
    return std::pair(a.id.tick.count, a.id.target) < std::pair(b.id.tick.count, b.id.target);
  });
  std::vector<JournalRow> read;
  JournalQuery query{.after = Tick{9}, .rows_max = 7};
  for (int page = 0; page < 9; ++page) {
    const auto some = journal(query);
    read.insert(read.end(), some.begin(), some.end());
    if (some.size() < query.rows_max) break;
    query.beyond = some.back().id;
  }
  EXPECT_EQ(read, rows);
  EXPECT_THAT(journal({.after = Tick{10}}), SizeIs(40));
  EXPECT_THAT(journal({.after = Tick{12}}), IsEmpty());
  for (const JournalRow& found : journal({.after = Tick{10}, .group = 7, .rows_max = 4})) {
    EXPECT_EQ(found.group, 7U);
  }
  EXPECT_THAT(journal({.after = Tick{10}, .group = 7}), SizeIs(6));
}

TEST_P(AWorldStore, KeepsTheOrderOfTicksThatWrap) {
  write_checkpoint(0x7fff'ff00, slots_of({1}));
  write_checkpoint(0xffff'fe00, slots_of({1}));
  ASSERT_THAT(append({row(1, 0xffff'ffff), row(2, 3), row(3, 0xffff'ff10)}),
              testing::Each(Write::Written));
  EXPECT_THAT(journal({.after = Tick{0xffff'fe00}}),
              ElementsAre(row(3, 0xffff'ff10), row(1, 0xffff'ffff), row(2, 3)));
  write_checkpoint(5, slots_of({1}));
  EXPECT_THAT(checkpoints(), ElementsAre(5, 0xffff'fe00));
  store = opened();
  EXPECT_THAT(append({row(2, 3)}), ElementsAre(Write::AlreadyThere));
  EXPECT_EQ(sure(store->read_part(Tick{0xffff'fe00}, WorkerSlot{1})), bytes(1'000, 7));
}

// ---- fences

TEST_P(AWorldStore, FencesASlotsOlderOwnersAndNobodyElse) {
  EXPECT_EQ(sure(store->fence_older(owner(1, 3))), Write::Written);
  EXPECT_THAT(append({row(1, 10, 1, 2), row(2, 10, 2, 1), row(3, 10, 1, 3)}),
              ElementsAre(Write::Fenced, Write::Written, Write::Written));
  EXPECT_THAT(journal(), ElementsAre(row(2, 10, 2, 1), row(3, 10, 1, 3)));
}

TEST_P(AWorldStore, NeverLowersAnIncarnation) {
  EXPECT_EQ(sure(store->fence_older(owner(1, 3))), Write::Written);
  EXPECT_EQ(sure(store->fence_older(owner(1, 2))), Write::Fenced);
  EXPECT_EQ(sure(store->fence_older(owner(1, 3))), Write::Written) << "a repeat";
  store = opened();
  EXPECT_THAT(append({row(1, 10, 1, 2)}), ElementsAre(Write::Fenced));
}

TEST_P(AWorldStore, TakesANewerOwnersFirstOutcomeAsItsIncarnation) {
  EXPECT_THAT(append({row(1, 10, 1, 5)}), ElementsAre(Write::Written));
  EXPECT_THAT(append({row(2, 10, 1, 4)}), ElementsAre(Write::Fenced));
  EXPECT_THAT(append({row(3, 10, 1, 6), row(4, 10, 1, 5)}),
              ElementsAre(Write::Written, Write::Fenced))
      << "also in one batch";
}

TEST_P(AWorldStore, FencesAnotherClusterId) {
  ASSERT_THAT(append({row(1, 10, 1, 8)}), ElementsAre(Write::Written));
  write_checkpoint(20, slots_of({1}), 8);
  ASSERT_EQ(sure(store->begin_checkpoint(world, Tick{40}, std::vector{WorkerSlot{1}})),
            Write::Written);
  const ClusterId next = 17;
  ASSERT_TRUE(store->adopt(next).ok());
  EXPECT_THAT(append({row(2, 30, 1, 9)}), ElementsAre(Write::Fenced));
  EXPECT_EQ(sure(store->fence_older(owner(1, 9))), Write::Fenced);
  EXPECT_EQ(sure(store->write_part(Tick{40}, owner(1, 9), {})), Write::Fenced);
  EXPECT_EQ(sure(store->begin_checkpoint(world, Tick{60}, std::vector{WorkerSlot{1}})),
            Write::Fenced);
  EXPECT_EQ(sure(store->append(next, std::vector{row(2, 30, 1, 1)})), std::vector{Write::Written})
      << "incarnations begin anew";
  EXPECT_THAT(checkpoints(), ElementsAre(20)) << "complete checkpoints stay";
  EXPECT_EQ(sure(store->begin_checkpoint(next, Tick{40}, std::vector{WorkerSlot{1}})),
            Write::Written)
      << "open ones do not";
  EXPECT_THAT(journal(), SizeIs(2));
}

TEST_P(AWorldStore, HasNoOutcomeOfAnOlderIncarnationOnceItIsFenced) {
  constexpr std::uint32_t rounds = 60;
  const auto older_than = [&](std::uint32_t incarnation) {
    const auto rows = journal({.after = Tick{0}, .rows_max = 1'000'000});
    return std::count_if(rows.begin(), rows.end(),
                         [&](const auto& r) { return r.incarnation.number < incarnation; });
  };
  // Former owners continue with the incarnation that was current a moment ago.
  const auto theirs = opened();
  ASSERT_TRUE(theirs);
  std::atomic<std::uint32_t> newest{1};
  std::atomic<std::uint32_t> tried{0};
  std::atomic<bool> done{false};
  std::thread former([&] {
    for (; !done; ++tried) {
      EXPECT_TRUE(theirs->append(world, std::vector{row(tried, 10, 1, newest)}).ok());
      usleep(1'000);  // SQLite's lock is unfair to waiting writers
    }
  });
  std::vector<std::ptrdiff_t> seen;
  for (std::uint32_t incarnation = 2; incarnation <= rounds; ++incarnation) {
    for (const std::uint32_t before = tried; tried == before;) usleep(500);
    EXPECT_EQ(sure(store->fence_older(owner(1, incarnation))), Write::Written);
    seen.push_back(older_than(incarnation));
    newest = incarnation;
  }
  done = true;
  former.join();
  EXPECT_GT(older_than(rounds), 0) << "somebody wrote";
  for (std::uint32_t incarnation = 2; incarnation <= rounds; ++incarnation) {
    EXPECT_EQ(older_than(incarnation), seen[incarnation - 2]) << "incarnation " << incarnation;
  }
}

// ---- checkpoints

TEST_P(AWorldStore, CountsACheckpointOnceEachSlotHasWritten) {
  const auto slots = slots_of({7, 3});
  EXPECT_EQ(sure(store->begin_checkpoint(world, Tick{900}, slots)), Write::Written);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(7, 1), bytes(10, 1))), Write::Written);
  EXPECT_THAT(checkpoints(), IsEmpty());
  EXPECT_EQ(sure(store->read_part(Tick{900}, WorkerSlot{3})), std::nullopt);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(3, 1), {})), Write::Written);
  EXPECT_THAT(sure(store->complete_checkpoints()),
              ElementsAre(Checkpoint{Tick{900}, world, slots_of({3, 7})}));
  EXPECT_EQ(sure(store->read_part(Tick{900}, WorkerSlot{7})), bytes(10, 1));
  EXPECT_EQ(sure(store->read_part(Tick{900}, WorkerSlot{3})), std::vector<std::byte>{});
  EXPECT_EQ(sure(store->read_part(Tick{900}, WorkerSlot{4})), std::nullopt);
  EXPECT_EQ(sure(store->read_part(Tick{901}, WorkerSlot{3})), std::nullopt);
}

TEST_P(AWorldStore, KeepsEveryByteOfALargePart) {
  for (const std::size_t size : {(1U << 20U), (4U << 20U), (9U << 20U) + 1}) {
    const auto tick = static_cast<std::uint32_t>(size);
    ASSERT_EQ(sure(store->begin_checkpoint(world, Tick{tick}, std::vector{WorkerSlot{1}})),
              Write::Written);
    EXPECT_EQ(sure(store->write_part(Tick{tick}, owner(1, 1), bytes(size, 5))), Write::Written);
    EXPECT_TRUE(sure(store->read_part(Tick{tick}, WorkerSlot{1})) == bytes(size, 5)) << size;
  }
}

TEST_P(AWorldStore, BeginsACheckpointOnceAndOnlyForwards) {
  const auto slots = slots_of({1, 2}), others = slots_of({1, 3});
  EXPECT_EQ(sure(store->begin_checkpoint(world, Tick{900}, slots)), Write::Written);
  EXPECT_EQ(sure(store->begin_checkpoint(world, Tick{900}, slots)), Write::AlreadyThere);
  EXPECT_EQ(sure(store->begin_checkpoint(world, Tick{900}, others)), Write::Contradiction);
  EXPECT_EQ(sure(store->begin_checkpoint(world, Tick{899}, slots)), Write::Contradiction);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(3, 1), {})), Write::NotAsked);
  EXPECT_EQ(sure(store->write_part(Tick{901}, owner(1, 1), {})), Write::NotAsked);
}

TEST_P(AWorldStore, LetsANewerOwnerWriteItsPartUntilTheCheckpointIsComplete) {
  const auto slots = slots_of({1, 2});
  ASSERT_EQ(sure(store->begin_checkpoint(world, Tick{900}, slots)), Write::Written);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(1, 4), bytes(20, 1))), Write::Written);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(1, 4), bytes(20, 1))), Write::AlreadyThere);
  ASSERT_EQ(sure(store->fence_older(owner(1, 6))), Write::Written);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(1, 5), bytes(20, 2))), Write::Fenced);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(1, 6), bytes(9, 3))), Write::Written);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(2, 1), bytes(20, 4))), Write::Written);
  EXPECT_EQ(sure(store->write_part(Tick{900}, owner(1, 7), bytes(20, 5))), Write::AlreadyThere);
  EXPECT_EQ(sure(store->read_part(Tick{900}, WorkerSlot{1})), bytes(9, 3));
}

TEST_P(AWorldStore, KeepsTwoCompleteCheckpointsAndTheJournalAfterTheOlder) {
  ASSERT_THAT(append({row(1, 900), row(2, 901), row(3, 1'800), row(4, 1'801), row(5, 2'701)}),
              testing::Each(Write::Written));
  write_checkpoint(900, slots_of({1, 2}));
  EXPECT_EQ(sure(store->forget(100)), 0U) << "one checkpoint is no reason to forget";
  write_checkpoint(1'800, slots_of({1, 2}));
  write_checkpoint(2'700, slots_of({1, 2}));
  EXPECT_THAT(checkpoints(), ElementsAre(2'700, 1'800));
  std::uint64_t gone = 0;
  int steps = 0;
  for (std::uint64_t some = 1; some > 0 && steps < 20; ++steps) {
    some = sure(store->forget(1));
    gone += some;
  }
  EXPECT_EQ(gone, 3U + 1 + 2 + 2) << "outcomes, a checkpoint, its parts, their pieces";
  EXPECT_GE(steps, 4) << "an outcome at a time";
  EXPECT_THAT(journal(), ElementsAre(row(4, 1'801), row(5, 2'701)));
  EXPECT_THAT(checkpoints(), ElementsAre(2'700, 1'800));
  EXPECT_EQ(sure(store->read_part(Tick{900}, WorkerSlot{1})), std::nullopt);
  EXPECT_EQ(sure(store->read_part(Tick{1'800}, WorkerSlot{2})), bytes(1'000, 7));
}

TEST_P(AWorldStore, DoesNotPileUpCheckpointsThatNobodyCompletes) {
  write_checkpoint(900, slots_of({1, 2}));
  write_checkpoint(1'800, slots_of({1, 2}));
  const auto slots = slots_of({1, 2});
  for (std::uint32_t tick = 2'700; tick < 9'000; tick += 900) {
    ASSERT_EQ(sure(store->begin_checkpoint(world, Tick{tick}, slots)), Write::Written);
    ASSERT_EQ(sure(store->write_part(Tick{tick}, owner(1, 1), bytes(10, 1))), Write::Written);
    while (sure(store->forget(100)) > 0) {
    }
  }
  EXPECT_THAT(checkpoints(), ElementsAre(1'800, 900));
  EXPECT_EQ(sure(store->write_part(Tick{2'700}, owner(2, 1), {})), Write::NotAsked);
  EXPECT_EQ(sure(store->write_part(Tick{7'200}, owner(2, 1), {})), Write::Written)
      << "the last but one may still become complete";
  EXPECT_THAT(checkpoints(), ElementsAre(7'200, 1'800));
}

TEST_P(AWorldStore, LetsOutcomesInBetweenTheStepsOfALargePart) {
  ASSERT_EQ(sure(store->begin_checkpoint(world, Tick{900}, std::vector{WorkerSlot{1}})),
            Write::Written);
  std::atomic<bool> done{false};
  std::thread cutter([&] {
    const auto theirs = opened();
    if (theirs) {
      EXPECT_EQ(sure(theirs->write_part(Tick{900}, owner(1, 1), bytes(40U << 20U, 1))),
                Write::Written);
    }
    done = true;
  });
  std::uint32_t appended = 0;
  while (!done) {
    EXPECT_THAT(append({row(++appended, 1'000)}), ElementsAre(Write::Written));
    usleep(5'000);  // outcomes accumulate in between
  }
  cutter.join();
  EXPECT_THAT(journal({.after = Tick{0}, .rows_max = 1'000'000}), SizeIs(appended));
  EXPECT_THAT(checkpoints(), ElementsAre(900));
}

// ---- faults

TEST_P(AWorldStore, RefusesTheFormatOfANewerProgram) {
  store.reset();
  place->execute("UPDATE world SET version = 2");
  const auto refused = place->open();
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message,
              HasSubstr("has format 2, this program reads 1; start the version"));
}

TEST_P(AWorldStore, SaysWhatIsDamagedInsteadOfReadingIt) {
  write_checkpoint(900, slots_of({1}));
  place->execute("DELETE FROM pieces");
  const auto part = store->read_part(Tick{900}, WorkerSlot{1});
  ASSERT_FALSE(part.ok());
  EXPECT_THAT(part.error().message, HasSubstr("slot 1 has 0 of its 1000 bytes: it is damaged"));
}

// Writes rows in batches, and reports the target of each row that was confirmed as written.
[[noreturn]] inline void append_and_tell(Place& place, ClusterId world, int pipe,
                                         const std::vector<JournalRow>& rows) {
  auto store = place.open();
  for (std::size_t i = 0; store && i + 10 <= rows.size(); i += 10) {
    const auto became = store.value()->append(world, std::span(rows).subspan(i, 10));
    if (!became) break;
    for (std::size_t n = 0; n < 10; ++n) {
      const std::uint32_t target = rows[i + n].id.target;
      if ((*became)[n] == Write::Written && write(pipe, &target, sizeof target) < 0) _exit(1);
    }
  }
  _exit(0);
}

TEST_P(AWorldStore, HasWhatItSaidIsWrittenAfterKillMinusNine) {
  std::vector<JournalRow> rows;
  for (std::uint32_t i = 0; i < 200'000; ++i) rows.push_back(row(i, 10 + i));
  for (int round = 0; round < 3; ++round) {
    store.reset();
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t writer = fork();
    if (writer == 0) {
      append_and_tell(*place, world, ends[1],
                      {rows.begin() + round * 60'000, rows.begin() + (round + 1) * 60'000});
    }
    close(ends[1]);
    std::vector<std::uint32_t> sent;
    std::uint32_t target = 0;
    while (sent.size() < 200 && read(ends[0], &target, sizeof target) == sizeof target) {
      sent.push_back(target);
    }
    place->crash(writer);
    while (read(ends[0], &target, sizeof target) == sizeof target) sent.push_back(target);
    close(ends[0]);
    waitpid(writer, nullptr, 0);
    EXPECT_GE(sent.size(), 200U);
    store = opened();
    ASSERT_TRUE(store);
    std::vector<JournalRow> again;
    for (const std::uint32_t t : sent) again.push_back(rows[t]);
    EXPECT_THAT(append(again), testing::Each(Write::AlreadyThere)) << "round " << round;
  }
}

}  // namespace perigee::world_store
