/// An owner's relation to its standby: decides whether new entries are durable at once, or wait for
/// the standby's acknowledgement. An owner has one such state for everything that it replicates:
/// the logs of its regions, and all other state that has to survive it.
#pragma once

#include <cstdint>

#include "perigee/base/assert.hpp"
#include "perigee/migration/rules.hpp"

namespace perigee::migration {

/// The tests compare whole states with it.
template <class Machine>
struct Inspector;

/// Counts what is sent to a standby.
using StreamPosition = std::uint64_t;

template <const Rules& rules = all_rules>
class Standby {
 public:
  /// On record, the owner has no standby: everything is durable at once.
  bool alone() const { return mode_ == Mode::Alone; }
  /// The standby is lost. The record may still name it, so it may have been promoted. Nothing new
  /// is durable.
  bool losing() const { return mode_ == Mode::Losing; }
  /// The standby has everything that is durable.
  bool complete() const { return mode_ == Mode::Joining || mode_ == Mode::InSync; }
  /// The same, and the record says so.
  bool in_sync() const { return mode_ == Mode::InSync; }

  /// The standby has acknowledged for the first time. From now on new entries wait for the standby.
  /// `end`: the standby is complete when it has the stream up to there.
  void fill(StreamPosition end) {
    PERIGEE_ASSERT(alone(), "only one standby at a time");
    mode_ = Mode::Filling;
    fills_at_ = end;
  }
  /// The owner has state that it could not replicate before. The standby is complete when it has
  /// the stream up to `end`.
  void fill_again(StreamPosition end) { fills_at_ = end; }
  /// Whether entries become durable by an acknowledgement of the stream up to `position`.
  bool counts(StreamPosition position) const {
    if (mode_ != Mode::Filling) return complete();
    return position >= fills_at_ || !rules.filled_before_in_sync;
  }
  /// The standby has acknowledged everything. True: the standby is complete from now on. The owner
  /// must have this recorded.
  bool filled() {
    if (mode_ != Mode::Filling) return false;
    mode_ = Mode::Joining;
    return true;
  }
  /// The standby no longer receives, or does not acknowledge. Durable entries stay durable. True:
  /// the owner has no standby any more, and must have this recorded.
  bool lose() {
    const bool recorded = complete();
    if (mode_ == Mode::Filling) mode_ = Mode::Alone;  // no record ever said otherwise
    if (recorded) mode_ = rules.alone_on_record ? Mode::Losing : Mode::Alone;
    return recorded;
  }
  /// The record has the owner's newest report, and says whether the standby is in sync.
  void on_record(bool in_sync) {
    if (mode_ == Mode::Losing && !in_sync) mode_ = Mode::Alone;
    if (mode_ == Mode::Joining && in_sync) mode_ = Mode::InSync;
  }

 private:
  friend struct Inspector<Standby>;
  enum class Mode : std::uint8_t {
    Alone,
    Filling,  ///< new entries wait for the standby; older ones are under way to it
    Joining,  ///< the standby is complete: waits for the record to say so
    InSync,
    Losing  ///< waits for the record to say that there is no standby
  };
  Mode mode_ = Mode::Alone;
  StreamPosition fills_at_ = 0;
};

}  // namespace perigee::migration
