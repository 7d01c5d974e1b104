#include "perigee/directory/core.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "perigee/netcode/assert.hpp"

namespace perigee::directory {
namespace {

constexpr std::uint64_t versions_skipped = 1'000'000;
constexpr Micros advance_us_max = 1'000'000;
constexpr Micros day_us = 86'400'000'000;
constexpr Micros segment_days_max = 100;

bool good_name(std::string_view name) {
  return !name.empty() && name.size() <= name_chars_max &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ||
                  c == '_';
         });
}

bool usable(const Address& address) { return address.valid() && address.port != 0; }

std::vector<RegionEntry> slice_world(const CoreSettings& settings) {
  std::vector<RegionEntry> regions;
  const double width_m = (settings.world_high.x - settings.world_low.x) / settings.regions;
  for (std::uint32_t i = 0; i < settings.regions; ++i) {
    RegionEntry region{.region = i, .low = settings.world_low, .high = settings.world_high};
    // Neighbours compute their common border by the same expression: no gap, no overlap.
    if (i > 0) region.low.x = settings.world_low.x + width_m * i;
    if (i + 1 < settings.regions) region.high.x = settings.world_low.x + width_m * (i + 1);
    regions.push_back(region);
  }
  return regions;
}

}  // namespace

std::string_view describe(Refusal refusal) {
  switch (refusal) {
    case Refusal::BadName:
      return "a member's name is 1 to 64 letters, digits, dots, dashes or underscores";
    case Refusal::BadAddress:
      return "an address is missing or has port 0; give --advertise";
    case Refusal::PublicFabric:
      return "fabric traffic is not encrypted: give a private or loopback address by --advertise";
    case Refusal::OtherGame:
      return "the living workers run another game or another version of it: update this one, or "
             "stop those first";
    case Refusal::NameTaken:
      return "a living member at another address has this name; give another --sim-name or "
             "--gateway-name, or wait 5 s if that one has died";
    case Refusal::Full:
      return "all slots are taken by members that live or died lately";
    case Refusal::NoHandles:
      return "every block of entity handles has been a worker's once, and what has one may still "
             "live on: stop all workers and begin a new world by perigee-directory --new-world";
  }
  return "refused";
}

Core::Core(const CoreSettings& settings, std::uint32_t incarnation, Micros now_us)
    : settings_(settings), advanced_us_(now_us) {
  PERIGEE_ASSERT(settings.regions >= 1 && settings.regions <= regions_max, "checked by the shell");
  map_.incarnation = incarnation;
  map_.version = 1;
  map_.time = {.wall_us = now_us, .tick = Tick{0}};
  map_.regions = slice_world(settings);
}

Core::Core(const CoreSettings& settings, Saved saved, Micros now_us)
    : settings_(settings),
      map_(std::move(saved.map)),
      workers_(std::move(saved.workers)),
      gateways_(std::move(saved.gateways)),
      handle_blocks_(saved.handle_blocks),
      advanced_us_(now_us) {
  // Members ignore versions older than they have seen, and the last ones may not have been saved.
  map_.version += versions_skipped;
  for (const WorkerEntry& worker : map_.workers) {
    if (worker.alive) workers_[worker.slot].heard_us = now_us;
    // Who saved the world before blocks were counted gave each slot its own.
    handle_blocks_ = std::max(handle_blocks_, worker.handle_base / handles_per_worker);
  }
  for (const GatewayEntry& gateway : map_.gateways) {
    if (gateway.alive) gateways_[gateway.slot].heard_us = now_us;
  }
  if (!workers_.empty()) first_worker_us_ = now_us;
}

Result<Ok> Core::check(const CoreSettings& settings, const Saved& saved) {
  const auto in_order = [](const auto& entries, const auto& members) {
    bool fits = entries.size() == members.size();
    for (std::size_t i = 0; fits && i < entries.size(); ++i) fits = entries[i].slot == i;
    return fits;
  };
  if (saved.map.incarnation == 0 || !in_order(saved.map.workers, saved.workers) ||
      !in_order(saved.map.gateways, saved.gateways)) {
    return Error{"its members do not fit its map"};
  }
  for (const RegionEntry& region : saved.map.regions) {
    if (region.owner && *region.owner >= saved.workers.size()) {
      return Error{"a region's owner is no worker"};
    }
  }
  if (saved.map.regions.size() != settings.regions) {
    return Error{"it has " + std::to_string(saved.map.regions.size()) +
                 " regions and directory.regions is " + std::to_string(settings.regions)};
  }
  return Ok{};
}

/// The name's own slot; else one whose name is long gone, before the map grows.
template <class Entry>
std::optional<std::size_t> Core::slot_for(Micros now_us, const std::vector<Member>& members,
                                          const std::vector<Entry>& entries, std::string_view name,
                                          std::size_t members_max) const {
  std::optional<std::size_t> rested;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].name == name) return i;
    const bool gone = !entries[i].alive && now_us - members[i].heard_us > settings_.slot_rest_us;
    if (gone && !rested) rested = i;
  }
  if (rested) return rested;
  if (members.size() < members_max) return members.size();
  return std::nullopt;
}

/// The slot of a member that joins or comes back; its entry is then up to date and alive.
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
  // The block and the life depend on the slot, so it is found first.
  const auto slot = slot_for(now_us, workers_, map_.workers, introduction.name, workers_max);
  if (!slot) return Refusal::Full;
  const bool known = *slot < workers_.size();
  const bool same = known && workers_[*slot].name == introduction.name &&
                    workers_[*slot].instance == introduction.instance;
  // What a former life has made may live on at others, so its handles are not granted again.
  if (!same && handle_blocks_ == handle_blocks_max) return Refusal::NoHandles;
  const WorkerEntry wanted{.fabric = introduction.fabric,
                           .handle_base = same ? map_.workers[*slot].handle_base
                                               : (handle_blocks_ + 1) * handles_per_worker,
                           .handle_count = handles_per_worker,
                           .life = (known ? map_.workers[*slot].life : 0) + (same ? 0 : 1)};
  const auto admitted =
      admit(now_us, workers_, map_.workers, introduction.name, wanted, workers_max);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  if (!same) ++handle_blocks_;
  workers_[*slot].grpc = introduction.grpc;
  workers_[*slot].instance = introduction.instance;
  if (known && !same) begin_new_life(static_cast<WorkerSlot>(*slot));
  if (!same_game) {
    map_.schema_hash = introduction.schema_hash;
    ++map_.version;
  }
  if (!first_worker_us_) first_worker_us_ = now_us;
  assign_regions(now_us);
  return Grant{static_cast<std::uint8_t>(*slot), wanted.handle_base, wanted.handle_count};
}

/// A process that died and came back faster than silence tells: it still owns its regions, but
/// nothing that was in them is there any more.
void Core::begin_new_life(WorkerSlot slot) {
  for (RegionEntry& region : map_.regions) {
    if (region.owner != slot) continue;
    region.born = ++region.epoch;
    ++map_.version;
  }
}

Admission Core::register_gateway(Micros now_us, const GatewayIntroduction& introduction) {
  if (!usable(introduction.public_udp)) return Refusal::BadAddress;
  const GatewayEntry wanted{.fabric = introduction.fabric, .public_udp = introduction.public_udp};
  const auto admitted =
      admit(now_us, gateways_, map_.gateways, introduction.name, wanted, gateways_max);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  const std::size_t slot = std::get<std::size_t>(admitted);
  gateways_[slot].instance = introduction.instance;
  return Grant{.slot = static_cast<std::uint8_t>(slot)};
}

/// Null unless the member is known by that name and incarnation.
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
                     std::uint32_t incarnation) {
  auto* members = members_of(kind, slot, name, incarnation);
  if (members == nullptr) return false;
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
  if (alive(kind, slot)) {
    alive(kind, slot) = false;
    ++map_.version;
    assign_regions(now_us);
  }
  return true;
}

template <class Entry>
void Core::bury_silent(Micros now_us, const std::vector<Member>& members,
                       std::vector<Entry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].alive || now_us - members[i].heard_us <= settings_.silence_us_max) continue;
    entries[i].alive = false;
    ++map_.version;
    ++deaths_;
  }
}

void Core::forgive_own_stall(Micros now_us) {
  const Micros stalled_us = now_us - advanced_us_ - advance_us_max;
  advanced_us_ = now_us;
  if (stalled_us <= 0) return;
  for (auto* members : {&workers_, &gateways_}) {
    for (Member& member : *members) {
      member.heard_us = std::min(now_us, member.heard_us + stalled_us);
    }
  }
}

/// Ticks are counted from the segment's start in 31 bits, which end after 414 days. A second is a
/// whole number of ticks, so moving the start by days moves no tick.
void Core::renew_segment(Micros now_us) {
  if (now_us - map_.time.wall_us < segment_days_max * day_us) return;
  const Micros days = (now_us - map_.time.wall_us) / day_us;
  const auto ticks = static_cast<std::uint64_t>(days) * 86'400 * map_.time.tick_rate_hz;
  map_.time.wall_us += days * day_us;
  map_.time.tick = Tick{map_.time.tick.count + static_cast<std::uint32_t>(ticks)};
  ++map_.version;
}

void Core::advance(Micros now_us) {
  forgive_own_stall(now_us);
  renew_segment(now_us);
  bury_silent(now_us, workers_, map_.workers);
  bury_silent(now_us, gateways_, map_.gateways);
  assign_regions(now_us);
}

std::uint32_t Core::living_workers() const {
  return static_cast<std::uint32_t>(
      std::count_if(map_.workers.begin(), map_.workers.end(),
                    [](const WorkerEntry& worker) { return worker.alive; }));
}

std::optional<WorkerSlot> Core::least_loaded_worker() const {
  std::optional<WorkerSlot> best;
  std::ptrdiff_t best_load = 0;
  for (const WorkerEntry& worker : map_.workers) {
    if (!worker.alive) continue;
    const auto load =
        std::count_if(map_.regions.begin(), map_.regions.end(),
                      [&](const RegionEntry& region) { return region.owner == worker.slot; });
    if (best && load >= best_load) continue;
    best = worker.slot;
    best_load = load;
  }
  return best;
}

/// A living owner keeps its regions. What was in those of a dead one is lost, and made anew.
void Core::assign_regions(Micros now_us) {
  const std::uint32_t living = living_workers();
  const bool settled = first_worker_us_ && now_us - *first_worker_us_ >= settings_.settle_us;
  for (RegionEntry& region : map_.regions) {
    if (region.owner && !map_.workers[*region.owner].alive) {
      region.owner.reset();
      ++region.epoch;
      ++map_.version;
    }
  }
  if (living == 0 || (living < settings_.workers && !settled)) return;
  for (RegionEntry& region : map_.regions) {
    if (region.owner) continue;
    region.owner = least_loaded_worker();
    region.born = ++region.epoch;
    ++map_.version;
  }
}

}  // namespace perigee::directory
