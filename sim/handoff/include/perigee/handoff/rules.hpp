/// The rules that keep a group from being doubled, lost or contradicted, whatever fails. All of
/// them hold in every process; tests/unit/handoff takes each away and shows what breaks.
#pragma once

namespace perigee::handoff {

struct Rules {
  /// R1: a state leaves only once the intent to let it go (OUT) is durable.
  bool intent = true;
  /// R2: NO is durable before it is said, and what was refused is refused for good.
  bool binding_answers = true;
  /// ... also after it is not remembered one by one.
  bool closed_stays_closed = true;
  /// R3: a group counts as taken only once that is durable ...
  bool durable_take = true;
  /// ... and who finds an OUT without an answer keeps the group frozen, and asks.
  bool frozen_in_doubt = true;
  /// R4: only a buddy that is recorded as in sync is promoted ...
  bool only_in_sync_promoted = true;
  /// ... and an owner acts without its buddy only once that is on record.
  bool alone_on_record = true;
  /// R5: an outcome is durable at the buddy before the journal gets it ...
  bool buddy_before_journal = true;
  /// ... goes along with its group until the journal has it ...
  bool pending_travels = true;
  /// ... and who restores a lost region adopts what the journal has.
  bool journal_is_read = true;
  /// R6: the journal's look at the epoch and its append are one.
  bool fencing = true;
  /// R7: an attempt's number is never used again.
  bool versions = true;
  /// R8: before a region is restored, no other takes anything more from its former owner.
  bool floors = true;
};

/// A region is compiled for rules that it names: all of them are constants, and cost nothing.
inline constexpr Rules all_rules{};

}  // namespace perigee::handoff
