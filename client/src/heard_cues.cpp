#include "perigee/client/heard_cues.hpp"

#include <algorithm>

namespace perigee::client {

HeardCues::HeardCues(const EntityStore& entities) : entities_(entities) {}

void HeardCues::forget_world() {
  waiting_.clear();
  remembered_.clear();
  next_remembered_ = 0;
  news_.clear();
}

bool HeardCues::remember(const Name& name) {
  if (std::ranges::find(remembered_, name) != remembered_.end()) return false;
  if (remembered_.size() < remembered_max) {
    remembered_.push_back(name);
  } else {
    remembered_[next_remembered_] = name;
    next_remembered_ = (next_remembered_ + 1) % remembered_max;
  }
  return true;
}

void HeardCues::on_cue(const CueEvent& cue) {
  if (waiting_.size() == waiting_max) {
    ++counts_.crowded_out;
    return;
  }
  if (!remember({cue.entity, cue.subject, cue.tick, cue.effect, cue.place})) {
    ++counts_.repeated;
    return;
  }
  const auto later = std::ranges::upper_bound(
      waiting_, cue.tick, [](Tick a, Tick b) { return before(a, b); },
      [](const Waiting& waiting) { return waiting.cue.tick; });
  waiting_.insert(later, {cue, {}});
}

HeardCues::Fate HeardCues::judge(Waiting& waiting, const ViewPoint& seen, Handle avatar) {
  const CueEvent& cue = waiting.cue;
  const ClientEntity* entity = entities_.find(cue.entity);
  const bool own = cue.entity == avatar && avatar != no_entity && seen.ahead_ticks > 0;
  double drawn_ticks = seen.ticks;
  if (cue.place) {
    waiting.drawn = to_double(*cue.place);
  } else if (own) {
    drawn_ticks += seen.ahead_ticks;
    waiting.drawn = seen.eye;
  } else if (entity != nullptr) {
    drawn_ticks = entities_.drawn_ticks(*entity, seen);
    if (const auto pose = entities_.drawn_world(cue.entity, seen)) waiting.drawn = pose->position;
  }
  const double since_ticks = drawn_ticks - ticks_between(seen.origin, cue.tick);
  if (since_ticks < 0) return Fate::Waits;
  if (since_ticks > cue_age_ticks_max) return Fate::Late;
  if (!waiting.drawn) return since_ticks > held_ticks ? Fate::Unknown : Fate::Waits;
  news_.push_back({cue.tick, cue.entity, cue.effect, cue.detail, cue.subject, *waiting.drawn});
  return Fate::Heard;
}

void HeardCues::advance(const ViewPoint& seen, Handle avatar) {
  news_.clear();
  std::erase_if(waiting_, [&](Waiting& waiting) {
    const Fate fate = judge(waiting, seen, avatar);
    if (fate == Fate::Heard) ++counts_.heard;
    if (fate == Fate::Late) ++counts_.late;
    if (fate == Fate::Unknown) ++counts_.unknown;
    return fate != Fate::Waits;
  });
}

}  // namespace perigee::client
