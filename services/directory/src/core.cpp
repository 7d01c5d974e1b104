#include "perigee/directory/core.hpp"

#include <algorithm>
#include <cctype>

#include "perigee/netcode/assert.hpp"

namespace perigee::directory {
namespace {

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
  }
  return "refused";
}

Core::Core(const CoreSettings& settings, std::uint32_t incarnation, Micros now_us)
    : settings_(settings) {
  PERIGEE_ASSERT(settings.regions >= 1 && settings.regions <= regions_max, "checked by the shell");
  map_.incarnation = incarnation;
  map_.version = 1;
  map_.time = {.wall_us = now_us, .tick = Tick{0}};
  map_.regions = slice_world(settings);
}

/// The slot of a member that joins or comes back; its entry is then up to date and alive.
template <class Entry>
std::variant<std::size_t, Refusal> Core::admit(Micros now_us, std::vector<Member>& members,
                                               std::vector<Entry>& entries, const std::string& name,
                                               const Entry& wanted, std::size_t members_max) {
  if (!good_name(name)) return Refusal::BadName;
  if (!usable(wanted.fabric)) return Refusal::BadAddress;
  if (!is_private(wanted.fabric)) return Refusal::PublicFabric;
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.name == name; });
  const auto slot = static_cast<std::size_t>(found - members.begin());
  if (found == members.end()) {
    if (members.size() == members_max) return Refusal::Full;
    members.emplace_back();
    entries.emplace_back();
  } else if (entries[slot].alive && entries[slot].fabric != wanted.fabric) {
    return Refusal::NameTaken;
  }
  members[slot].name = name;
  members[slot].heard_us = now_us;
  Entry entry = wanted;
  entry.slot = static_cast<std::uint8_t>(slot);
  entry.alive = true;
  if (entries[slot] != entry) {
    entries[slot] = entry;
    ++map_.version;
  }
  return slot;
}

Admission Core::register_worker(Micros now_us, const WorkerIntroduction& introduction) {
  if (!usable(introduction.grpc)) return Refusal::BadAddress;
  const bool same_game = introduction.schema_hash == map_.schema_hash;
  if (!same_game && living_workers() > 0) return Refusal::OtherGame;
  WorkerEntry wanted{.fabric = introduction.fabric, .handle_count = handles_per_worker};
  // The block depends on the slot, so it is known only when the slot is: find it first.
  const auto known = std::find_if(workers_.begin(), workers_.end(), [&](const Member& member) {
    return member.name == introduction.name;
  });
  const auto slot = static_cast<std::uint32_t>(known - workers_.begin());
  wanted.handle_base = (slot + 1) * handles_per_worker;
  const bool returns = known != workers_.end();
  const bool reborn = returns && known->instance != introduction.instance;
  wanted.life = (returns ? map_.workers[slot].life : 0) + (returns && !reborn ? 0 : 1);
  const auto admitted =
      admit(now_us, workers_, map_.workers, introduction.name, wanted, workers_max);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  workers_[slot].grpc = introduction.grpc;
  workers_[slot].instance = introduction.instance;
  if (reborn) begin_new_life(static_cast<WorkerSlot>(slot));
  if (!same_game) {
    map_.schema_hash = introduction.schema_hash;
    ++map_.version;
  }
  if (!first_worker_us_) first_worker_us_ = now_us;
  assign_regions(now_us);
  return Grant{static_cast<std::uint8_t>(slot), wanted.handle_base, wanted.handle_count};
}

/// A process that died and came back faster than silence tells: it still owns its regions, but
/// nothing that was in them is there any more.
void Core::begin_new_life(WorkerSlot slot) {
  for (RegionEntry& region : map_.regions) {
    if (region.owner != slot) continue;
    ++region.epoch;
    ++map_.version;
  }
}

Admission Core::register_gateway(Micros now_us, const GatewayIntroduction& introduction) {
  if (!usable(introduction.public_udp)) return Refusal::BadAddress;
  const GatewayEntry wanted{.fabric = introduction.fabric, .public_udp = introduction.public_udp};
  const auto admitted =
      admit(now_us, gateways_, map_.gateways, introduction.name, wanted, gateways_max);
  if (const auto* refusal = std::get_if<Refusal>(&admitted)) return *refusal;
  return Grant{.slot = static_cast<std::uint8_t>(std::get<std::size_t>(admitted))};
}

bool Core::heartbeat(Micros now_us, MemberKind kind, std::uint32_t slot, std::string_view name,
                     std::uint32_t incarnation) {
  auto& members = kind == MemberKind::Worker ? workers_ : gateways_;
  if (incarnation != map_.incarnation || slot >= members.size() || members[slot].name != name) {
    return false;
  }
  members[slot].heard_us = now_us;
  bool& alive = kind == MemberKind::Worker ? map_.workers[slot].alive : map_.gateways[slot].alive;
  if (!alive) {
    alive = true;
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

void Core::advance(Micros now_us) {
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

/// A living owner keeps its regions: moving one means handing over everything in it.
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
    ++region.epoch;
    ++map_.version;
  }
}

}  // namespace perigee::directory
