#include "sights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ghost_wire.hpp"
#include "perigee/world/ray.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t word_bytes_max = 192;
constexpr double unit_tolerance = 1e-6;

bool is_unit(const Vec3& direction) { return std::abs(length(direction) - 1) < unit_tolerance; }

}  // namespace

template <class Cursor>
bool Core::Sights::walk_look(Cursor& cursor, auto& look) {
  auto& [wish, actor, identity, tick, flew, parent, view_age, steers] = look.outcome;
  return cursor.number(look.incarnation) && cursor.number(look.number) &&
         cursor.number(wish.kind) && cursor.number(wish.index) && cursor.number(wish.target) &&
         cursor.number(wish.amount) && cursor.number(actor) && cursor.number(identity) &&
         cursor.tick(tick) && cursor.vec3(look.sight.eye) && cursor.vec3(look.sight.direction) &&
         cursor.tick(look.sight.at.view) && cursor.number(look.sight.at.part) &&
         cursor.number(look.far_m);
}

struct Core::Sights::Seen {
  std::uint32_t incarnation = 0;
  std::uint32_t number = 0;
  bool met = false;  ///< a hit at `met_m`
  double met_m = 0;
  world::Judgement judgement;
};
template <class Cursor>
bool Core::Sights::walk_seen(Cursor& cursor, auto& seen) {
  return cursor.number(seen.incarnation) && cursor.number(seen.number) && cursor.flag(seen.met) &&
         cursor.number(seen.met_m) &&
         cursor.enumerator(seen.judgement.reason, CancelReason::last) &&
         cursor.number(seen.judgement.detail) && cursor.number(seen.judgement.target);
}

/// Owners of regions along the line that are not near ours.
std::bitset<workers_max> Core::Sights::owners_beyond(const Judged& judged) const {
  std::bitset<workers_max> out;
  if (!core_.to_peer || !judged.sight || judged.looked_m <= 0) return out;
  const world::Sight& sight = *judged.sight;
  if (!is_unit(sight.direction)) return out;  // the receivers would drop the query
  const double far_m = std::min(judged.looked_m, line_m_max);
  const auto along = [&](const RegionEntry& region, double more_m) {
    const Vec3 more{more_m, more_m, more_m};
    return world::ray_inside({region.low - more, region.high + more}, sight.eye, sight.direction,
                             far_m);
  };
  const auto known = [&](world::RaySpan span) {
    for (bool shorter = true; shorter && span.enters < span.leaves;) {
      shorter = false;
      for (const RegionEntry& region : core_.map_.regions) {
        if (region.owner != core_.slot_) continue;
        const auto ours = along(region, known_m);
        if (!ours || ours->enters > span.enters || ours->leaves <= span.enters) continue;
        span.enters = ours->leaves;
        shorter = true;
      }
    }
    return span.enters >= span.leaves;
  };
  for (const RegionEntry& region : core_.map_.regions) {
    if (!region.owner || *region.owner == core_.slot_ || out.test(*region.owner)) continue;
    const WorkerEntry* owner = core_.map_.worker(*region.owner);
    if (owner == nullptr || !owner->alive) continue;
    const auto theirs = along(region, 0);
    if (theirs && !known(*theirs)) out.set(*region.owner);
  }
  return out;
}

bool Core::Sights::leave(const Judged& judged) const { return owners_beyond(judged).any(); }

bool Core::Sights::ask(const world::Outcome& outcome, const Judged& judged) {
  const auto waiting = owners_beyond(judged);
  if (waiting.none()) return false;
  if (open_.size() == open_max) {
    core_.counts_.add(Count::SightsRefused);
    return false;
  }
  const std::uint32_t number = ++numbers_;
  open_[number] = {.outcome = outcome,
                   .judgement = judged.judgement,
                   .met_m = judged.looked_m,
                   .since = core_.next_,
                   .waiting = waiting};
  std::array<std::byte, word_bytes_max> buffer;
  ByteWriter writer(buffer);
  const Look look{core_.map_.incarnation, number, outcome, *judged.sight,
                  std::min(judged.looked_m, line_m_max)};
  const bool fits = put(writer, PeerKind::Look) && walk_look(writer, look);
  PERIGEE_ASSERT(fits, "word_bytes_max is too small for the message");
  for (std::size_t slot = 0; slot < waiting.size(); ++slot) {
    if (waiting.test(slot)) core_.to_peer(static_cast<WorkerSlot>(slot), writer.written());
  }
  core_.counts_.add(Count::SightsAsked);
  return true;
}

void Core::Sights::on_look(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Look look;
  const bool read = walk_look(reader, look) && reader.at_end() && look.far_m > 0 &&
                    look.far_m <= line_m_max && look.sight.at.part >= 0 &&
                    look.sight.at.part <= 1 && is_unit(look.sight.direction);
  if (!read) return core_.drop(Count::DropMalformed);
  if (!core_.of_our_world(from, look.incarnation)) return core_.drop(Count::DropUnknownSender);
  look.sight.at.own = look.outcome.tick;
  look.sight.at.eye = look.sight.eye;
  look.outcome.wish.from = look.sight.eye;
  look.outcome.wish.direction = look.sight.direction;
  if (not_after(look.outcome.tick, core_.settled())) return answer(from, look);
  // A sender that is this far ahead has timed out before its tick comes here.
  const bool ahead = ticks_between(core_.settled(), look.outcome.tick) > patience_ticks;
  if (ahead || asked_.size() == asked_max) return core_.counts_.add(Count::SightsRefused);
  asked_.emplace_back(from, look);
}

void Core::Sights::answer(WorkerSlot to, const Look& look) {
  const world::DrawnScene scene(*core_.world_, look.outcome, look.sight);
  Seen seen{.incarnation = core_.map_.incarnation, .number = look.number};
  seen.judgement = core_.judge(scene, look.outcome);
  seen.met = scene.met() && scene.looked_m() <= look.far_m;
  seen.met_m = scene.looked_m();
  std::array<std::byte, word_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::Seen) && walk_seen(writer, std::as_const(seen));
  PERIGEE_ASSERT(fits, "word_bytes_max is too small for the message");
  core_.to_peer(to, writer.written());
}

void Core::Sights::on_seen(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Seen seen;
  if (!walk_seen(reader, seen) || !reader.at_end()) return core_.drop(Count::DropMalformed);
  if (!core_.of_our_world(from, seen.incarnation)) return core_.drop(Count::DropUnknownSender);
  const auto found = open_.find(seen.number);
  if (found == open_.end() || !found->second.waiting.test(from)) return;  // it came too late
  Open& open = found->second;
  open.waiting.reset(from);
  if (seen.met && seen.met_m < open.met_m) {
    open.met_m = seen.met_m;
    open.judgement = seen.judgement;
  }
}

// Commits in the order of the queries, whichever replies came first.
void Core::Sights::after_tick() {
  while (!asked_.empty() && not_after(asked_.front().second.outcome.tick, core_.settled())) {
    answer(asked_.front().first, asked_.front().second);
    asked_.pop_front();
  }
  while (!open_.empty()) {
    const auto first = open_.begin();
    if (first->second.waiting.any()) {
      if (ticks_between(first->second.since, core_.next_) < patience_ticks) return;
      core_.counts_.add(Count::SightsUnanswered);
    }
    const Open open = first->second;
    open_.erase(first);
    core_.commit_seen(open.outcome, open.judgement);
  }
}

}  // namespace perigee::worker
