/// The client of the scene, and its link: it reads blocks, acknowledges them, and displays.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/reliable_stream.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/client/block_ticks.hpp"
#include "perigee/client/entity_store.hpp"

namespace perigee::bench {

/// One direction of the path: a fixed delay, and random losses.
template <class Message>
class Link {
 public:
  static constexpr std::int32_t delay_ticks = 3;

  Link(double loss, std::uint64_t seed) : loss_(loss), random_(seed) {}
  void send(Tick now, Message message) {
    if (random_.unit() >= loss_) waiting_.push_back({now + delay_ticks, std::move(message)});
  }
  std::optional<Message> receive(Tick now) {
    if (waiting_.empty() || before(now, waiting_.front().at)) return std::nullopt;
    std::optional<Message> out(std::move(waiting_.front().message));
    waiting_.pop_front();
    return out;
  }

 private:
  struct Waiting {
    Tick at;
    Message message;
  };
  double loss_;
  Random random_;
  std::deque<Waiting> waiting_;
};

class Viewer final : BlockVisitor {
 public:
  /// The view is this much behind the newest block that could have arrived, as in a real client.
  static constexpr double view_delay_ticks = 3.6;
  static constexpr StreamId stream = 1;

  explicit Viewer(std::span<const world::EntityType> types) : store_(types) {}

  void on_block(std::span<const std::byte> bytes);
  /// None if nothing arrived since the last call.
  std::optional<AcknowledgeFrame> acknowledgement();
  /// The frame at `now`: blocks of Link::delay_ticks ago can have arrived.
  void look(Tick now);
  /// In ticks after the `now` of look().
  double view_ticks() const { return view_.ticks; }
  std::optional<Pose> drawn(Handle handle) const { return store_.drawn_world(handle, view_); }
  std::size_t malformed() const { return malformed_; }

 private:
  void on_own(const OwnSection&) override {}
  void on_event(Sequence sequence, const WorldEvent& event) override;
  void on_record(const GroupFrame& frame, const TrackRecord& record) override;

  client::EntityStore store_;
  EventReceiver<WorldEvent> events_;
  client::BlockTicks ticks_;
  client::ViewPoint view_;
  Tick block_tick_;
  std::optional<Tick> newest_;
  bool due_ = false;
  bool used_ = false;  ///< all of the block that is read
  std::size_t malformed_ = 0;
};

}  // namespace perigee::bench
