#include "perigee/directory/worker_registration.hpp"

namespace perigee::directory {

Admission WorkerRegistration::admit(Micros now_us, const WorkerIntroduction& introduction) {
  if (!usable(introduction.grpc)) return Refusal::BadAddress;
  const bool same_game = introduction.schema_hash == needs_.map.schema_hash;
  if (!same_game && needs_.members.living_workers() > 0) return Refusal::OtherGame;
  const auto other_build = needs_.members.builds().refusal(MemberKind::Worker, introduction.speaks);
  if (other_build) return *other_build;
  // The block and the incarnation depend on the slot, so it is looked up first.
  const auto slot = needs_.members.worker_slot(now_us, introduction.name);
  if (!slot) return Refusal::Full;
  std::optional<WorkerEntry> former;
  const bool goes_on = needs_.members.goes_on(now_us, *slot, introduction);
  if (*slot < needs_.map.workers.size()) former = needs_.map.workers[*slot];
  WorkerEntry wanted{.incarnation = former ? former->incarnation.next() : Incarnation{1}};
  if (goes_on) {
    wanted = *former;
  } else if (const auto block = needs_.blocks.next(now_us)) {
    wanted.handle_base = base_of(*block, handles_per_worker);
  } else {
    return Refusal::NoHandles;
  }
  wanted.fabric = introduction.fabric;
  wanted.run = introduction.run;
  wanted.handle_count = handles_per_worker;
  if (!goes_on && former) end_former(now_us, *former, introduction);
  const auto admitted = needs_.members.admit(now_us, introduction, wanted);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  if (!goes_on) begin(now_us, former, needs_.map.workers[*slot]);
  if (!same_game) {
    needs_.schema_hash = introduction.schema_hash;
    ++needs_.version;
  }
  return Grant{static_cast<std::uint16_t>(*slot), wanted.handle_base, wanted.handle_count};
}

/// Entities of the former incarnation may live on at other workers.
void WorkerRegistration::end_former(Micros now_us, const WorkerEntry& former,
                                    const WorkerIntroduction& introduction) {
  const bool second_of_that_name = former.alive && former.fabric != introduction.fabric;
  if (!second_of_that_name) needs_.failover.end_by_restart(now_us, former.slot);
}

void WorkerRegistration::begin(Micros now_us, const std::optional<WorkerEntry>& former,
                               const WorkerEntry& entry) {
  needs_.losses.begin_incarnation(former ? std::optional(former->handle_base) : std::nullopt,
                                  entry.handle_base);
  needs_.standbys.forget_copies_of(entry.slot);
  needs_.blocks.grant(entry.block(), now_us);
  needs_.reports.forget(entry.slot);
  needs_.uncopied.forget(entry.slot);
}

}  // namespace perigee::directory
