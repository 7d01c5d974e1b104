/// The rules that keep a group from being duplicated, lost or contradicted under any failure. All
/// of them hold in every process; tests/unit/migration disables each one and shows the resulting
/// fault.
#pragma once

namespace perigee::migration {

struct Rules {
  /// R1: a group's state is sent only once the intent to move it (OUT) is durable.
  bool intent = true;
  /// R2: a refusal is durable before it is sent, and is final ...
  bool binding_answers = true;
  /// ... also when it is no longer remembered individually.
  bool closed_stays_closed = true;
  /// R3: a group counts as received only once that is durable ...
  bool durable_take = true;
  /// ... and a successor that finds an unanswered OUT keeps the group frozen, and asks.
  bool frozen_in_doubt = true;
  /// R4: only a standby that is recorded as in sync is promoted ...
  bool only_in_sync_promoted = true;
  /// ... and an owner acts without its standby only once that is recorded.
  bool alone_on_record = true;
  /// R5: an outcome is durable at the standby before the journal gets it ...
  bool standby_before_journal = true;
  /// ... travels with its group until the journal has it ...
  bool pending_travels = true;
  /// ... and the restoring owner of a lost region adopts the journal's outcomes.
  bool journal_is_read = true;
  /// R6: the journal checks the epoch and appends in one atomic step.
  bool fencing = true;
  /// R7: an attempt's number is never reused.
  bool versions = true;
  /// R8: before a region is restored, no other region accepts anything more from its former owner.
  bool floors = true;
};

/// A region is compiled for a set of rules: they are constants and cost nothing.
inline constexpr Rules all_rules{};

}  // namespace perigee::migration
