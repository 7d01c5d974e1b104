// Tracks as differences, over links that lose, delay and reorder packets.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "sky.hpp"

namespace perigee::replication {
namespace {

struct Link {
  double lost = 0;            ///< of blocks
  double unacknowledged = 0;  ///< of acknowledgements: lost
  std::int32_t delay_ticks = 6, jitter_ticks = 0;
};

/// Bodies that are pushed about, and one observer behind a link.
class Pushed {
 public:
  explicit Pushed(const Link& link) : link_(link) {
    sky_.restless = [](const Published&) { return false; };
    for (Handle h = 1; h <= 40; ++h) {
      sky_.add(h, {random_.between(-200, 200), 0, random_.between(-60, 60)}).radius_m = 2;
    }
    sky_.acknowledges = false;
  }

  void play(int ticks) {
    for (int i = 0; i < ticks; ++i) tick();
  }

  Observer observer;
  Received received;
  std::size_t compared = 0, unequal = 0, whole_bytes = 0;

 private:
  void tick() {
    for (Published& entity : sky_.publication) push(entity);
    sky_.publish();
    Received sending;
    sky_.write(observer, sending);
    note_tracks();
    for (const auto& block : sending.blocks) {
      if (random_.between(0, 1) < link_.lost) continue;
      const auto jitter = static_cast<std::int32_t>(
          random_.below(static_cast<std::uint32_t>(link_.jitter_ticks + 1)));
      under_way_.emplace(sky_.now.count + static_cast<std::uint32_t>(link_.delay_ticks + jitter),
                         block);
    }
    for (; !under_way_.empty() && under_way_.begin()->first <= sky_.now.count;
         under_way_.erase(under_way_.begin())) {
      read(under_way_.begin()->second);
    }
    if (!acknowledgements_.empty() && acknowledgements_.begin()->first <= sky_.now.count) {
      observer.acknowledge(acknowledgements_.begin()->second);
      acknowledgements_.erase(acknowledgements_.begin());
    }
    ++sky_.now;
  }
  void push(Published& entity) {
    if (random_.below(6) == 0) {
      entity.world_velocity += Vec3{random_.between(-1, 1), 0, random_.between(-1, 1)};
      entity.world_angular_velocity.y += random_.between(-0.2, 0.2);
    }
    entity.position += entity.world_velocity * seconds_per_tick;
    entity.world_rotation =
        small_rotation(entity.world_angular_velocity * seconds_per_tick) * entity.world_rotation;
    entity.local = {entity.position, entity.world_rotation};
    entity.bounds = {entity.position, entity.position};
  }
  void note_tracks() {
    for (const Published& entity : sky_.publication) {
      for (const SharedTrack& track : sky_.publisher.tracks_of(entity.handle)) {
        meant_[{entity.handle, track.frame.precision, track.track.tick.count}] = track.steps;
      }
    }
  }
  void read(const std::vector<std::byte>& block) {
    const std::size_t before = received.records.size();
    const std::size_t refused = received.refused;
    const auto header = read_block(block, received);
    ASSERT_TRUE(header);
    for (std::size_t i = before; i < received.records.size(); ++i) {
      const auto& r = received.records[i];
      ++compared;
      const auto meant =
          meant_.find({r.record.handle, r.frame.precision, r.record.track.tick.count});
      if (meant == meant_.end() || meant->second != r.record.steps) ++unequal;
    }
    Parts& parts = parts_[header->tick.count];
    if (received.refused == refused) ++parts.used;
    if (header->last_part) parts.sent = header->part + 1U;
    if (parts.used == parts.sent) complete_.insert(header->tick.count);
    acknowledge(header->tick);
  }
  void acknowledge(Tick tick) {
    newest_ = newest_ ? later_of(*newest_, tick) : tick;
    AcknowledgeFrame frame;
    frame.stream_epoch = observer.stream_epoch;
    for (bool more = true; more;) {
      more = false;
      for (const auto& e : received.events) {
        if (e.sequence == frame.events.next) more = frame.events.mark(e.sequence) || more;
      }
    }
    frame.newest_block = *newest_;
    for (std::uint32_t i = 0; i < 32; ++i) {
      const std::uint32_t at = newest_->count - i * TickMask::step_ticks;
      if (complete_.contains(at)) frame.complete.bits |= 1U << i;
    }
    if (random_.between(0, 1) < link_.unacknowledged) return;
    acknowledgements_.emplace(sky_.now.count + static_cast<std::uint32_t>(link_.delay_ticks),
                              frame);
  }

  Link link_;
  Random random_{5};
  Sky sky_;
  std::map<std::tuple<Handle, Precision, std::uint32_t>, TrackSteps> meant_;
  std::multimap<std::uint32_t, std::vector<std::byte>> under_way_;
  std::multimap<std::uint32_t, AcknowledgeFrame> acknowledgements_;
  struct Parts {
    std::uint32_t used = 0, sent = ~0U;
  };
  std::map<std::uint32_t, Parts> parts_;  ///< by tick
  std::set<std::uint32_t> complete_;
  std::optional<Tick> newest_;
};

// Each record that arrives is the publisher's track bit for bit, and nothing is ever refused.
TEST(Differences, AreReadableWhateverIsLost) {
  for (const Link& link :
       {Link{}, Link{.lost = 0.01}, Link{.lost = 0.2}, Link{.lost = 0.1, .unacknowledged = 0.5},
        Link{.lost = 0.05, .delay_ticks = 9, .jitter_ticks = 8}, Link{.delay_ticks = 20}}) {
    SCOPED_TRACE(testing::Message() << link.lost << " lost, " << link.delay_ticks << " ticks");
    Pushed pushed(link);
    pushed.play(1'200);
    EXPECT_GT(pushed.compared, 1'000U);
    EXPECT_EQ(pushed.unequal, 0U);
    EXPECT_EQ(pushed.received.refused, 0U);
    EXPECT_EQ(pushed.received.malformed, 0U);
    const double share =
        static_cast<double>(pushed.received.differences) / static_cast<double>(pushed.compared);
    EXPECT_GT(share, link.lost > 0.05 ? 0.3 : link.delay_ticks > 15 ? 0.5 : 0.8);
  }
}

// A receiver that has lost its memory gets whole tracks again, because it acknowledges no block of
// which it could not use everything.
TEST(Differences, ToWhatWasForgottenAreRefusedAndHealed) {
  Pushed pushed({});
  pushed.play(600);
  ASSERT_EQ(pushed.received.refused, 0U);
  pushed.received.bases.clear();
  pushed.play(600);
  EXPECT_GT(pushed.received.refused, 0U);
  EXPECT_EQ(pushed.unequal, 0U);
  const std::size_t refused = pushed.received.refused;
  pushed.play(600);
  EXPECT_EQ(pushed.received.refused, refused);
}

// An entity's histories are limited. Without one, whole tracks are sent.
TEST(Histories, AreGivenToThoseThatWereReplacedLately) {
  TrackHistories histories(1);
  TrackHistories::Index first = ~0U, second = ~0U;
  SharedTrack track;
  track.bytes = encode_track(5, track.steps);
  track.version = 3;
  track.track.tick = Tick{100};
  histories.begin();
  histories.note(1, first, track);
  histories.note(2, second, track);
  SharedTrack next = track;
  next.version = 4;
  next.track.tick = Tick{104};
  EXPECT_NE(histories.difference(1, first, 5, next, {3, {}}), nullptr);
  EXPECT_EQ(histories.difference(2, second, 5, next, {3, {}}), nullptr);
  EXPECT_EQ(histories.difference(1, first, 5, next, {2, {}}), nullptr) << "not known";
  EXPECT_NE(histories.difference(1, first, 5, next, {0, Tick{102}}), nullptr) << "sent then";
  EXPECT_EQ(histories.difference(1, first, 5, next, {0, Tick{99}}), nullptr) << "before it began";
  EXPECT_EQ(histories.difference(1, first, 5, next, {0, Tick{104}}), nullptr) << "itself";
  EXPECT_EQ(histories.difference(1, first, 5, next, {}), nullptr);
  next.frame.parent = 9;
  EXPECT_EQ(histories.difference(1, first, 5, next, {3, {}}), nullptr) << "in another frame";
  for (int i = 0; i < 600; ++i) histories.begin();
  histories.note(2, second, track);
  next.frame.parent = no_entity;
  EXPECT_NE(histories.difference(2, second, 5, next, {3, {}}), nullptr);
  EXPECT_EQ(histories.difference(1, first, 5, next, {3, {}}), nullptr) << "given away";
}

}  // namespace
}  // namespace perigee::replication
