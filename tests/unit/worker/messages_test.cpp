// Messages between clients and the game: each once and in order, whatever happens to sessions,
// workers and links; broadcasts to the players of all workers.
#include <gmock/gmock.h>

#include <array>
#include <string>

#include "pair.hpp"
#include "perigee/base/hash.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

using Texts = std::vector<std::string>;

Bytes to_bytes(const std::string& text) {
  const auto bytes = as_bytes_of(text.data(), text.size());
  return {bytes.begin(), bytes.end()};
}
std::string to_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A client's end of a conversation.
struct Speaker {
  std::uint32_t n = 0;  ///< of the player
  std::uint32_t conversation = 5;
  SessionId session = session_of(n);
  std::deque<std::string> unheard;
  std::uint32_t first = 0;  ///< number of the first of `unheard`
  std::uint32_t received = 0;
  std::uint32_t sent = 0;  ///< all messages before this number
  bool confirmed = true;   ///< false: it waits for an answer first, as clients do
  Texts got;

  void say(Bench& to) {
    MessageFrame frame{conversation, received, first, {}, sent, !confirmed};
    for (const std::string& text : unheard) {
      if (!confirmed || !add_message(frame, as_bytes_of(text.data(), text.size()))) break;
    }
    sent = std::max(sent, first + static_cast<std::uint32_t>(frame.messages.size()));
    Bytes space(MessageFrame::bytes_max);
    const auto bytes =
        write_messages(static_cast<std::uint8_t>(ClientFrame::Message), frame, space);
    to.gateway_says(InputRecord{session, to.now_fine(), stream_owner, bytes});
  }
  /// Reads what the worker has sent since the last call.
  void listen(const Bench& to, std::size_t& from) {
    for (; from < to.messages_sent.size(); ++from) {
      const Bench::MessagesSent& frame = to.messages_sent[from];
      if (frame.session != session || frame.conversation != conversation) continue;
      confirmed = true;
      while (messages_between(first, frame.received) > 0 && !unheard.empty()) {
        unheard.pop_front();
        ++first;
      }
      std::uint32_t number = frame.first;
      for (const Bytes& message : frame.messages) {
        if (number++ != received) continue;
        got.push_back(to_text(message));
        ++received;
      }
    }
  }
};

class AConversation : public testing::Test {
 protected:
  AConversation() {
    mischief.on_words = [this](auto& journal, const auto& who, auto message) {
      heard.push_back(to_text(message));
      if (echoes) {
        EXPECT_EQ(journal.tell(who.actor, to_bytes("re " + heard.back())),
                  world::TellRefusal::None);
      }
    };
    mischief.think = [this](world::ThinkContext& context) {
      if (thought) std::exchange(thought, nullptr)(context.journal());
    };
    bench.join();
    bench.tick();
  }
  void talk(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      speaker.say(bench);
      bench.stand(1);
      speaker.listen(bench, read);
    }
  }
  void think(std::function<void(world::Journal&)> what) {
    thought = std::move(what);
    bench.stand(1);
  }

  test::YardMischief mischief;
  bool echoes = true;
  Texts heard;
  std::function<void(world::Journal&)> thought;
  Speaker speaker;
  std::size_t read = 0;
  Bench bench{{.mischief = &mischief}};
};

TEST_F(AConversation, PassesEachMessageOnceAndInOrder) {
  speaker.unheard = {"a", "b"};
  talk(3);
  speaker.unheard.emplace_back("c");
  talk(20);
  EXPECT_EQ(heard, (Texts{"a", "b", "c"}));
  EXPECT_EQ(speaker.got, (Texts{"re a", "re b", "re c"}));
  EXPECT_TRUE(speaker.unheard.empty());
  EXPECT_EQ(bench.count(metric.player_messages_heard), 3U);
  EXPECT_EQ(bench.count(metric.player_messages_told), 3U);
  EXPECT_EQ(bench.count(metric.player_messages_delivered), 3U);
}

TEST_F(AConversation, RepeatsWhatIsNotAcknowledged) {
  speaker.unheard = {"a"};
  speaker.say(bench);
  bench.stand(2);
  const std::size_t frames = bench.messages_sent.size();
  bench.stand(200);
  EXPECT_GT(bench.messages_sent.size(), frames);
  EXPECT_LT(bench.messages_sent.size(), frames + 10) << "ever more rarely";
  EXPECT_EQ(heard, (Texts{"a"}));
  talk(10);
  EXPECT_EQ(speaker.got, (Texts{"re a"}));
  const std::size_t settled = bench.messages_sent.size();
  bench.stand(200);
  EXPECT_EQ(bench.messages_sent.size(), settled);
}

TEST_F(AConversation, LetsOnePlayerBeHeardNoMoreOftenThanTheLimit) {
  echoes = false;
  Settings slow;
  slow.player_messages_per_s = 6;
  Bench limited{{.mischief = &mischief}, one_worker_map(), slow};
  limited.join();
  limited.stand(70);
  for (int i = 0; i < 30; ++i) speaker.unheard.emplace_back("x");
  speaker.say(limited);
  limited.stand(1);
  EXPECT_EQ(heard.size(), 6U) << "of a pause";
  limited.stand(60);
  EXPECT_NEAR(static_cast<double>(heard.size()), 12, 1);
  EXPECT_EQ(limited.count(metric.player_messages_delayed), 24U);
}

TEST_F(AConversation, SaysWhyAMessageIsRefused) {
  const Handle actor = bench.player().avatar;
  think([&](world::Journal& journal) {
    EXPECT_EQ(journal.tell(no_entity, to_bytes("a")), world::TellRefusal::NoPlayer);
    EXPECT_EQ(journal.tell(actor, {}), world::TellRefusal::Size);
    EXPECT_EQ(journal.tell(actor, Bytes(message_bytes_max + 1)), world::TellRefusal::Size);
    for (std::size_t i = 0; i < messages_waiting_max; ++i) {
      EXPECT_EQ(journal.tell(actor, Bytes(message_bytes_max)), world::TellRefusal::None);
    }
    EXPECT_EQ(journal.tell(actor, to_bytes("a")), world::TellRefusal::Full);
  });
  EXPECT_EQ(bench.count(metric.player_messages_refused), 4U);
  EXPECT_TRUE(bench.messages_sent.empty()) << "its client has not spoken";
  talk(200);
  EXPECT_EQ(speaker.got.size(), messages_waiting_max);
}

TEST_F(AConversation, ReachesTheActorsInABox) {
  bench.join(1);
  bench.stand(1);
  const Vec3 at =
      bench.core->world().pose(bench.player(0).avatar, bench.core->next_tick())->position;
  const Vec3 by{1, 5, 1};
  think([&](world::Journal& journal) {
    EXPECT_EQ(journal.tell_within({at - by, at + by}, to_bytes("near")), 1U);
    EXPECT_EQ(journal.tell_within(world::nowhere, to_bytes("nobody")), 0U);
    EXPECT_EQ(journal.tell_everybody(to_bytes("all")), world::TellRefusal::None);
    EXPECT_EQ(journal.tell_everybody({}), world::TellRefusal::Size);
  });
  Speaker other{.n = 1, .session = session_of(1)};
  other.say(bench);
  talk(5);
  std::size_t from = 0;
  other.listen(bench, from);
  EXPECT_EQ(speaker.got, (Texts{"near", "all"}));
  EXPECT_EQ(other.got, (Texts{"all"}));
}

TEST_F(AConversation, GoesOnInAnotherSession) {
  speaker.unheard = {"a"};
  speaker.say(bench);
  bench.stand(2);  // the answer is lost with the session
  bench.join_again(0, 1);
  speaker.session = Bench::later_session_of(0);
  read = bench.messages_sent.size();
  speaker.unheard.emplace_back("b");
  talk(10);
  EXPECT_EQ(heard, (Texts{"a", "b"}));
  EXPECT_EQ(speaker.got, (Texts{"re a", "re b"}));
}

TEST_F(AConversation, WithAClientThatBeginsAnewHasWhatTheFormerOneDidNotGet) {
  speaker.unheard = {"a", "b"};
  talk(10);
  think([&](world::Journal& journal) { journal.tell(bench.player().avatar, to_bytes("news")); });
  bench.join_again(0, 1);
  read = bench.messages_sent.size();
  speaker = {.conversation = 6, .session = Bench::later_session_of(0), .confirmed = false};
  speaker.unheard = {"c"};
  talk(75);  // a client may begin once a second
  EXPECT_EQ(heard, (Texts{"a", "b", "c"}));
  EXPECT_EQ(speaker.got, (Texts{"news", "re c"}));
}

TEST_F(AConversation, CountsFramesThatAreWrong) {
  talk(5);
  const std::uint64_t before = bench.count(metric.drop_malformed);
  const Bytes cut{std::byte{4}, std::byte{1}};
  bench.gateway_says(InputRecord{session_of(0), bench.now_fine(), stream_owner, cut});
  speaker.received = 9;  // of messages that were never sent
  speaker.say(bench);
  bench.stand(2);
  EXPECT_EQ(bench.count(metric.drop_malformed), before + 2);
}

TEST_F(AConversation, DoesNotRepeatWhatALostWorkerMayHaveHeard) {
  speaker.unheard = {"a"};
  speaker.say(bench);
  bench.stand(2);
  EXPECT_EQ(heard, (Texts{"a"}));
  Bench successor{{.mischief = &mischief}};  // from a checkpoint, or after the avatar was removed
  successor.join();
  successor.stand(1);
  read = 0;
  speaker.unheard.emplace_back("b");
  for (int i = 0; i < 20; ++i) {
    speaker.say(successor);
    successor.stand(1);
    speaker.listen(successor, read);
  }
  EXPECT_EQ(heard, (Texts{"a", "b"}));
  EXPECT_EQ(successor.count(metric.player_messages_dropped), 1U);
  EXPECT_EQ(speaker.got, (Texts{"re b"}));
}

TEST_F(AConversation, BeginsAtMostOnceASecond) {
  for (int i = 0; i < 60; ++i) {
    ++speaker.conversation;
    speaker.say(bench);
    bench.stand(1);
  }
  EXPECT_EQ(bench.count(metric.player_messages_too_early), 59U);
  talk(5);
  speaker.unheard = {"a"};
  talk(5);
  EXPECT_EQ(heard, (Texts{"a"}));
}

TEST_F(AConversation, GetsAtMostTwoEventsOfAMessage) {
  int taken = 0;
  mischief.on_words = [&](auto& journal, const auto& who, auto) {
    for (int i = 0; i < 4; ++i) {
      taken += journal.notify(who.actor, {.kind = test::stone_news, .tick = who.tick}) ? 1 : 0;
    }
  };
  speaker.unheard = {"a"};
  talk(3);
  EXPECT_EQ(taken, 2);
}

TEST_F(AConversation, DoesNotUseUpTheBroadcastsOfAll) {
  int sent = 0;
  mischief.on_words = [&](auto& journal, const auto&, auto) {
    sent += journal.tell_everybody(to_bytes("x")) == world::TellRefusal::None ? 1 : 0;
  };
  for (int i = 0; i < 20; ++i) speaker.unheard.emplace_back("a");
  talk(40);
  EXPECT_EQ(sent, 8);
  think([&](world::Journal& journal) {
    EXPECT_EQ(journal.tell_everybody(to_bytes("news")), world::TellRefusal::None);
  });
}

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
    Settings out = Settings{};
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
