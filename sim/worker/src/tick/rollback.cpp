#include "perigee/worker/tick/rollback.hpp"

#include <algorithm>

namespace perigee::worker {
namespace {

// The reach of an actor's step. Rays of games end where neighbours are no longer gathered.
constexpr double raycast_m = 8;
// Positions in another frame differ by this much.
constexpr double rounding_m = 1e-6;
constexpr auto window_ticks = static_cast<std::int32_t>(Player::records_ticks) - 1;

bool felt(const world::StepRecord& record, const Vec3& world_at, const world::ActorParams& other) {
  const Vec3 half = Vec3{other.radius_m, other.height_m / 2, other.radius_m} +
                    Vec3{rounding_m, rounding_m, rounding_m};
  const Vec3 at = inverse_transform(record.parent_motion.pose, world_at);
  const world::Bounds body{at - half, at + half};
  return overlap(body, record.report.body) || overlap(body, record.wishes.looked);
}

}  // namespace

Rollback::Rollback(Needs needs) : needs_(needs) {
  standing_.reserve(needs.settings.actors_max());
  moved_.reserve(needs.settings.actors_max());
  along_x_.reserve(needs.settings.actors_max());
  nearby_.reserve(needs.settings.actors_max());
}

void Rollback::replay_wrong() {
  const auto any_wrong = [](const Player& player) { return !player.wrong.empty(); };
  if (std::none_of(needs_.players.begin(), needs_.players.end(), any_wrong)) return;
  standing_.clear();
  moved_.clear();
  for (Player& player : needs_.players) {
    const world::EntityType& type = needs_.world.type_of(*needs_.world.find(player.avatar));
    standing_.push_back({.player = &player,
                         .type = &type,
                         .traces = needs_.world.traces(player.avatar),
                         .deferred_from = deferred_from(player)});
  }
  steps_left_ = needs_.settings.rewind_steps_max;
  fill_gaps();
  for (Tick t = needs_.next - window_ticks; before(t, needs_.next); ++t) {
    const auto wrong = [t](const Standing& who) { return who.owes(t); };
    if (moved_.empty() && std::none_of(standing_.begin(), standing_.end(), wrong)) continue;
    find_places(t);
    mark_who_was_pushed(t);
    for (Standing& who : standing_) {
      if (wrong(who)) replay_tick(who, t);
    }
  }
}

std::optional<Tick> Rollback::deferred_from(const Player& player) const {
  constexpr std::uint32_t guesses_every_ticks = 16;
  const bool guesses_due = (needs_.next.count + player.session) % guesses_every_ticks == 0;
  // The oldest ticks may be final with the next tick: their client is told what follows from them.
  const bool may_end = player.gap_ends || player.in_time_ticks > 0;
  if (!player.inputs.gap_open() || may_end || guesses_due) return std::nullopt;
  // An input that came within P counts for outcomes.
  for (Tick t = player.committed; before(t, needs_.next); ++t) {
    if (player.reread.has(t) && player.inputs.arrived(t)) return std::nullopt;
  }
  // Once the first missing input is given up, all ticks up to the next missing one are final: their
  // client is told the state that they lead to.
  const Tick missing = player.inputs.final_before(needs_.next);
  const std::int32_t age_ticks = ticks_between(missing, needs_.next);
  const InputTimeline::Settings& inputs = needs_.settings.inputs;
  if (age_ticks <= inputs.window_ticks || age_ticks >= inputs.gap_ticks_max - 2)
    return std::nullopt;
  return missing;
}

// Ticks of a gap that all others have long finished: only the late player runs them again.
void Rollback::fill_gaps() {
  for (Standing& who : standing_) {
    const Player& player = *who.player;
    if (!player.inputs.gap_open()) continue;
    for (Tick t = player.inputs.oldest_open(needs_.next); long_past(t); ++t) {
      if (who.owes(t)) replay_tick(who, t);
    }
  }
  moved_.clear();
}

void Rollback::find_places(Tick tick) {
  Handle parent = no_entity;
  std::optional<Pose> frame = Pose{};
  along_x_.clear();
  for (Standing& who : standing_) {
    who.trace = who.traces->find(tick);
    if (who.trace == nullptr) continue;
    if (who.trace->parent != parent) {
      parent = who.trace->parent;
      frame = needs_.world.pose(parent, tick);
    }
    if (!frame) continue;
    who.at = transform(*frame, who.trace->position);
    along_x_.emplace_back(who.at.x, &who);
  }
  std::sort(along_x_.begin(), along_x_.end());
}

template <class Visit>
void Rollback::for_each_within(const Vec3& at, double m, Visit visit) {
  const std::pair<double, Standing*> from{at.x - m, nullptr};
  for (auto it = std::lower_bound(along_x_.begin(), along_x_.end(), from);
       it != along_x_.end() && it->first <= at.x + m; ++it) {
    if (length_squared(it->second->at - at) <= m * m) visit(*it->second);
  }
}

// Actors that the moved actor had pushed ran a wrong tick. So did actors that it pushes now.
void Rollback::mark_who_was_pushed(Tick tick) {
  for (const Moved& moved : moved_) {
    for (const Vec3& at : {moved.was, moved.is}) {
      for_each_within(at, raycast_m, [&](const Standing& who) {
        Player& player = *who.player;
        if (&player == moved.player || player.wrong.has(tick)) return;
        const world::StepRecord* record = player.records.find(tick);
        if (record != nullptr && felt(*record, at, *moved.player->params)) {
          player.mark_wrong(tick, needs_.next);
        }
      });
    }
  }
  moved_.clear();
}

// Admits all steps up to the present, or none: a state between two histories never existed.
bool Rollback::admit(Standing& who, Tick tick) {
  if (who.admitted) return true;
  const std::int32_t steps = ticks_between(tick, needs_.next);
  if (steps > steps_left_) {
    who.player->wrong.clear();
    who.player->reread.clear();
    needs_.counts.add(metric.rollback_ticks_refused, static_cast<std::uint64_t>(steps));
    return false;
  }
  steps_left_ -= steps;
  who.admitted = true;
  return true;
}

void Rollback::replay_tick(Standing& who, Tick tick) {
  if (!admit(who, tick)) return;
  Player& player = *who.player;
  world::StepRecord& record = *player.records.find(tick);
  const bool committed = before(tick, player.committed);
  const world::Proposals proposed = record.wishes.proposals;
  const ActorState before_it = record.before;
  const world::GameState game_before = record.game_before;
  const ActorState was = record.after;
  const world::GameState game_was = record.game_after;
  if (!long_past(tick)) gather_people(who, record);
  std::optional<InputTimeline::Use> use;
  if (player.reread.has(tick)) {
    use = player.inputs.take(tick);
    record.input = use->input;
    record.guessed = use->guessed;
  }
  const ActorState at_start = world::state_at_start(record, before_it);
  // In a gap the neighbours are those of the guessed way, which ends metres away.
  if (player.inputs.gap_open()) {
    needs_.world.add_doors(record.parent, player.surroundings(at_start), tick, record.neighbours);
  }
  needs_.ground_edits.cut_out(player, at_start, record);
  const ActorState& became =
      world::play_tick(needs_.game, *player.params, record, before_it, game_before);
  if (record.wishes.refused != 0) needs_.checked_game.note_refused(player, record);
  if (!committed) needs_.ground_edits.apply(player, record);
  const bool as_drawn = player.lateness.spent();
  if (in_history(tick)) {
    const bool drawn = !committed && !as_drawn;
    needs_.world.correct_actor(player.avatar, record.parent, became, tick + 1, drawn);
  }
  if (as_drawn) needs_.counts.add(metric.late_ticks_kept_as_drawn);
  if (use) needs_.use_actions.judge(player, record, *use);
  if (committed) {
    player.gap_replays.spend_tick();
    needs_.outcomes.refuse_late(player, record, proposed);
  } else {
    needs_.outcomes.judge_proposals(player, record);
  }
  needs_.cues.on_step(player, record, committed);
  needs_.counts.add(metric.rollback_ticks);

  player.wrong.remove(tick);
  player.reread.remove(tick);
  const bool last = tick + 1 == needs_.next;
  if (became != was || record.game_after != game_was) {
    world::StepRecord* following = player.records.find(tick + 1);
    PERIGEE_ASSERT(last || following != nullptr, "step records must have no gaps");
    (last ? player.state : following->before) = became;
    (last ? player.game : following->game_before) = record.game_after;
    if (!last) player.wrong.add(tick + 1);
  }
  if (became.position != was.position || became.velocity != was.velocity) {
    if (const auto parent = needs_.world.pose(record.parent, tick + 1)) {
      moved_.push_back(
          {&player, transform(*parent, was.position), transform(*parent, became.position)});
    }
  }
  if (!last && who.owes(tick + 1)) return;
  steps_left_ += ticks_between(tick + 1, needs_.next);
  who.admitted = false;
}

/// Only filling a gap runs such a tick again.
bool Rollback::long_past(Tick tick) const {
  return ticks_between(tick, needs_.next) > window_ticks;
}

/// Whether the world knows where things were at the tick.
bool Rollback::in_history(Tick tick) const {
  return ticks_between(tick, needs_.next) < static_cast<std::int32_t>(world::history_ticks);
}

// Replaces the actors among the neighbours by their corrected positions. Actors that have left
// since, and those of other workers, keep the recorded ones.
void Rollback::gather_people(const Standing& who, world::StepRecord& record) {
  const ActorState local = world::state_at_start(record, record.before);
  const world::Bounds around = who.player->surroundings(local);
  const double far_m = raycast_m + length(to_double(local.velocity)) * seconds_per_tick;
  nearby_.clear();
  for_each_within(who.at, far_m, [&](const Standing& other) {
    if (&other == &who) return;
    const Handle avatar = other.player->avatar;
    std::optional<world::ActorBeside> beside{
        {avatar, other.type, other.trace->position, other.trace->velocity}};
    if (other.trace->parent != record.parent) {
      beside = needs_.world.actor_beside(avatar, record.parent, record.tick);
    }
    if (!beside) return;
    const world::Bounds& body = other.type->shape->bounds();
    if (overlap({beside->position + body.low, beside->position + body.high}, around)) {
      nearby_.push_back(*beside);
    }
  });
  world::Neighbours& neighbours = record.neighbours;
  for (std::size_t i = neighbours.size(); i-- > 0;) {
    const world::Neighbour& known = neighbours[i];
    if (known.kind != world::NeighbourKind::Actor) continue;
    const auto same = [&](const world::ActorBeside& actor) { return actor.id == known.id; };
    const bool here = std::any_of(nearby_.begin(), nearby_.end(), same);
    const world::Entity* actor = needs_.world.find(known.id);
    if (here || (actor != nullptr && !actor->remote)) neighbours.erase(i);
  }
  world::add_actors(neighbours, nearby_, record.parent, around.center());
}

}  // namespace perigee::worker
