#include "perigee/world/scheduled_changes.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::world {

TimelineLog::Added ScheduledChanges::announce(const TimelineChange& change) {
  using Added = TimelineLog::Added;
  EntityRecord* object = needs_.entities.find(change.object);
  if (object == nullptr || !object->is(EntityKind::Timeline) || object->entity.remote) {
    needs_.calls.refuse(GameValue::Change, change.object);
    return Added::TooOld;
  }
  TimelineLog& log = object->log;
  if (log.size() > 0 && log[log.size() - 1] == change) return Added::Duplicate;
  const TimelineChange next = propose(change.object, change.effect, change.goal, 0);
  if (before(change.effect, next.effect) || change.version != next.version) {
    needs_.calls.refuse(GameValue::Change, *object);
    return Added::TooOld;
  }
  if (!log.has_room(needs_.now)) return Added::Full;
  const Added added = log.add(change, object->type->travel);
  PERIGEE_ASSERT(added == Added::Stored, "the next version, after all others, must be accepted");
  needs_.lively.rouse(*object);
  announced_.push_back(change);
  return added;
}

void ScheduledChanges::take_announced(std::vector<TimelineChange>& out) {
  out.clear();
  out.swap(announced_);
}

const TimelineLog* ScheduledChanges::log(Handle object) const {
  const EntityRecord* found = needs_.entities.find(object);
  return found != nullptr && found->is(EntityKind::Timeline) ? &found->log : nullptr;
}

TimelineChange ScheduledChanges::propose(Handle object, Tick target, std::uint8_t goal,
                                         std::int32_t announce_ticks) const {
  const TimelineLog* changes = log(object);
  if (changes == nullptr) return {};  // announce refuses this
  Tick effect = effect_tick(needs_.now, target, announce_ticks);
  if (changes->size() > 0) effect = later_of(effect, (*changes)[changes->size() - 1].effect + 1);
  return {.object = object,
          .effect = effect,
          .goal = goal,
          .version = static_cast<std::uint16_t>(changes->last_version() + 1)};
}

}  // namespace perigee::world
