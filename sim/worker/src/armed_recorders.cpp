#include "perigee/worker/armed_recorders.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {

void record_final(const Player& player, Tick final_now, Tick& recorded,
                  replay::FlightRecorder& recorder) {
  for (; before(recorded, final_now); ++recorded) {
    if (const Claim* claim = player.claims.find(recorded)) {
      recorder.note_claim({recorded, claim->parent, claim->position});
    }
    const world::StepRecord* step = player.records.find(recorded);
    if (step != nullptr) recorder.note(*step);
  }
}

ArmedRecorders::ArmedRecorders(std::uint32_t count, std::span<const world::EntityType> types) {
  slots_.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) slots_.emplace_back(types);
}

const ArmedRecorders::Slot* ArmedRecorders::find(std::uint64_t client_id) const {
  const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return slot.used && slot.client_id == client_id;
  });
  return found == slots_.end() ? nullptr : &*found;
}
ArmedRecorders::Slot* ArmedRecorders::find(std::uint64_t client_id) {
  return const_cast<Slot*>(std::as_const(*this).find(client_id));
}

ArmedRecorders::Slot* ArmedRecorders::free_slot() {
  Slot* left = nullptr;
  for (Slot& slot : slots_) {
    if (!slot.used) return &slot;
    if (!slot.here && (left == nullptr || before(slot.until, left->until))) left = &slot;
  }
  return left;
}

bool ArmedRecorders::arm(const Player& player, Tick now, std::int32_t for_ticks) {
  Slot* slot = find(player.client_id);
  if (slot == nullptr || !slot->here) {
    if (slot == nullptr) slot = free_slot();
    if (slot == nullptr) return false;
    slot->recorder.clear();
    slot->recorded = player.inputs.final_before(now);
  }
  slot->used = slot->here = true;
  slot->client_id = player.client_id;
  slot->until = now + std::min(for_ticks, armed_ticks_max);
  return true;
}

bool ArmedRecorders::disarm(std::uint64_t client_id) {
  Slot* slot = find(client_id);
  if (slot == nullptr) return false;
  slot->used = slot->here = false;
  return true;
}

void ArmedRecorders::record(const Player& player, world::TypeId type, Tick final_now) {
  Slot* slot = find(player.client_id);
  if (slot == nullptr || !slot->here) return;
  slot->header.side = replay::Side::Worker;
  slot->header.avatar = player.identity;
  slot->header.session = player.session;
  slot->header.type = type;
  slot->header.delay_ticks = static_cast<std::int8_t>(player.inputs.delay_ticks());
  record_final(player, final_now, slot->recorded, slot->recorder);
  slot->header.tick = slot->recorded;
}

void ArmedRecorders::end_tick(const PlayerTable& players, Tick now) {
  for (Slot& slot : slots_) {
    if (!slot.used) continue;
    slot.here = slot.here && players.find_client(slot.client_id) != nullptr;
    if (not_after(slot.until, now)) slot.used = slot.here = false;
  }
}

std::uint32_t ArmedRecorders::in_use() const {
  return static_cast<std::uint32_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.here; }));
}

}  // namespace perigee::worker
