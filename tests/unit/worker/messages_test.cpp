// Messages between a client and the game: each once and in order, whatever happens to its session.
#include <gmock/gmock.h>

#include "speaker.hpp"

namespace perigee::worker {
namespace {

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
  Settings slow = small_settings();
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

}  // namespace
}  // namespace perigee::worker
