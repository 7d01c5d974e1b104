#include "perigee/directory/membership.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace perigee::directory {
namespace {

bool good_name(std::string_view name) {
  return !name.empty() && name.size() <= name_chars_max &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ||
                  c == '_';
         });
}

template <class Entry>
bool lives_at(const Address& fabric, const std::vector<Entry>& entries,
              std::optional<std::size_t> except = std::nullopt) {
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.alive && entry.fabric == fabric && entry.slot.index() != except;
  });
}

}  // namespace

void Membership::note_restored(Micros now_us) {
  for (const WorkerEntry& worker : needs_.workers) {
    if (worker.alive) workers_[worker.slot.index()].received_us = now_us;
  }
  for (const GatewayEntry& gateway : needs_.gateways) {
    if (gateway.alive) gateways_[gateway.slot.index()].received_us = now_us;
  }
  if (!workers_.empty()) first_worker_us_ = now_us;
}

template <class Entry>
std::optional<std::size_t> Membership::slot_for(Micros now_us, const std::vector<Member>& members,
                                                const std::vector<Entry>& entries,
                                                std::string_view name,
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

std::optional<std::size_t> Membership::worker_slot(Micros now_us, std::string_view name) const {
  return slot_for(now_us, workers_, needs_.workers, name, workers_max);
}

/// The slot of a member that joins or comes back. Its entry is up to date and alive afterwards.
template <class Entry>
Membership::Admitted Membership::admit(Micros now_us, std::vector<Member>& members,
                                       std::vector<Entry>& entries, const std::string& name,
                                       Entry wanted, std::size_t members_max) {
  if (!good_name(name)) return Refusal::BadName;
  if (!usable(wanted.fabric)) return Refusal::BadAddress;
  if (!is_private(wanted.fabric)) return Refusal::PublicFabric;
  const auto slot = slot_for(now_us, members, entries, name, members_max);
  if (!slot) return Refusal::Full;
  // Members find each other's keys by the address.
  constexpr bool is_worker = std::is_same_v<Entry, WorkerEntry>;
  const auto self = [&](bool of_its_kind) { return of_its_kind ? slot : std::nullopt; };
  if (lives_at(wanted.fabric, needs_.workers, self(is_worker)) ||
      lives_at(wanted.fabric, needs_.gateways, self(!is_worker))) {
    return Refusal::AddressTaken;
  }
  if (*slot == members.size()) {
    members.emplace_back();
    entries.emplace_back();
  } else if (entries[*slot].alive && entries[*slot].fabric != wanted.fabric) {
    return Refusal::NameTaken;
  }
  members[*slot].name = name;
  members[*slot].received_us = now_us;
  wanted.slot = decltype(wanted.slot)::at(*slot);
  wanted.alive = true;
  if (entries[*slot] != wanted) {
    entries[*slot] = wanted;
    ++needs_.version;
  }
  return *slot;
}

bool Membership::goes_on(Micros now_us, std::size_t slot, const WorkerIntroduction& introduction) {
  if (slot >= workers_.size()) return false;
  const Member& member = workers_[slot];
  return member.name == introduction.name && member.instance == introduction.instance &&
         needs_.workers[slot].fabric == introduction.fabric && !member.incarnation_over &&
         revive(now_us, WorkerSlot::at(slot));
}

/// A worker that was declared dead is heard again. Normally its incarnation has ended. If no worker
/// has lived since, nothing has changed: the incarnation continues, and the workers that fell
/// silent with it may be back soon, too.
bool Membership::revive(Micros now_us, WorkerSlot slot) {
  if (needs_.workers[slot.index()].alive) return true;
  const auto& regions = needs_.map.regions;
  const bool owns_any = std::any_of(regions.begin(), regions.end(), [&](const RegionEntry& region) {
    return region.owner == slot;
  });
  if (!owns_any || living_workers() > 0) return false;
  const Micros silent_since_us = workers_[slot.index()].received_us;
  for (WorkerEntry& worker : needs_.workers) {
    Member& member = workers_[worker.slot.index()];
    const bool together = std::abs(member.received_us - silent_since_us) <= together_us;
    const bool may = together && !member.incarnation_over &&
                     !builds().refusal(MemberKind::Worker, member.speaks);
    if (!may) continue;
    worker.alive = true;
    member.received_us = now_us;
  }
  ++needs_.version;
  return true;
}

Membership::Admitted Membership::admit(Micros now_us, const WorkerIntroduction& introduction,
                                       const WorkerEntry& wanted) {
  const Admitted admitted =
      admit(now_us, workers_, needs_.workers, introduction.name, wanted, workers_max);
  if (std::holds_alternative<Refusal>(admitted)) return admitted;
  Member& member = workers_[std::get<std::size_t>(admitted)];
  member.grpc = introduction.grpc;
  member.instance = introduction.instance;
  member.speaks = introduction.speaks;
  member.build = introduction.build;
  member.incarnation_over = false;
  if (!first_worker_us_) first_worker_us_ = now_us;
  return admitted;
}

Admission Membership::admit(Micros now_us, const GatewayIntroduction& introduction) {
  if (!usable(introduction.public_udp)) return Refusal::BadAddress;
  if (const auto refusal = builds().refusal(MemberKind::Gateway, introduction.speaks)) {
    return *refusal;
  }
  const GatewayEntry wanted{.fabric = introduction.fabric,
                            .public_udp = introduction.public_udp,
                            .run = introduction.run};
  const Admitted admitted =
      admit(now_us, gateways_, needs_.gateways, introduction.name, wanted, gateways_max);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  const std::size_t slot = std::get<std::size_t>(admitted);
  gateways_[slot].instance = introduction.instance;
  gateways_[slot].speaks = introduction.speaks;
  gateways_[slot].build = introduction.build;
  gateways_[slot].grpc = introduction.grpc;
  return Grant{.slot = static_cast<std::uint16_t>(slot)};
}

bool& Membership::alive(MemberKind kind, std::uint32_t slot) {
  return kind == MemberKind::Worker ? needs_.workers[slot].alive : needs_.gateways[slot].alive;
}

bool Membership::known(const Process& process) const {
  const auto& members = process.kind == MemberKind::Worker ? workers_ : gateways_;
  if (process.cluster_id != needs_.map.cluster_id || process.slot >= members.size()) return false;
  const Member& member = members[process.slot];
  return member.name == process.name && member.instance == process.instance;
}

Membership::Received Membership::heartbeat(Micros now_us, const Process& process) {
  if (!known(process)) return Received::Refused;
  const auto [kind, slot] = std::pair(process.kind, process.slot);
  Member& member = members(kind)[slot];
  if (member.incarnation_over) return Received::Refused;
  if (given_up(now_us, alive(kind, slot), member)) return Received::Refused;
  // A member of another build may be alive by now.
  if (!alive(kind, slot) && builds().refusal(kind, member.speaks)) return Received::Refused;
  if (kind == MemberKind::Worker && !revive(now_us, WorkerSlot::at(slot))) {
    return Received::Refused;
  }
  member.received_us = now_us;
  if (alive(kind, slot)) return Received::Alive;
  alive(kind, slot) = true;
  ++needs_.version;
  return Received::Returned;
}

void Membership::note_farewell(Micros now_us, const Process& process) {
  members(process.kind)[process.slot].received_us = now_us;
}

bool Membership::silent(Micros now_us, WorkerSlot slot) const {
  return needs_.workers[slot.index()].alive &&
         now_us - workers_[slot.index()].received_us > needs_.silence_us_max;
}

void Membership::end_silent_gateways(Micros now_us) {
  for (const GatewayEntry& gateway : needs_.gateways) {
    const Micros silent_us = now_us - gateways_[gateway.slot.index()].received_us;
    if (!gateway.alive || silent_us <= needs_.silence_us_max) continue;
    end_gateway(gateway.slot);
    ++gateway_deaths_;
  }
}

void Membership::end_gateway(GatewaySlot slot) {
  needs_.gateways[slot.index()].alive = false;
  ++needs_.version;
}

void Membership::end_worker(WorkerSlot slot) {
  needs_.workers[slot.index()].alive = false;
  ++needs_.version;
}

void Membership::set_draining(WorkerSlot slot, bool draining) {
  needs_.workers[slot.index()].draining = draining;
  ++needs_.version;
}

void Membership::forgive_stall(Micros now_us, Micros stalled_us) {
  for (auto* members : {&workers_, &gateways_}) {
    for (Member& member : *members) {
      member.received_us = std::min(now_us, member.received_us + stalled_us);
    }
  }
}

BuildRules Membership::builds() const {
  return BuildRules({.workers = needs_.workers,
                     .gateways = needs_.gateways,
                     .worker_members = workers_,
                     .gateway_members = gateways_});
}

std::uint32_t Membership::living_workers() const {
  return static_cast<std::uint32_t>(
      std::count_if(needs_.workers.begin(), needs_.workers.end(),
                    [](const WorkerEntry& worker) { return worker.alive; }));
}

Result<WorkerSlot> Membership::living_worker(std::string_view name) const {
  for (const WorkerEntry& entry : needs_.workers) {
    if (entry.alive && workers_[entry.slot.index()].name == name) return entry.slot;
  }
  return Error{"no worker '" + std::string(name) +
               "' is alive; perigee-ctl workers lists their names"};
}

bool Membership::others_stay(WorkerSlot than) const {
  return std::any_of(needs_.workers.begin(), needs_.workers.end(), [&](const WorkerEntry& worker) {
    return worker.slot != than && worker.alive && !worker.draining;
  });
}

bool Membership::others_received_after(WorkerSlot slot) const {
  return std::any_of(needs_.workers.begin(), needs_.workers.end(), [&](const WorkerEntry& other) {
    return other.alive && workers_[other.slot.index()].received_us >
                              workers_[slot.index()].received_us + together_us;
  });
}

bool Membership::received_lately(Micros now_us, WorkerSlot slot) const {
  return needs_.workers[slot.index()].alive &&
         now_us - workers_[slot.index()].received_us <= together_us;
}

bool Membership::given_up(Micros now_us, WorkerSlot slot) const {
  return given_up(now_us, needs_.workers[slot.index()].alive, workers_[slot.index()]);
}

bool Membership::given_up(Micros now_us, bool alive, const Member& member) const {
  return !alive && now_us - member.received_us > needs_.slot_rest_us;
}

}  // namespace perigee::directory
