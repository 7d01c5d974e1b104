/// The rules that keep a group from being duplicated or lost under any failure, as far as workers
/// apply them. All of them hold in every process. tests/unit/migration disables each one and shows
/// the resulting fault. The numbers are those of proto/STATES.md.
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
  /// ... and a successor that finds an unanswered OUT keeps the group frozen, and asks the
  /// destination.
  bool frozen_in_doubt = true;
  /// R4: an owner counts as having a standby in sync only once that standby has everything that was
  /// durable without it ...
  bool filled_before_in_sync = true;
  /// ... and acts without its standby only once that is on record.
  bool alone_on_record = true;
  /// R7: an attempt's number is never reused.
  bool versions = true;
};

/// The state machines are compiled for a set of rules: they are constants and cost nothing.
inline constexpr Rules all_rules{};

}  // namespace perigee::migration
