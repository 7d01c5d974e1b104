/// Reliable, ordered events on top of datagrams: the sender repeats events that were lost, the
/// receiver delivers each event once, in order. Memory is bounded on both sides.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/sequence.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

/// Sender half. `Event` is plain data; the window bounds the number of unacknowledged events.
template <class Event, std::uint16_t Window = 512>
class EventSender {
  static_assert((Window & (Window - 1)) == 0 && Window <= 16384);

 public:
  static constexpr std::uint16_t window = Window;
  /// An event is lost if a block that was sent this much later has arrived without it. Blocks that
  /// were reordered by less cause no repetition.
  static constexpr std::int32_t overtaken_ticks = 4;
  /// While no later block is acknowledged, an event that was sent once is repeated after this time,
  /// one that was sent twice after twice this time, then always after four times this time: on a
  /// path with a queue of seconds, more copies would lengthen the queue.
  static constexpr std::int32_t unheard_ticks = 60;
  /// Other events wait for one that is lost. Its second copy costs less than a round trip.
  static constexpr std::int32_t second_copy_ticks = 12;
  /// An urgent event is in so many blocks in a row ..
  static constexpr int urgent_sends = 3;
  /// .. then in one after so many ticks, after twice as many, and so on.
  static constexpr std::int32_t urgent_again_ticks = 8;
  /// The receiver keeps events up to 32 ahead of the first one that it lacks. Most of the events
  /// under way have arrived by the time their acknowledgement does, so urgent events may leave
  /// before it: so many of them ahead of the oldest unacknowledged event ..
  static constexpr int early_ahead_max = 3 * AckWindow::bits_count;
  /// .. and so many in one block, without copies, so that they do not lengthen a queue.
  static constexpr int early_per_block = 2;
  /// What the sender knows of the path to the receiver.
  struct Path {
    std::optional<Tick> arrived;  ///< tick of the newest block that the receiver has acknowledged
    /// A queue stands on the path. Only lost events are repeated then: there are no second copies,
    /// and no repetitions of urgent events.
    bool narrow = false;
  };

  bool full() const { return unacknowledged() >= Window; }
  std::size_t unacknowledged() const {
    return static_cast<std::size_t>(sequences_between(oldest_, next_));
  }
  /// Returns false if the window is full: the caller keeps the event and tries again. `urgent`
  /// events are repeated until they are acknowledged, the others when they are lost.
  bool push(const Event& event, bool urgent) {
    if (full()) return false;
    slot(next_) = {event, Tick{}, Tick{}, 0, false, urgent};
    next_ = next_ + 1;
    return true;
  }
  /// The newest tick at which one of the newly acknowledged events was sent for the first time: the
  /// receiver has a block of that tick or of a later one. None: no event is newly acknowledged.
  std::optional<Tick> acknowledge(const AckWindow& ack) {
    // A forged or ancient window that acknowledges unsent events is ignored.
    if (sequences_between(ack.next, next_) < 0) return std::nullopt;
    std::optional<Tick> proven;
    for (Sequence s = oldest_; before(s, next_); s = s + 1) {
      Slot& held = slot(s);
      if (!ack.has(s) || held.acknowledged) continue;
      held.acknowledged = true;
      if (held.sends > 0 && (!proven || before(*proven, held.first_sent_at)))
        proven = held.first_sent_at;
    }
    while (before(oldest_, next_) && slot(oldest_).acknowledged) oldest_ = oldest_ + 1;
    return proven;
  }
  /// Calls `write(Sequence, const Event&) -> bool` for the events due at `now`, oldest first, until
  /// it returns false (block full). The receiver's window limits the distance to the oldest event;
  /// only urgent events leave early, in order.
  template <class Write>
  void send_due(Tick now, const Path& path, Write write) {
    int early = 0;
    for (Sequence s = oldest_; before(s, next_); s = s + 1) {
      const int ahead = sequences_between(oldest_, s);
      Slot& held = slot(s);
      const bool beyond = ahead > AckWindow::bits_count;
      if (beyond && (!held.urgent || ahead > early_ahead_max)) return;
      if (held.acknowledged) continue;
      if (held.sends > 0 && !(beyond ? overtaken(held, path) : due(held, path, now))) continue;
      if (beyond && ++early > early_per_block) return;
      if (!write(s, held.event)) return;
      if (held.sends == 0) held.first_sent_at = now;
      held.sends = std::min(held.sends + 1, sends_counted);
      held.sent_at = now;
    }
  }

 private:
  struct Slot {
    Event event{};
    Tick first_sent_at;
    Tick sent_at;
    int sends = 0;  ///< up to sends_counted
    bool acknowledged = false;
    bool urgent = false;
  };
  Slot& slot(Sequence s) { return slots_[s.value % Window]; }
  static constexpr int sends_counted = 6;
  static bool overtaken(const Slot& held, const Path& path) {
    return path.arrived && ticks_between(held.sent_at, *path.arrived) >= overtaken_ticks;
  }
  static bool due(const Slot& held, const Path& path, Tick now) {
    const std::int32_t since_ticks = ticks_between(held.sent_at, now);
    if (overtaken(held, path)) return true;
    if (since_ticks >= unheard_ticks << std::min(held.sends - 1, 2)) return true;
    if (path.narrow) return false;
    if (!held.urgent) return held.sends == 1 && since_ticks >= second_copy_ticks;
    const int more = held.sends - urgent_sends;
    return more < 0 || since_ticks >= urgent_again_ticks << more;
  }

  std::array<Slot, Window> slots_{};
  Sequence oldest_;
  Sequence next_;
};

/// Receiver half: stores arriving events, then delivers them in order.
template <class Event>
class EventReceiver {
 public:
  /// False: duplicate, or more than 32 ahead of the first missing event.
  bool receive(Sequence s, const Event& event) {
    if (!window_.mark(s)) return false;
    if (events_.empty()) events_.resize(ring);
    events_[s.value % ring] = event;
    return true;
  }
  /// The next event in order.
  std::optional<Event> take() {
    if (!before(delivered_, window_.next)) return std::nullopt;
    const Event& event = events_[delivered_.value % ring];
    delivered_ = delivered_ + 1;
    return event;
  }
  const AckWindow& acknowledgement() const { return window_; }

 private:
  static constexpr std::size_t ring = 128;  // > 2 windows: no undelivered event is overwritten
  std::vector<Event> events_;  ///< empty until the first event: most streams never receive one
  AckWindow window_;
  Sequence delivered_;
};

}  // namespace perigee
