// Picks and stones. Ground is dug and filled in the tick of the request. Stones are transferred
// once the order of the requests is final.
#include "perigee/skiff/fighter.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::skiff {

void Skiff::dig(world::ActorContext& context, Fighter& fighter) const {
  if (fighter.tool_ticks > 0) --fighter.tool_ticks;
  const bool digs = context.wants(button_dig);
  const bool fills = !digs && context.wants(button_fill) && fighter.stones > 0;
  if ((!digs && !fills) || fighter.tool_ticks > 0) return;
  fighter.tool_ticks = tunables_.tool_reload_ticks;
  const Vec3 eye = context.motion().position + Vec3{0, tunables_.eye_m, 0};
  const auto hit = context.dig_ray(eye, context.look(), tunables_.dig_reach_m);
  world::CellEdit edit;
  if (hit && digs) edit = {hit->patch, hit->cell, false};
  if (hit && fills && hit->before &&
      !context.occupied(hit->patch, *hit->before, tunables_.character)) {
    edit = {hit->patch, *hit->before, true};
    --fighter.stones;
  }
  context.propose({.kind = digs ? dig_wish : fill_wish,
                   .target = edit.patch,
                   .amount = static_cast<std::int32_t>(edit.cell),
                   .edit = edit},
                  digs ? dig_effect : fill_effect);
}

world::Judgement Skiff::commit_edit(world::Journal& journal, const world::Outcome& outcome,
                                    const world::Judgement& judged) {
  const bool digs = outcome.wish.kind == dig_wish;
  const bool counts = judged.reason == CancelReason::None;
  const bool spent = !digs && outcome.wish.target != no_entity;
  // A granted dig gives a stone; a refused fill returns it.
  if (counts ? digs : spent) {
    journal.notify(outcome.actor, {.kind = stone_news, .tick = outcome.tick});
  }
  if (counts) {
    journal.write({.tick = outcome.tick,
                   .index = outcome.wish.index,
                   .kind = digs ? dig_entry : fill_entry,
                   .actor = outcome.actor,
                   .target = outcome.wish.target,
                   .amount = outcome.wish.amount});
  }
  return judged;
}

}  // namespace perigee::skiff
