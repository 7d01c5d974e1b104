// From a publication to blocks.
#include "perigee/replication/publisher.hpp"

#include <algorithm>
#include <array>

namespace perigee::replication {
namespace {

/// 9 kB a slot is twice the budget: a backstop.
constexpr std::uint8_t blocks_per_slot_max = 8;
/// What comes to rest is still sent like what moves for so long: everybody hears where it lies.
constexpr std::int32_t settle_ticks = InterestRings::period_ticks.back();
/// Afterwards every so many longest periods, in case all of those were lost.
constexpr std::uint32_t refresh_periods = 8;

Precision precision_for(std::uint32_t ring) {
  return ring <= 1 ? Precision::Fine : ring == 2 ? Precision::Middle : Precision::Coarse;
}

}  // namespace

Publisher::Publisher(const ReplicationSettings& settings, std::size_t entities_max)
    : settings_(settings),
      slots_(entities_max),
      shown_(slots_.capacity()),
      index_(settings.rings, entities_max, slots_.capacity()),
      cache_(slots_.capacity()),
      due_(3 * entities_max),
      phase_classes_(slots_.capacity()),
      moved_(slots_.capacity()),
      is_unsettled_(slots_.capacity()),
      streams_(slots_.capacity()),
      seen_(slots_.capacity()) {}

void Publisher::begin(Tick now) {
  now_ = now;
  slots_.reclaim();
  index_.begin(now);
  cache_.next_tick();
  for (const Published& entity : std::exchange(left_out_, {})) put(entity);
}

void Publisher::put(const Published& entity) {
  std::uint32_t slot = slots_.find(entity.handle);
  if (slot != EntitySlots::none && slots_.identity(slot) != entity.identity) {
    bury(slot);
    slot = EntitySlots::none;
  }
  const bool born = slot == EntitySlots::none;
  if (born) {
    slot = slots_.add(entity.identity, entity.handle);
    if (slot == EntitySlots::none) {
      std::erase_if(left_out_, [&](const auto& other) { return other.handle == entity.handle; });
      left_out_.push_back(entity);
      return;
    }
    phase_classes_[slot] = static_cast<std::uint8_t>(phase_class(entity.identity));
    moved_[slot] = now_;
    seen_[slot] = 0;
  }
  shown_[slot] = entity;
  streams_[slot] = entity.streams;
  if (entity.streams && !entity.resting) moved_[slot] = now_;
  // What was there before anybody looked is nothing new.
  if (born && begun_) place(slot, true);
  if (std::exchange(is_unsettled_[slot], 1) == 0) unsettled_.push_back(slot);
}

void Publisher::bury(std::uint32_t slot) {
  index_.remove(slot);
  streams_[slot] = 0;
  slots_.bury(slot);
}

void Publisher::remove(Handle handle) {
  const std::uint32_t slot = slots_.find(handle);
  if (slot != EntitySlots::none) bury(slot);
  std::erase_if(left_out_, [&](const auto& other) { return other.handle == handle; });
}

void Publisher::finish() {
  if (index_.wants_moving()) {
    std::erase_if(unsettled_, [&](std::uint32_t slot) {
      const bool done = !slots_.lives(slot) || place(slot, false);
      is_unsettled_[slot] = !done;
      return done;
    });
  }
  index_.finish();
  begun_ = true;
}

bool Publisher::place(std::uint32_t slot, bool born) {
  const Published& entity = shown_[slot];
  GridPoint point;
  point.position = to_grid(entity.bounds.center());
  point.radius_m = static_cast<float>(length(entity.bounds.size()) / 2);
  point.reach_m = static_cast<float>(entity.visible_m + interest_pad_m);
  point.slot = slot;
  const bool resting = ticks_between(moved_[slot], now_) >= settle_ticks;
  index_.add(phase_classes_[slot], resting, born, point);
  return resting;
}

Viewpoint Publisher::view_of(const Observer& observer) const {
  return {to_grid(observer.position), observer.near_radius_m, observer.radius_m, observer.stretch};
}

void Publisher::collect_due(Observer& observer) {
  const std::uint32_t avatar = slots_.find(observer.avatar);
  const std::uint32_t period = send_slot(now_) / phase_classes;
  ++collection_;
  for (const Hit hit : index_.due(view_of(observer))) {
    const std::uint32_t slot = slot_of(hit);
    if (std::exchange(seen_[slot], collection_) == collection_) continue;
    const Published& entity = shown_[slot];
    if (!observer.known.contains(slot) &&
        (!slots_.lives(slot) || !in_reach(observer, entity, 1) || !tell(observer, slot, 0))) {
      continue;
    }
    if (streams_[slot] == 0 || slot == avatar) continue;
    const bool settled = ticks_between(moved_[slot], now_) >= settle_ticks;
    if (settled && (period + mix64(entity.identity)) % refresh_periods != 0) continue;
    due_.add(cache_.line(slot, precision_for(ring_of(hit)), entity));
    ++counters_.records_by_ring[ring_of(hit)];
  }
  due_.arrange();
  observer.due_in_period += static_cast<std::uint32_t>(due_.size());
}

void Publisher::write_blocks(Observer& observer, BlockHeader header, const OwnSection* own,
                             const BlockSink& sink) {
  if (!observer.known.sized()) observer.known = KnownSet(slots_.capacity());
  due_.clear();
  if (observer.turn(now_, send_slot_ticks)) {
    update_known(observer);
    collect_due(observer);
    if (observer.turn(now_, near_choice_ticks)) {
      observer.near_radius_m =
          index_.choose_near_m(to_grid(observer.position), settings_.near_m, settings_.near_max);
    }
  } else if (own == nullptr && !serves(observer)) {
    return;
  }
  header.stream_epoch = observer.stream_epoch;
  std::array<std::byte, block_bytes_max> buffer;
  std::size_t written = 0;
  for (std::uint8_t part = 0; part < blocks_per_slot_max; ++part) {
    BlockWriter writer(buffer, header);
    if (part == 0) {
      if (own != nullptr) {
        const bool fits = writer.own(*own);
        PERIGEE_ASSERT(fits, "the own section is bounded below a block's size");
      }
      observer.events.send_due(now_, settings_.resend_ticks,
                               [&](Sequence sequence, const WorldEvent& event) {
                                 return writer.event(sequence, event);
                               });
    }
    written = due_.write(writer, written);
    if (writer.empty()) break;
    sink(observer.session, part == 0 && own != nullptr ? 0 : 1, writer.bytes());
    ++counters_.blocks;
    counters_.bytes += writer.bytes().size();
    if (written >= due_.size()) break;
  }
  counters_.records += written;
  counters_.records_over_limit += due_.size() - written;
}

void Publisher::choose_stretch(Observer& observer, float least) const {
  // due_in_period covers 60 ticks: one second at the nominal rate.
  const double bytes = static_cast<double>(observer.due_in_period) * entity_record_bytes;
  const double load = bytes / settings_.client_budget_bytes_per_s;
  observer.due_in_period = 0;
  if (load > 1) {
    observer.stretch = static_cast<float>(std::min(observer.stretch * 1.25, 32.0));
  } else if (load < 0.7) {
    observer.stretch = static_cast<float>(std::max(observer.stretch / 1.1, 1.0));
  }
  observer.stretch = std::max(observer.stretch, least);
}

}  // namespace perigee::replication
