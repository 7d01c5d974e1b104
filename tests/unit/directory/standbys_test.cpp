// Standbys: their choice, their state in the map, and their promotion when an incarnation ends.
#include "standbys.hpp"

namespace perigee::directory {
namespace {

TEST_F(Standbys, AreSharedOutAmongThoseWhoStay) {
  join(0);
  pass(1, {0});
  EXPECT_FALSE(worker(0).standby) << "there is nobody else";
  join(1);
  join(2);
  pass(1, {0, 1, 2});
  std::vector<int> replicas(3);
  for (const WorkerSlot i : worker_slots(3)) {
    ASSERT_TRUE(worker(i).standby);
    EXPECT_NE(worker(i).standby, i);
    ++replicas[worker(i).standby->index()];
  }
  EXPECT_EQ(replicas, (std::vector{1, 1, 1}));
  ASSERT_TRUE(core.drain(now_us, name(1)).ok());
  pass(1, {0, 1, 2});
  for (const WorkerSlot i : {WorkerSlot{0}, WorkerSlot{2}})
    EXPECT_NE(worker(i).standby, WorkerSlot{1}) << "it leaves";
}

TEST_F(Standbys, AreInSyncOnceTheOwnerSaysSoOfThatVeryIncarnation) {
  three_in_sync();
  const WorkerSlot standby = *worker(0).standby;
  WorkerReport report = report_of(0);
  report.in_sync_with.reset();
  core.report(now_us, 0, report);
  EXPECT_FALSE(worker(0).standby_in_sync) << "it acts alone";
  report.in_sync_with = WorkerIncarnation{standby, worker(standby).incarnation.next()};
  core.report(now_us, 0, report);
  EXPECT_FALSE(worker(0).standby_in_sync) << "of an incarnation that is not there";
  pass(1, {0, 1, 2});
  EXPECT_TRUE(worker(0).standby_in_sync);
  join(standby.number, 2);
  EXPECT_FALSE(worker(0).standby_in_sync) << "another incarnation knows nothing";
}

// A process that is granted a new incarnation repeats its last report.
TEST_F(Standbys, AreNotInSyncByTheWordOfAFormerIncarnation) {
  three_in_sync();
  const WorkerReport of_first_incarnation = suspecting(WorkerSlot{2});
  join(0, 2);
  ASSERT_EQ(worker(0).incarnation, of_first_incarnation.incarnation.next());
  WorkerReport late = of_first_incarnation;
  late.in_sync_with = WorkerIncarnation{*worker(0).standby, worker(*worker(0).standby).incarnation};
  core.report(now_us, 0, late);
  EXPECT_FALSE(worker(0).standby_in_sync);
  EXPECT_EQ(worker(0).standby_word, 0U);
  EXPECT_EQ(core.report_of(WorkerSlot{0}), nullptr)
      << "its load and its things are the dead one's, too";
  EXPECT_TRUE(core.suspects(0, late).empty());
}

TEST_F(Standbys, GoOnWithWhatWasTheDeadOnes) {
  three_in_sync();
  const WorkerSlot successor = *worker(1).standby;
  const HandleBase block = worker(1).handle_base;
  const auto had = regions_of(1);
  ASSERT_FALSE(had.empty());
  const RegionEntry before = *core.map().region(had.front());
  EXPECT_EQ(core.suspects(successor.number, suspecting(WorkerSlot{1})).size(), 1U);
  EXPECT_TRUE(core.suspects(2U - successor.number, suspecting(WorkerSlot{1})).empty())
      << "nobody else would go on";
  EXPECT_TRUE(core.declare_dead(now_us, {WorkerSlot{1}, worker(1).incarnation}));
  EXPECT_FALSE(worker(1).alive);
  EXPECT_TRUE(regions_of(1).empty());
  const RegionEntry& after = *core.map().region(had.front());
  EXPECT_EQ(after.owner, successor);
  EXPECT_EQ(after.epoch, Epoch{before.epoch.number + 1});
  EXPECT_EQ(after.created_epoch, before.created_epoch) << "its content is not made anew";
  const FailoverRecord* failover_record = core.map().failover_record(block);
  ASSERT_NE(failover_record, nullptr);
  EXPECT_EQ(failover_record->successor, successor);
  EXPECT_EQ(failover_record->successor_handle_base, worker(successor).handle_base);
  EXPECT_EQ(failover_record->epoch, Epoch{2});
  EXPECT_FALSE(core.declare_dead(now_us, {WorkerSlot{1}, worker(1).incarnation})) << "once";
}

TEST_F(Standbys, AreNotSuccessorsUnlessInSync) {
  for (int i = 0; i < 3; ++i) join(i);
  now_us += second;
  core.advance(now_us);
  EXPECT_FALSE(core.declare_dead(now_us, {WorkerSlot{1}, worker(1).incarnation}));
  EXPECT_TRUE(worker(1).alive);
  EXPECT_TRUE(core.suspects(worker(1).standby->number, suspecting(WorkerSlot{1})).empty());
}

TEST_F(Standbys, GoOnWithTheSilentAndWithThoseWhoStartAnewToo) {
  three_in_sync();
  const auto had = regions_of(1);
  const WorkerSlot successor = *worker(1).standby;
  join(1, 2);
  EXPECT_TRUE(worker(1).alive);
  EXPECT_EQ(core.map().region(had.front())->owner, successor)
      << "its former incarnation's entities are there";
  pass(2, {0, 1, 2});
  const WorkerSlot next = *worker(0).standby;
  const auto third = WorkerSlot::at(3 - next.number);
  const auto zeros = regions_of(0);
  pass(6, {next.number, third.number});
  EXPECT_FALSE(worker(0).alive);
  for (const RegionId region : zeros) EXPECT_EQ(core.map().region(region)->owner, next);
  EXPECT_EQ(core.failovers(), 2U);
}

// A report in flight when another worker died: the reporter's standby does not have the content
// that the reporter takes over.
TEST_F(Standbys, HaveNoFailoverRecordByAWordFromBeforeIt) {
  three_in_sync();
  const WorkerSlot successor = *worker(1).standby;
  WorkerReport word = report_of(successor.number);
  const HandleBase block = worker(1).handle_base;
  ASSERT_TRUE(core.declare_dead(now_us, {WorkerSlot{1}, worker(1).incarnation}));
  ASSERT_EQ(worker(successor).standby, word.in_sync_with->slot);
  core.report(now_us, successor.number, word);
  EXPECT_FALSE(core.map().failover_record(block)->copied);
  word.map_version = core.map().version;
  core.report(now_us, successor.number, word);
  EXPECT_TRUE(core.map().failover_record(block)->copied);
  EXPECT_TRUE(worker(successor).standby_in_sync);
}

TEST_F(Standbys, PassOnWhatTheyWentOnWith) {
  three_in_sync();
  const HandleBase first = worker(1).handle_base;
  const WorkerSlot successor = *worker(1).standby;
  ASSERT_TRUE(core.declare_dead(now_us, {WorkerSlot{1}, worker(1).incarnation}));
  const auto last = WorkerSlot::at(3 - 1 - successor.number);
  pass(2, {successor.number, last.number});
  const HandleBase second_block = worker(successor).handle_base;
  ASSERT_EQ(worker(successor).standby, last);
  ASSERT_TRUE(core.declare_dead(now_us, {successor, worker(successor).incarnation}));
  ASSERT_EQ(core.map().failover_records.size(), 2U);
  EXPECT_EQ(core.map().failover_record(first)->successor, last);
  EXPECT_EQ(core.map().failover_record(first)->epoch, Epoch{3});
  EXPECT_EQ(core.map().failover_record(second_block)->epoch, Epoch{2});
  EXPECT_EQ(regions_of(last).size(), 3U);
  pass(7, {});
  EXPECT_TRUE(core.map().failover_records.empty()) << "nobody goes on with anything";
}

TEST_F(Standbys, DoNotLetAZombieGoOn) {
  three_in_sync();
  const Incarnation incarnation = worker(1).incarnation;
  const HandleBase block = worker(1).handle_base;
  ASSERT_TRUE(core.declare_dead(now_us, {WorkerSlot{1}, incarnation}));
  EXPECT_FALSE(beat(1)) << "it shall register again";
  const Grant grant = join(1);
  EXPECT_NE(grant.handle_base, block) << "as another incarnation";
  EXPECT_EQ(worker(1).incarnation, incarnation.next());
  EXPECT_TRUE(beat(1));
  EXPECT_NE(core.map().failover_record(block), nullptr);
}

TEST_F(Standbys, AreNotBelievedWhenTheDirectoryItselfStoodStill) {
  three_in_sync();
  const WorkerSlot successor = *worker(1).standby;
  ASSERT_EQ(core.suspects(successor.number, suspecting(WorkerSlot{1})).size(), 1U);
  now_us += 4 * second;
  core.advance(now_us);
  EXPECT_TRUE(core.suspects(successor.number, suspecting(WorkerSlot{1})).empty());
  pass(6, {0, 1, 2});
  EXPECT_EQ(core.suspects(successor.number, suspecting(WorkerSlot{1})).size(), 1U);
}

TEST_F(Standbys, AreNotSuccessorsBecauseAStrangerHasTheName) {
  three_in_sync();
  WorkerIntroduction stranger{name(1), Address::v4(127, 0, 0, 1, 50'000),
                              Address::v4(127, 0, 0, 1, 50'001), 7, 99};
  EXPECT_EQ(std::get<Refusal>(core.register_worker(now_us, stranger)), Refusal::NameTaken);
  EXPECT_TRUE(worker(1).alive);
  EXPECT_TRUE(core.map().failover_records.empty());
}

// A restarted or new process has no world until it has a region.
TEST_F(Standbys, AreThoseWhoHaveAWorld) {
  three_in_sync();
  ASSERT_TRUE(core.declare_dead(now_us, {WorkerSlot{1}, worker(1).incarnation}));
  join(1, 2);
  for (int s = 0; s < 3; ++s) {
    now_us += second;
    for (const int i : {0, 1, 2}) {
      EXPECT_TRUE(beat(i));
      WorkerReport report = report_of(i);
      if (i == 1) report = {.map_version = core.map().version};
      core.report(now_us, static_cast<std::uint32_t>(i), report);
    }
    core.advance(now_us);
  }
  EXPECT_EQ(worker(0).standby, WorkerSlot{2});
  EXPECT_EQ(worker(2).standby, WorkerSlot{0});
  EXPECT_TRUE(worker(0).standby_in_sync && worker(2).standby_in_sync);
  pass(1, {0, 1, 2});
  EXPECT_TRUE(worker(0).standby == WorkerSlot{1} || worker(2).standby == WorkerSlot{1})
      << "it has something";
}

// The directory receives reports from both, but they have no link to each other.
TEST_F(Standbys, AreOthersForWhomNoCopyIsMadeAt) {
  three_in_sync();
  const WorkerSlot cut_off = *worker(0).standby;
  const auto pass_without_link = [&](int seconds) {
    for (int s = 0; s < seconds; ++s) {
      now_us += second;
      for (const int i : {0, 1, 2}) {
        EXPECT_TRUE(beat(i));
        WorkerReport report = report_of(i);
        if (i == 0 && worker(0).standby == cut_off) report.in_sync_with.reset();
        core.report(now_us, static_cast<std::uint32_t>(i), report);
      }
      core.advance(now_us);
    }
  };
  pass_without_link(10);
  EXPECT_EQ(worker(0).standby, cut_off) << "a copy takes its time";
  pass_without_link(8);
  EXPECT_NE(worker(0).standby, cut_off);
  EXPECT_TRUE(worker(0).standby_in_sync);
}

// Their link is restored, and only then does another worker join.
TEST_F(Standbys, StayOnceTheyHaveACopyAfterAll) {
  join(0);
  join(1);
  pass(1, {0, 1});
  for (int s = 0; s < 18; ++s) {
    now_us += second;
    for (const int i : {0, 1}) {
      EXPECT_TRUE(beat(i));
      WorkerReport report = report_of(i);
      report.in_sync_with.reset();
      core.report(now_us, static_cast<std::uint32_t>(i), report);
    }
    core.advance(now_us);
  }
  EXPECT_EQ(worker(0).standby, WorkerSlot{1}) << "there is nobody else";
  pass(2, {0, 1});
  EXPECT_TRUE(worker(0).standby_in_sync);
  join(2);
  pass(2, {0, 1, 2});
  EXPECT_EQ(worker(0).standby, WorkerSlot{1});
}

TEST_F(Standbys, GoOnAtAnOperatorsWord) {
  three_in_sync();
  const WorkerSlot successor = *worker(1).standby;
  const HandleBase block = worker(1).handle_base;
  const auto had = regions_of(1);
  const auto killed = core.kill(now_us, name(1), false);
  ASSERT_TRUE(killed.ok());
  EXPECT_EQ(*killed, successor);
  EXPECT_FALSE(worker(1).alive);
  for (const RegionId region : had) EXPECT_EQ(core.map().region(region)->owner, successor);
  EXPECT_EQ(core.map().failover_record(block)->successor, successor);
  EXPECT_EQ(core.deaths(), 1U);
  EXPECT_FALSE(beat(1)) << "it shall register again";
  EXPECT_NE(join(1).handle_base, block) << "as another incarnation";
  EXPECT_TRUE(beat(1));
}

TEST_F(Standbys, AreMissedBeforeAWorkerIsKilled) {
  for (int i = 0; i < 3; ++i) join(i);
  const auto sent = core.map();
  const auto why = [&](std::string_view whom) {
    const auto killed = core.kill(now_us, whom, false);
    return killed ? std::string() : killed.error().message;
  };
  EXPECT_NE(why("sim-9").find("no worker 'sim-9' is alive"), std::string::npos);
  EXPECT_NE(why(name(1)).find("is not in sync yet; wait, drain it, or use --force"),
            std::string::npos)
      << why(name(1));
  EXPECT_EQ(core.map(), sent) << "nothing has changed";
  pass(3, {0, 1, 2});
  now_us += 3 * second;
  EXPECT_NE(why(name(1)).find("has sent no heartbeat lately"), std::string::npos) << why(name(1));
  EXPECT_TRUE(worker(1).alive);
}

TEST_F(Standbys, AreNotMissedWhereAnOperatorForcesADeath) {
  for (int i = 0; i < 3; ++i) join(i);
  for (int s = 0; s < 6; ++s) {  // the regions are granted for good, and no worker has reported yet
    now_us += second;
    for (const int i : {0, 1, 2}) ASSERT_TRUE(beat(i));
    core.advance(now_us);
  }
  const auto had = regions_of(1);
  ASSERT_FALSE(had.empty());
  const auto killed = core.kill(now_us, name(1), true);
  ASSERT_TRUE(killed.ok());
  EXPECT_EQ(*killed, std::nullopt);
  EXPECT_FALSE(worker(1).alive);
  for (const RegionId region : had) {
    const RegionEntry& entry = *core.map().region(region);
    EXPECT_NE(entry.owner, WorkerSlot{1});
    EXPECT_EQ(entry.created_epoch, entry.epoch) << "its content is made anew";
    EXPECT_FALSE(entry.from_checkpoint) << "beside what others have";
  }
  EXPECT_FALSE(beat(1));
  EXPECT_TRUE(core.map().failover_records.empty());
}

// All workers fall silent, and one sends a heartbeat again: then the others may be back soon, too.
TEST_F(Standbys, DoNotBringBackWhomAnOperatorKilled) {
  join(0);
  join(1);
  for (int s = 0; s < 6; ++s) {
    now_us += second;
    for (const int i : {0, 1}) ASSERT_TRUE(beat(i));
    core.advance(now_us);
  }
  ASSERT_TRUE(core.kill(now_us, name(1), true).ok());
  pass(7, {});
  ASSERT_FALSE(worker(0).alive);
  EXPECT_TRUE(beat(0));
  EXPECT_TRUE(worker(0).alive);
  EXPECT_FALSE(worker(1).alive);
  EXPECT_FALSE(beat(1));
}

TEST_F(Standbys, AreNotMissedWhereThereIsNothingToGoOnWith) {
  three_in_sync();
  ASSERT_TRUE(core.drain(now_us, name(1)).ok());
  pass(1, {0, 1, 2});
  ASSERT_TRUE(regions_of(1).empty());
  WorkerReport empty = report_of(1);
  empty.entities = 0;
  empty.in_sync_with.reset();
  core.report(now_us, 1, empty);
  EXPECT_TRUE(core.kill(now_us, name(1), false).ok());
  EXPECT_FALSE(worker(1).alive);
}

// All of its content is about to migrate, and could be lost until a second replica is complete.
TEST_F(Standbys, StayThoseOfWhoGivesAllAway) {
  now_us += second;
  for (int i = 0; i < 2; ++i) join(i);
  pass(8, {0, 1});
  all_in_sync();
  join(2);
  pass(1, {0, 1});
  for (const RegionId id : regions_of(1)) ASSERT_TRUE(core.move(now_us, id, name(2)).ok());
  for (int s = 0; s < 5; ++s) {
    pass(1, {0, 1, 2});
    EXPECT_EQ(worker(1).standby, WorkerSlot{0});
    EXPECT_TRUE(worker(1).standby_in_sync);
    ASSERT_TRUE(core.drain(now_us, name(1)).ok());
  }
}

// Otherwise the successor would get content without a replica anywhere.
TEST_F(Standbys, StayThoseWhoLeaveWhereNobodyElseIs) {
  core = Core({.regions = 1, .workers = 1, .balance = false}, cluster_id, now_us);
  now_us += second;
  join(0);
  pass(3, {0});
  things[0] = {{regions_of(0).front(), 5}};
  join(1);
  ASSERT_EQ(worker(1).standby, WorkerSlot{0});
  ASSERT_TRUE(core.move(now_us, regions_of(0).front(), name(1)).ok());
  ASSERT_TRUE(core.drain(now_us, name(0)).ok());
  const RegionEntry before = core.map().regions.front();
  for (int s = 0; s < 6; ++s) {  // the new worker sends nothing
    now_us += second;
    ASSERT_TRUE(beat(0));
    core.report(now_us, 0, report_of(0));
    core.advance(now_us);
    if (worker(1).alive) {
      EXPECT_EQ(worker(1).standby, WorkerSlot{0});
    }
  }
  ASSERT_FALSE(worker(1).alive);
  EXPECT_EQ(core.map().regions.front().owner, WorkerSlot{0});
  EXPECT_EQ(core.map().regions.front().created_epoch, before.created_epoch)
      << "what is there is not made again";
}

TEST_F(Standbys, AreNotMissedByWhoHasTakenNothingSoFar) {
  three_in_sync();
  const RegionId id = regions_of(0).front();
  things[0] = {{id, 5}};
  for (const bool says_a_word : {false, true}) {
    join(3, says_a_word ? 2 : 1);
    pass(1, {0, 1, 2});
    ASSERT_TRUE(core.move(now_us, id, name(3)).ok());
    ASSERT_EQ(core.map().region(id)->owner, WorkerSlot{3});
    const RegionEntry before = *core.map().region(id);
    if (says_a_word) {
      core.report(now_us, 3, {.incarnation = worker(3).incarnation, .standby_word = 1});
    }
    pass(7, {0, 1, 2});
    EXPECT_FALSE(worker(3).alive);
    const RegionEntry& after = *core.map().region(id);
    ASSERT_TRUE(after.owner);
    EXPECT_NE(after.owner, WorkerSlot{3});
    EXPECT_EQ(after.created_epoch == after.epoch, says_a_word)
        << "made anew only if something may have been lost";
    EXPECT_EQ(after.created_epoch == before.created_epoch, !says_a_word);
  }
}

TEST_F(Standbys, AreSuccessorsNoMoreOnceAnOperatorSaysThatTheyHaveNothing) {
  three_in_sync();
  const auto incarnation = [&](WorkerSlot slot) { return worker(slot).block(); };
  const HandleBlock ended = incarnation(WorkerSlot{1});
  const auto why = [&](HandleBlock of) {
    const auto resolved = core.resolve(of);
    return resolved ? std::string() : resolved.error().message;
  };
  EXPECT_NE(why(ended).find("belongs to sim-1, which is alive"), std::string::npos) << why(ended);
  ASSERT_TRUE(core.kill(now_us, name(1), false).ok());
  const auto regions = core.map().regions;
  const std::uint64_t version = core.map().version;
  EXPECT_NE(why(incarnation(WorkerSlot{0})).find("alive"), std::string::npos);
  EXPECT_NE(why(HandleBlock{4'000}).find("no worker has taken over incarnation 4000"),
            std::string::npos);
  EXPECT_EQ(core.map().version, version) << "nothing has changed";
  EXPECT_EQ(why(ended), "");
  EXPECT_TRUE(core.map().failover_records.empty());
  EXPECT_GT(core.map().version, version) << "all members receive it";
  EXPECT_EQ(core.map().regions, regions);
  EXPECT_NE(why(ended).find("already resolved"), std::string::npos) << "once";
}

// The only worker is killed: its content is in the last checkpoint.
TEST_F(Standbys, AreNotMissedWhereEverythingIsToBeginAgain) {
  join(0);
  pass(6, {0});
  ASSERT_EQ(regions_of(0).size(), 3U);
  EXPECT_FALSE(core.kill(now_us, name(0), false).ok());
  ASSERT_TRUE(core.kill(now_us, name(0), true).ok());
  EXPECT_FALSE(beat(0)) << "it does not go on as if nothing had happened";
  join(0);
  ASSERT_EQ(regions_of(0).size(), 3U);
  for (const RegionEntry& region : core.map().regions) {
    EXPECT_EQ(region.created_epoch, region.epoch);
    EXPECT_TRUE(region.from_checkpoint);
  }
}

// No worker was heard from after them: the directory itself may have been cut off.
TEST_F(Standbys, AreNotSuccessorsOfWhomTheyDiedWith) {
  three_in_sync();
  const auto regions = core.map().regions;
  pass(7, {});
  EXPECT_TRUE(core.map().failover_records.empty());
  EXPECT_EQ(core.map().regions, regions)
      << "what becomes of them is decided with the next heartbeat";
}

}  // namespace
}  // namespace perigee::directory
