// Messages between clients and the game across a border and while a worker dies; broadcasts to the
// players of all workers.
#include <gmock/gmock.h>

#include <array>

#include "pair.hpp"
#include "perigee/base/hash.hpp"
#include "sanitized.hpp"
#include "speaker.hpp"

namespace perigee::worker {
namespace {

/// Two workers, and a game that counts what it hears in the speaker's state, and tells it the
/// count.
struct ACrowd {
  static constexpr std::size_t open_max = 3;

  test::YardMischief mischief;
  Pair both;
  Speaker speaker;
  Speaker listener{.n = 1, .session = session_of(1)};
  std::size_t read_here = 0, read_there = 0, listened_here = 0, listened_there = 0;
  std::uint16_t said = 0;
  bool speaks = true, walks = true;
  std::uint32_t broadcasts = 0;

  explicit ACrowd(bool standbys = true, std::uint32_t messages_per_s = 1000)
      : both(with(lanes_at_the_border()), with(yard_at_the_border({25, person_m, 0})),
             limits(messages_per_s), standbys) {
    mischief.on_words = [](auto& journal, const auto& who, auto message) {
      const auto number = static_cast<std::uint16_t>(
          journal.state(who.actor)->template as<test::Marksman>().stones + 1);
      EXPECT_EQ(to_text(message), std::to_string(number));
      EXPECT_TRUE(journal.notify(who.actor, {.kind = test::stone_news, .tick = who.tick}));
      EXPECT_EQ(journal.tell(who.actor, to_bytes(std::to_string(number))),
                world::TellRefusal::None);
    };
    both.pass(60);
    both.here.join(0);
    both.here.join(1);
    both.pass(60);
  }
  test::YardOptions with(test::YardOptions options) const {
    options.mischief = &mischief;
    options.weapons = true;
    return options;
  }
  static Settings limits(std::uint32_t messages_per_s) {
    Settings out = small_settings();
    out.reset_m = 1e9;
    out.player_messages_per_s = messages_per_s;
    return out;
  }
  Bench* owner(std::uint32_t n) {
    if (both.here_lives && both.here.core->player_of(100 + n) != nullptr) return &both.here;
    return both.there.core->player_of(100 + n) != nullptr ? &both.there : nullptr;
  }
  void play(Speaker& one, PlayerInput input) {
    Bench* bench = owner(one.n);
    if (bench == nullptr) return;
    one.say(*bench);
    input.tick = bench->core->next_tick();
    bench->send(input, one.n);
  }
  void pass(int turns = 1) {
    for (int i = 0; i < turns; ++i) {
      if (speaks && speaker.unheard.size() < open_max) {
        speaker.unheard.push_back(std::to_string(++said));
      }
      play(speaker, walks ? walking(to_plus_x) : walking_at(Tick{}, 0));
      play(listener, walking_at(Tick{}, 0));
      both.pass();
      speaker.listen(both.here, read_here);
      speaker.listen(both.there, read_there);
      listener.listen(both.here, listened_here);
      listener.listen(both.there, listened_there);
    }
  }
  void expect_all_said_once() {
    speaks = walks = false;
    both.fate = nullptr;
    for (Border::Word& word : both.under_way) word.at_turn = 0;
    pass(150);
    EXPECT_TRUE(speaker.unheard.empty());
    Texts numbers;
    for (std::uint16_t i = 1; i <= said; ++i) numbers.push_back(std::to_string(i));
    EXPECT_EQ(speaker.got, numbers);
    Bench* bench = owner(0);
    ASSERT_NE(bench, nullptr);
    EXPECT_EQ(bench->player(0).game.as<test::Marksman>().stones, said);
  }
  /// From the game of that worker.
  void broadcast(Bench& from) {
    mischief.think = [&, told = false](world::ThinkContext& context) mutable {
      if (&context.world() != &from.core->world() || std::exchange(told, true)) return;
      EXPECT_EQ(context.journal().tell_everybody(to_bytes("b" + std::to_string(++broadcasts))),
                world::TellRefusal::None);
    };
  }
};

TEST(Messages, AreSaidOnceAcrossABorder) {
  ACrowd crowd;
  crowd.both.fate = [](const Border::Word&) { return 2; };
  for (int i = 0; i < 900 && crowd.owner(0) != &crowd.both.there; ++i) crowd.pass();
  EXPECT_EQ(crowd.owner(0), &crowd.both.there);
  crowd.pass(60);
  EXPECT_GT(crowd.said, 50);
  crowd.expect_all_said_once();
}

TEST(Messages, AreSaidOnceWhenAWorkerDies) {
  for (int at = 0; at < 60; at += shortened() ? 9 : 1) {
    SCOPED_TRACE(at);
    ACrowd crowd;
    crowd.walks = false;
    crowd.both.fate = [](const Border::Word&) { return 1; };
    crowd.pass(60 + at);
    // The last of its messages were not sent.
    const auto kept = mix64(std::uint64_t(at)) % (crowd.both.under_way.size() + 1);
    crowd.both.under_way.resize(kept);
    crowd.both.kill();
    crowd.pass(3);
    crowd.both.record_failover();
    crowd.pass(60);
    EXPECT_GT(crowd.said, 20);
    crowd.expect_all_said_once();
  }
}

TEST(Messages, ThatMayHaveCrashedTwoWorkersAreDropped) {
  for (const std::uint32_t crashes : {1U, 2U}) {
    SCOPED_TRACE(crashes);
    ACrowd crowd;
    crowd.walks = false;
    crowd.pass(60);
    crowd.speaks = false;
    crowd.pass(60);
    ASSERT_TRUE(crowd.speaker.unheard.empty());
    crowd.speaker.unheard = {std::to_string(crowd.said + 1)};
    crowd.speaker.say(crowd.both.here);
    crowd.both.kill();
    crowd.both.pass(3);
    crowd.both.record_failover(crashes);
    crowd.pass(60);
    EXPECT_TRUE(crowd.speaker.unheard.empty());
    const std::uint64_t dropped = crowd.both.there.count(metric.player_messages_dropped);
    EXPECT_EQ(dropped, crashes - 1U);
    crowd.said = static_cast<std::uint16_t>(crowd.said + 1 - dropped);
    crowd.speaks = true;
    crowd.pass(30);
    crowd.expect_all_said_once();
  }
}

// The client repeats them while they wait.
TEST(Messages, ThatWaitAfterASecondCrashAreHeard) {
  ACrowd crowd(true, 4);
  crowd.walks = false;
  crowd.pass(60);
  crowd.speaks = false;
  crowd.pass(120);
  ASSERT_TRUE(crowd.speaker.unheard.empty());
  crowd.both.kill();
  crowd.both.pass(3);
  crowd.both.record_failover(2);
  crowd.pass(10);
  for (int i = 0; i < 6; ++i) crowd.speaker.unheard.push_back(std::to_string(++crowd.said));
  crowd.pass(3);
  EXPECT_FALSE(crowd.both.there.player(0).messages.arrived.empty()) << "none waits";
  crowd.pass(150);
  EXPECT_EQ(crowd.both.there.count(metric.player_messages_dropped), 0U);
  crowd.expect_all_said_once();
}

TEST(Messages, AreSaidOnceWhenAWorkerDiesAfterItsPlayerHasLeft) {
  for (int after = -6; after < 12; after += shortened() ? 5 : 1) {
    SCOPED_TRACE(after);
    ACrowd crowd;
    crowd.both.fate = [](const Border::Word&) { return 1; };
    for (int i = 0; i < 900 && crowd.both.place(0).x < border_x - 0.5; ++i) crowd.pass();
    crowd.pass(30 + after);
    crowd.both.kill();
    crowd.pass(3);
    crowd.both.record_failover();
    crowd.pass(60);
    crowd.expect_all_said_once();
  }
}

TEST(ABroadcast, ReachesThePlayersOfAllWorkersOnceAndInOrder) {
  ACrowd crowd;
  crowd.speaks = false;
  for (int i = 0; i < 900 && crowd.owner(0) != &crowd.both.there; ++i) crowd.pass();
  ASSERT_EQ(crowd.owner(0), &crowd.both.there);
  ASSERT_EQ(crowd.owner(1), &crowd.both.here);
  for (int i = 0; i < 4; ++i) {
    crowd.broadcast(i % 2 == 0 ? crowd.both.here : crowd.both.there);
    crowd.pass(20);
  }
  EXPECT_EQ(crowd.speaker.got, (Texts{"b1", "b2", "b3", "b4"}));
  EXPECT_EQ(crowd.listener.got, (Texts{"b1", "b2", "b3", "b4"}));
}

TEST(ABroadcast, ReachesAPlayerOnItsWayOnce) {
  for (const int late : {0, 1, 4, 9}) {
    SCOPED_TRACE(late);
    ACrowd crowd;
    crowd.speaks = false;
    std::uint64_t words = 0;
    crowd.both.fate = [&](const Border::Word&) -> std::optional<int> {
      return late == 0 || mix64(++words) % 40 != 0 ? std::optional(late) : std::nullopt;
    };
    for (int i = 0; i < 900 && crowd.owner(0) != &crowd.both.there; ++i) {
      if (i % 12 == 0 && crowd.broadcasts < 60)
        crowd.broadcast(i % 24 == 0 ? crowd.both.here : crowd.both.there);
      crowd.pass();
    }
    ASSERT_GT(crowd.broadcasts, 5U);
    crowd.walks = false;
    crowd.both.fate = nullptr;
    crowd.pass(200);
    EXPECT_EQ(crowd.owner(0), &crowd.both.there);
    EXPECT_EQ(crowd.speaker.got.size(), crowd.broadcasts);
    EXPECT_EQ(std::set<std::string>(crowd.speaker.got.begin(), crowd.speaker.got.end()).size(),
              crowd.broadcasts);
    EXPECT_THAT(crowd.listener.got, testing::UnorderedElementsAreArray(crowd.speaker.got));
  }
}

TEST(ABroadcast, OfAWorkerThatDiesReachesEverybodyOrNobody) {
  for (int lost = 0; lost < 6; ++lost) {
    SCOPED_TRACE(lost);
    ACrowd crowd;
    crowd.speaks = false;
    for (int i = 0; i < 900 && crowd.owner(0) != &crowd.both.there; ++i) crowd.pass();
    ASSERT_EQ(crowd.owner(0), &crowd.both.there);
    crowd.walks = false;
    crowd.pass(60);
    crowd.both.fate = [](const Border::Word&) { return 3; };
    crowd.pass(30);
    crowd.broadcast(crowd.both.here);
    crowd.pass(1 + lost);
    crowd.both.kill();
    std::erase_if(crowd.both.under_way, [&](const Border::Word& word) {
      return word.at_turn - crowd.both.turn >= 2;  // its last messages were not sent
    });
    crowd.both.fate = nullptr;
    crowd.pass(3);
    crowd.both.record_failover();
    crowd.pass(120);
    ASSERT_EQ(crowd.owner(1), &crowd.both.there);
    EXPECT_EQ(crowd.speaker.got, crowd.listener.got);
    EXPECT_LE(crowd.speaker.got.size(), 1U);
    EXPECT_GE(crowd.speaker.got.size(), lost >= 4 ? 1U : 0U);
  }
}

TEST(ABroadcast, ThatIsLostIsRepeatedWhileOthersFollow) {
  ACrowd crowd;
  crowd.speaks = false;
  for (int i = 0; i < 900 && crowd.owner(0) != &crowd.both.there; ++i) crowd.pass();
  ASSERT_EQ(crowd.owner(0), &crowd.both.there);
  crowd.walks = false;
  for (int i = 0; i < 12; ++i) {
    crowd.both.fate = [i](const Border::Word&) { return i == 0 ? std::nullopt : std::optional(0); };
    crowd.broadcast(crowd.both.here);
    crowd.pass(i == 0 ? 2 : 10);
  }
  EXPECT_EQ(crowd.speaker.got.size(), 12U);
}

TEST(ABroadcast, OfAnEndedWorkerIsForgotten) {
  ACrowd crowd;
  crowd.speaks = crowd.walks = false;
  crowd.broadcast(crowd.both.here);
  crowd.pass(20);
  const HandleBlock origin = crowd.both.here.map.workers[0].block();
  crowd.both.kill();
  crowd.pass(3);
  crowd.both.record_failover();
  crowd.pass(60);
  ASSERT_EQ(crowd.owner(1), &crowd.both.there);
  const auto& heard = crowd.both.there.player(1).messages.state.broadcasts;
  EXPECT_TRUE(heard.contains(origin));
  crowd.pass(1800 + 3600 + 10);
  EXPECT_FALSE(heard.contains(origin));
  EXPECT_EQ(crowd.listener.got, (Texts{"b1"}));
}

TEST(ABroadcast, OfAWorkerThatSendsTooManyWaitsThere) {
  constexpr std::uint8_t broadcast = 11;  // proto/WIRE.md
  constexpr std::uint32_t kept_max = 384, keeps_ticks = 1800;
  ACrowd crowd(false);
  crowd.speaks = crowd.walks = false;
  const auto send = [&](std::uint32_t number) {
    std::array<std::byte, 64> buffer;
    ByteWriter writer(buffer);
    const std::array text{std::byte{'x'}};
    const HandleBlock origin = crowd.both.here.map.workers[0].block();
    EXPECT_TRUE(writer.number(broadcast) && writer.number(crowd.both.there.map.cluster_id) &&
                writer.number(std::uint8_t{0}) && writer.number(std::uint32_t{1}) &&
                writer.id(origin) && writer.number(number) &&
                writer.number(static_cast<std::uint16_t>(text.size())) && writer.copy(text));
    const std::size_t answers = crowd.both.under_way.size();
    crowd.both.there.core->on_peer(WorkerSlot{0}, writer.written());
    const bool answered = crowd.both.under_way.size() > answers;
    if (answered) crowd.both.under_way.pop_back();
    return answered;
  };
  std::uint32_t number = 1;
  while (number <= kept_max && send(number)) ++number;
  EXPECT_EQ(number, kept_max + 1);
  EXPECT_FALSE(send(number));
  EXPECT_EQ(crowd.both.there.count(metric.broadcasts_held_back), 1U);
  EXPECT_TRUE(send(number - 1)) << "it has that one";
  crowd.pass(keeps_ticks + 1);
  EXPECT_TRUE(send(number));
}

TEST(ABroadcast, IsRefusedAboveTheNumberThatIsKept) {
  ACrowd crowd(false);
  crowd.speaks = false;
  int sent = 0, refused = 0;
  crowd.mischief.think = [&](world::ThinkContext& context) {
    if (&context.world() != &crowd.both.here.core->world() || sent + refused == 134) return;
    const auto refusal = context.journal().tell_everybody(to_bytes("x"));
    ++(refusal == world::TellRefusal::None ? sent : refused);
  };
  crowd.pass(140);
  EXPECT_EQ(sent, 128);
  EXPECT_EQ(refused, 6);
  EXPECT_EQ(crowd.listener.got.size(), 128U);
  EXPECT_EQ(crowd.both.here.count(metric.broadcasts_refused), 6U);
}

}  // namespace
}  // namespace perigee::worker
