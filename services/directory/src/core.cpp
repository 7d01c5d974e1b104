#include "perigee/directory/core.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "perigee/netcode/assert.hpp"

namespace perigee::directory {
namespace {

constexpr Micros advance_us_max = 1'000'000;
/// Offset within a second: after all workers have reported, with time for
/// messages in transit.
constexpr Micros balanced_at_us = reported_within_us + 100'000;

bool good_name(std::string_view name) {
  return !name.empty() && name.size() <= name_chars_max &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ||
                  c == '_';
         });
}

}  // namespace

/// The name's own slot; otherwise a slot with a name that timed out, before the
/// map grows.
template <class Entry>
std::optional<std::size_t> Core::slot_for(Micros now_us, const std::vector<Member>& members,
                                          const std::vector<Entry>& entries, std::string_view name,
                                          std::size_t members_max) const {
  std::optional<std::size_t> rested;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].name == name) return i;
    if (!rested && given_up(now_us, entries[i].alive, members[i])) rested = i;
  }
  if (rested) return rested;
  if (members.size() < members_max) return members.size();
  return std::nullopt;
}

/// The slot of a member that joins or comes back. Its entry is up to date and
/// alive afterwards.
template <class Entry>
std::variant<std::size_t, Refusal> Core::admit(Micros now_us, std::vector<Member>& members,
                                               std::vector<Entry>& entries, const std::string& name,
                                               Entry wanted, std::size_t members_max) {
  if (!good_name(name)) return Refusal::BadName;
  if (!usable(wanted.fabric)) return Refusal::BadAddress;
  if (!is_private(wanted.fabric)) return Refusal::PublicFabric;
  const auto slot = slot_for(now_us, members, entries, name, members_max);
  if (!slot) return Refusal::Full;
  if (*slot == members.size()) {
    members.emplace_back();
    entries.emplace_back();
  } else if (entries[*slot].alive && entries[*slot].fabric != wanted.fabric) {
    return Refusal::NameTaken;
  }
  members[*slot].name = name;
  members[*slot].heard_us = now_us;
  wanted.slot = static_cast<std::uint8_t>(*slot);
  wanted.alive = true;
  if (entries[*slot] != wanted) {
    entries[*slot] = wanted;
    ++map_.version;
  }
  return *slot;
}

Admission Core::register_worker(Micros now_us, const WorkerIntroduction& introduction) {
  if (!usable(introduction.grpc)) return Refusal::BadAddress;
  const bool same_game = introduction.schema_hash == map_.schema_hash;
  if (!same_game && living_workers() > 0) return Refusal::OtherGame;
  if (const auto refusal = other_build(MemberKind::Worker, introduction.speaks)) return *refusal;
  // The block and the incarnation depend on the slot, so it is looked up first.
  const auto slot = slot_for(now_us, workers_, map_.workers, introduction.name, workers_max);
  if (!slot) return Refusal::Full;
  const bool known = *slot < workers_.size();
  const bool same = known && workers_[*slot].name == introduction.name &&
                    workers_[*slot].instance == introduction.instance &&
                    map_.workers[*slot].fabric == introduction.fabric &&
                    !workers_[*slot].life_over && goes_on(now_us, static_cast<WorkerSlot>(*slot));
  // Entities of the former incarnation may live on at other workers, so its
  // handles are not reused at once.
  const auto block = same ? std::optional<std::uint32_t>(0) : blocks_.next(now_us);
  if (!block) return Refusal::NoHandles;
  WorkerEntry wanted{.fabric = introduction.fabric,
                     .handle_base = *block * handles_per_worker,
                     .handle_count = handles_per_worker,
                     .life = (known ? map_.workers[*slot].life : 0) + (same ? 0 : 1)};
  if (same) {
    wanted.handle_base = map_.workers[*slot].handle_base;
    wanted.draining = map_.workers[*slot].draining;
    wanted.buddy = map_.workers[*slot].buddy;
    wanted.buddy_in_sync = map_.workers[*slot].buddy_in_sync;
    wanted.buddy_word = map_.workers[*slot].buddy_word;
  } else if (known &&
             !(map_.workers[*slot].alive && map_.workers[*slot].fabric != introduction.fabric)) {
    // Not a second process with the same name.
    begin_new_life(now_us, static_cast<WorkerSlot>(*slot));
  }
  const std::uint32_t former = known ? map_.workers[*slot].handle_base : wanted.handle_base;
  const auto admitted =
      admit(now_us, workers_, map_.workers, introduction.name, wanted, workers_max);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  if (!same) {
    empty_handed_.erase(former);
    empty_handed_.insert(wanted.handle_base);
    forget_copies_of(static_cast<WorkerSlot>(*slot));
    blocks_.grant(*block, now_us);
    reports_.erase(static_cast<WorkerSlot>(*slot));
    uncopied_.erase(static_cast<WorkerSlot>(*slot));
  }
  workers_[*slot].grpc = introduction.grpc;
  workers_[*slot].instance = introduction.instance;
  workers_[*slot].speaks = introduction.speaks;
  workers_[*slot].build = introduction.build;
  workers_[*slot].life_over = false;
  if (!same_game) {
    map_.schema_hash = introduction.schema_hash;
    ++map_.version;
  }
  if (!first_worker_us_) first_worker_us_ = now_us;
  assign_regions(now_us);
  choose_buddies();
  return Grant{static_cast<std::uint8_t>(*slot), wanted.handle_base, wanted.handle_count};
}

/// A process that died and restarted before its silence was noticed: it still
/// owns its regions, but their content is lost unless its standby has it.
void Core::begin_new_life(Micros now_us, WorkerSlot slot) {
  // Whether the standby has died of the same cause, unaware of what it would
  // take over, is unknown.
  if (!uncopied_.contains(slot) && end_life(now_us, slot, End::Crash)) return;
  for (RegionEntry& region : map_.regions) {
    if (region.owner == slot) lose(now_us, region);
  }
}

/// A worker that was declared dead is heard again. Its incarnation has ended,
/// unless no worker has lived since: then nothing has changed, and workers that
/// fell silent together with it may be back soon, too.
bool Core::goes_on(Micros now_us, WorkerSlot slot) {
  if (map_.workers[slot].alive) return true;
  if (!owns_region(slot) || living_workers() > 0) return false;
  const Micros silent_since_us = workers_[slot].heard_us;
  for (WorkerEntry& worker : map_.workers) {
    Member& member = workers_[worker.slot];
    const bool together = std::abs(member.heard_us - silent_since_us) <= together_us;
    if (!together || member.life_over || other_build(MemberKind::Worker, member.speaks)) continue;
    worker.alive = true;
    member.heard_us = now_us;
  }
  ++map_.version;
  return true;
}

/// Silent for so long that its slot may have been reused: its old state does
/// not count if it returns.
bool Core::given_up(Micros now_us, bool alive, const Member& member) const {
  return !alive && now_us - member.heard_us > settings_.slot_rest_us;
}

Admission Core::register_gateway(Micros now_us, const GatewayIntroduction& introduction) {
  if (!usable(introduction.public_udp)) return Refusal::BadAddress;
  if (const auto refusal = other_build(MemberKind::Gateway, introduction.speaks)) return *refusal;
  const GatewayEntry wanted{.fabric = introduction.fabric, .public_udp = introduction.public_udp};
  const auto admitted =
      admit(now_us, gateways_, map_.gateways, introduction.name, wanted, gateways_max);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  const std::size_t slot = std::get<std::size_t>(admitted);
  gateways_[slot].instance = introduction.instance;
  gateways_[slot].speaks = introduction.speaks;
  gateways_[slot].build = introduction.build;
  return Grant{.slot = static_cast<std::uint8_t>(slot)};
}

/// Null unless a member with this name and incarnation is known.
std::vector<Member>* Core::members_of(MemberKind kind, std::uint32_t slot, std::string_view name,
                                      std::uint32_t incarnation) {
  auto& members = kind == MemberKind::Worker ? workers_ : gateways_;
  const bool known = incarnation == map_.incarnation && slot < members.size();
  return known && members[slot].name == name ? &members : nullptr;
}

bool& Core::alive(MemberKind kind, std::uint32_t slot) {
  return kind == MemberKind::Worker ? map_.workers[slot].alive : map_.gateways[slot].alive;
}

bool Core::heartbeat(Micros now_us, MemberKind kind, std::uint32_t slot, std::string_view name,
                     std::uint32_t incarnation, std::uint64_t instance) {
  auto* members = members_of(kind, slot, name, incarnation);
  if (members == nullptr || (*members)[slot].instance != instance) return false;
  if ((*members)[slot].life_over) return false;
  if (given_up(now_us, alive(kind, slot), (*members)[slot])) return false;
  // A member of another build may be alive by now.
  if (!alive(kind, slot) && other_build(kind, (*members)[slot].speaks)) return false;
  if (kind == MemberKind::Worker && !goes_on(now_us, static_cast<WorkerSlot>(slot))) return false;
  (*members)[slot].heard_us = now_us;
  if (!alive(kind, slot)) {
    alive(kind, slot) = true;
    ++map_.version;
    assign_regions(now_us);
  }
  return true;
}

bool Core::sign_off(Micros now_us, MemberKind kind, std::uint32_t slot, std::string_view name,
                    std::uint32_t incarnation, std::uint64_t instance) {
  auto* members = members_of(kind, slot, name, incarnation);
  if (members == nullptr || (*members)[slot].instance != instance) return false;
  (*members)[slot].heard_us = now_us;
  if (!alive(kind, slot)) return true;
  const auto worker = static_cast<WorkerSlot>(slot);
  if (kind == MemberKind::Gateway) {
    alive(kind, slot) = false;
    ++map_.version;
  } else if (!has_content(worker) || !end_life(now_us, worker, End::Order)) {
    lose_life(now_us, worker);
  }
  assign_regions(now_us);
  choose_buddies();
  return true;
}

template <class Entry>
void Core::bury_silent(Micros now_us, const std::vector<Member>& members,
                       std::vector<Entry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].alive || now_us - members[i].heard_us <= settings_.silence_us_max) continue;
    ++deaths_;
    if constexpr (std::is_same_v<Entry, WorkerEntry>) {
      if (end_life(now_us, entries[i].slot, End::Crash)) continue;
    }
    entries[i].alive = false;
    ++map_.version;
  }
}

void Core::forgive_own_stall(Micros now_us) {
  const Micros stalled_us = now_us - advanced_us_ - advance_us_max;
  advanced_us_ = now_us;
  if (stalled_us <= 0) return;
  unsure_until_us_ = now_us + unsure_us;
  for (auto* members : {&workers_, &gateways_}) {
    for (Member& member : *members) {
      member.heard_us = std::min(now_us, member.heard_us + stalled_us);
    }
  }
  for (auto& [region, since_us] : lost_us_) since_us = std::min(now_us, since_us + stalled_us);
}

void Core::advance(Micros now_us) {
  forgive_own_stall(now_us);
  renew_segment(now_us);
  bury_silent(now_us, workers_, map_.workers);
  bury_silent(now_us, gateways_, map_.gateways);
  assign_regions(now_us);
  choose_buddies();
  forget_bequests();
  look(now_us);
  drain_now(now_us);
  const auto turn = [](Micros at_us) { return (at_us - balanced_at_us) / reports_apart_us; };
  if (turn(now_us) != turn(balanced_us_)) balance_now(now_us);
  watch_handles(now_us);
  steer_time(now_us);
}

std::uint32_t Core::living_workers() const {
  return static_cast<std::uint32_t>(
      std::count_if(map_.workers.begin(), map_.workers.end(),
                    [](const WorkerEntry& worker) { return worker.alive; }));
}

}  // namespace perigee::directory
