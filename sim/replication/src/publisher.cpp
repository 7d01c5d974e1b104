// The publication of a tick, and the budget of an observer.
#include "perigee/replication/publisher.hpp"

#include <algorithm>

#include "perigee/base/kept_tick.hpp"

namespace perigee::replication {
namespace {

/// An entity that has come to rest is looked at like a moving one for this long.
constexpr std::int32_t settle_ticks = InterestRings::period_ticks.back();

}  // namespace

Publisher::Publisher(const ReplicationSettings& settings, std::size_t entities_max)
    : settings_(settings),
      slots_(entities_max),
      shown_(slots_.capacity()),
      index_(settings.rings, entities_max, slots_.capacity()),
      tracks_(slots_.capacity()),
      due_(3 * entities_max),
      phase_classes_(slots_.capacity()),
      moved_(slots_.capacity()),
      is_unsettled_(slots_.capacity()),
      seen_(slots_.capacity()) {}

void Publisher::begin(Tick now) {
  now_ = now;
  if (kept_ticks_turn(now)) {
    for (Tick& moved : moved_) move_along(moved, now);
  }
  slots_.reclaim();
  index_.begin(now);
  tracks_.begin(now);
  for (const Published& entity : std::exchange(left_out_, {})) put(entity);
}

void Publisher::put(const Published& entity) {
  std::uint32_t slot = slots_.find(entity.handle);
  if (slot != EntitySlots::none && slots_.identity(slot) != entity.identity) {
    declare_dead(slot);
    slot = EntitySlots::none;
  }
  const bool created = slot == EntitySlots::none;
  if (created) {
    slot = slots_.add(entity.identity, entity.handle);
    if (slot == EntitySlots::none) {
      std::erase_if(left_out_, [&](const auto& other) { return other.handle == entity.handle; });
      left_out_.push_back(entity);
      return;
    }
    phase_classes_[slot] = static_cast<std::uint8_t>(phase_class(entity.identity));
    moved_[slot] = now_;
    seen_[slot].collection = 0;
    tracks_.clear(slot);
  }
  shown_[slot] = entity;
  seen_[slot].streams = entity.streams;
  seen_[slot].jointed = entity.jointed;
  if (entity.streams && !entity.resting) moved_[slot] = now_;
  // Entities from before the first finish() are not new.
  if (created && begun_) enter(slot);
  if (std::exchange(is_unsettled_[slot], 1) == 0) unsettled_.push_back(slot);
}

// Keeps an entity's send times the same across workers. They follow from its place when this slot
// began, and from the tick at which it came to rest.
void Publisher::enter(std::uint32_t slot) {
  const Published& entity = shown_[slot];
  const Tick slot_began = now_ - static_cast<std::int32_t>(now_.count % send_slot_ticks);
  const auto was = [&](Tick tick) {
    return entity.streams && was_at ? was_at(entity.handle, tick) : std::nullopt;
  };
  const bool came = was(now_ - 2).has_value();  // an entity is visible one tick after its birth
  if (came && entity.resting) moved_[slot] = last_moved(entity.handle);
  if (came && index_.wants_moving()) return;  // placed by finish()
  const auto then = came ? was(slot_began) : std::nullopt;
  if (!then) {
    place(slot, true);
    return;
  }
  index_.arrive(phase_classes_[slot], settled(slot, slot_began), point_of(slot, then->bounds));
}

/// For a resting entity. One that is younger than settle_ticks counts as moving at its birth.
Tick Publisher::last_moved(Handle handle) const {
  constexpr std::int32_t asked_ticks = settle_ticks + send_slot_ticks;  // includes the slot's begin
  for (std::int32_t ago = 1; ago < asked_ticks; ++ago) {
    const auto then = was_at(handle, now_ - ago);
    if (!then) return now_ - (ago - 1);
    if (!then->resting) return now_ - ago;
  }
  return now_ - asked_ticks;
}

void Publisher::declare_dead(std::uint32_t slot) {
  index_.remove(slot);
  seen_[slot].streams = false;
  slots_.declare_dead(slot);
}

void Publisher::remove(Handle handle) {
  const std::uint32_t slot = slots_.find(handle);
  if (slot != EntitySlots::none) declare_dead(slot);
  std::erase_if(left_out_, [&](const auto& other) { return other.handle == handle; });
}

void Publisher::finish() {
  if (index_.wants_moving()) {
    std::erase_if(unsettled_, [&](std::uint32_t slot) {
      const bool done = !slots_.alive(slot) || place(slot, false);
      is_unsettled_[slot] = !done;
      return done;
    });
  }
  index_.finish();
  begun_ = true;
}

bool Publisher::settled(std::uint32_t slot, Tick at) const {
  return ticks_between(moved_[slot], at) >= settle_ticks;
}

GridPoint Publisher::point_of(std::uint32_t slot, const world::Bounds& bounds) const {
  GridPoint point;
  point.position = to_grid(bounds.center());
  point.radius_m = static_cast<float>(length(bounds.size()) / 2);
  // An observer that knows the entity is told of it until it leaves: silence means "as told".
  point.reach_m =
      static_cast<float>(shown_[slot].visible_m * settings_.leave_factor + interest_pad_m);
  point.slot = slot;
  return point;
}

bool Publisher::place(std::uint32_t slot, bool created) {
  const bool resting = settled(slot, now_);
  index_.add(phase_classes_[slot], resting, created, point_of(slot, shown_[slot].bounds));
  return resting;
}

Viewpoint Publisher::view_of(const Observer& observer) const {
  return {to_grid(observer.position), observer.near_radius_m, observer.radius_m, observer.stretch};
}

Tally Publisher::take_tally(Observer& observer) const {
  return {std::exchange(observer.bytes_in_period, 0),
          index_.count_near(to_grid(observer.position), settings_.near_m)};
}

// On a narrow path the near lane is stretched, too: it is most of what a client in a crowd gets.
Choice Publisher::choose(const Choice& before, const Tally& of_all,
                         const ChoiceBounds& bounds) const {
  static_assert(choice_ticks == default_tick_rate_hz, "the budget is per second");
  constexpr double stretch_max = 32, faster_most = 2, faster_least = 1.25, slower = 1.1;
  const double budget = settings_.client_budget_bytes_per_s;
  const double load = of_all.bytes / std::min(budget, bounds.path_bytes_per_s.value_or(budget));
  double stretch = static_cast<double>(before.stretch);
  if (load > 1) {
    stretch = std::min(stretch * std::clamp(load, faster_least, faster_most), stretch_max);
  } else if (load < 0.7) {
    stretch = std::max(stretch / slower, 1.0);
  }
  stretch = std::max(stretch, static_cast<double>(bounds.least_stretch));
  std::size_t step = 0;
  while (step < of_all.within.size() && of_all.within[step] <= settings_.near_max) ++step;
  const double near_m =
      settings_.near_m * static_cast<double>(step) / static_cast<double>(of_all.within.size());
  const double near_stretch = bounds.path_bytes_per_s ? stretch : 1;
  return {static_cast<float>(stretch), static_cast<float>(near_m / near_stretch)};
}

}  // namespace perigee::replication
