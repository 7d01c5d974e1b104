#include "perigee/replay/rerun.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstring>

#include "perigee/world/game.hpp"

namespace perigee::replay {
namespace {

using world::StepRecord;

std::uint64_t bits_apart(double a, double b) {
  return static_cast<std::uint64_t>(
      std::popcount(std::bit_cast<std::uint64_t>(a) ^ std::bit_cast<std::uint64_t>(b)));
}
std::uint64_t bits_apart(float a, float b) {
  return static_cast<std::uint64_t>(
      std::popcount(std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b)));
}
template <std::unsigned_integral Whole>
std::uint64_t bits_apart(Whole a, Whole b) {
  return static_cast<std::uint64_t>(std::popcount(static_cast<std::uint32_t>(a ^ b)));
}

std::uint64_t bits_apart(const ActorState& a, const ActorState& b) {
  return bits_apart(a.position.x, b.position.x) + bits_apart(a.position.y, b.position.y) +
         bits_apart(a.position.z, b.position.z) + bits_apart(a.velocity.x, b.velocity.x) +
         bits_apart(a.velocity.y, b.velocity.y) + bits_apart(a.velocity.z, b.velocity.z) +
         bits_apart(a.ground, b.ground) + bits_apart(a.flags, b.flags) +
         bits_apart(a.coyote_ticks, b.coyote_ticks) + bits_apart(a.jump_ticks, b.jump_ticks) +
         bits_apart(a.grounded_ticks, b.grounded_ticks);
}

std::uint64_t bits_apart(const world::GameState& a, const world::GameState& b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.bytes.size(); ++i) {
    sum += static_cast<std::uint64_t>(
        std::popcount(std::to_integer<unsigned>(a.bytes[i] ^ b.bytes[i])));
  }
  return sum;
}

const StepRecord* same_tick(const Recording& worker, const StepRecord& predicted) {
  return find_tick(worker, predicted.tick + worker.header.delay_ticks);
}

ThingKind kind_of(const Recording& worker, Handle handle) {
  const Recording::Thing* thing = worker.thing(handle);
  if (thing == nullptr) return handle == no_entity ? ThingKind::Static : ThingKind::Gone;
  switch (worker.types[thing->type].kind) {
    case world::EntityKind::Static:
      return ThingKind::Static;
    case world::EntityKind::Timeline:
      return ThingKind::Timeline;
    case world::EntityKind::Actor:
      return ThingKind::Actor;
    case world::EntityKind::Body:
      break;
  }
  return thing->chained ? ThingKind::Chained : ThingKind::Body;
}

}  // namespace

const StepRecord* find_tick(const Recording& recording, Tick tick) {
  const auto found =
      std::lower_bound(recording.ticks.begin(), recording.ticks.end(), tick,
                       [](const StepRecord& step, Tick t) { return before(step.tick, t); });
  return found == recording.ticks.end() || found->tick != tick ? nullptr : &*found;
}

std::optional<Error> unplayable(const world::GameModule& game, const Recording& recording) {
  const std::string of_game =
      " of the game '" + recording.header.game + "'; use that version of it";
  const InputLayout& layout = game.input_layout();
  if (const auto other = other_field(recording.header.input_fields, layout)) {
    return Error{"the input field '" + *other +
                 "' differs from the one here: this is a recording of another version" + of_game};
  }
  for (const StepRecord& step : recording.ticks) {
    if (const auto field = layout.unusable(step.input.own)) {
      return Error{"the input field '" + std::string(*field) + "' is out of its range at tick " +
                   std::to_string(step.tick.count) +
                   ": this is a damaged recording, or one of another version" + of_game};
    }
  }
  return std::nullopt;
}

Rerun rerun(const world::GameModule& game, const Recording& recording) {
  const world::ActorParams& params = recording.types[recording.header.type].actor;
  Rerun out;
  ActorState state;
  world::GameState game_state;
  for (std::size_t i = 0; i < recording.ticks.size(); ++i) {
    const StepRecord& recorded = recording.ticks[i];
    const StepRecord* led_here = i == 0 ? nullptr : &recording.ticks[i - 1];
    const bool follows = led_here != nullptr && led_here->tick + 1 == recorded.tick &&
                         bits_apart(led_here->after, recorded.before) == 0 &&
                         led_here->game_after == recorded.game_before;
    if (!follows) {
      out.begun_anew += i > 0;
      state = recorded.before;
      game_state = recorded.game_before;
    }
    StepRecord again = recorded;
    state = world::play_tick(game, params, again, state, game_state);
    game_state = again.game_after;
    ++out.ticks;
    const std::uint64_t bits =
        bits_apart(state, recorded.after) + bits_apart(game_state, recorded.game_after);
    if (bits == 0) continue;
    out.bits_otherwise += bits;
    ++out.ticks_otherwise;
    if (!out.first) out.first = recorded.tick;
  }
  return out;
}

std::optional<Parting> where_parted(const Recording& client, const Recording& worker) {
  const FlightHeader& header = client.header;
  return where_parted(client, worker, {header.tick, header.cause, header.meters});
}

std::optional<Parting> where_parted(const Recording& client, const Recording& worker,
                                    const NotedCorrection& correction) {
  const double apart_m = std::max(parted_m, parted_share * correction.meters);
  std::optional<Parting> found;
  bool apart_before = false;
  bool first = true;
  for (const StepRecord& predicted : client.ticks) {
    const StepRecord* became = same_tick(worker, predicted);
    if (became == nullptr) continue;
    const double meters = distance(predicted.after.position, became->after.position);
    const bool apart = predicted.parent != became->parent || meters > apart_m;
    // The newest parting before the error was noticed; otherwise the first one after it.
    const bool in_time = not_after(predicted.tick, correction.at);
    if (apart && !apart_before && (in_time || !found)) {
      const bool beforehand =
          first && distance(predicted.before.position, became->before.position) > apart_m;
      found = Parting{predicted.tick, meters, beforehand,
                      first_difference(predicted, *became, worker.header.input_fields)};
    }
    apart_before = apart;
    first = false;
  }
  return found;
}

namespace {

/// The newest final state that the client had received when it predicted that tick.
const ReceivedFinal* base_of(const Recording& client, Tick tick) {
  const ReceivedFinal* newest = nullptr;
  for (const ReceivedFinal& final : client.finals) {
    if (not_after(final.received, tick) && not_after(final.final_tick, tick)) newest = &final;
  }
  return newest;
}

// If the two sides were already apart, the tick's own inputs do not explain the error. Then the
// ticks since the last common state are examined, as the client does when it is corrected.
Tick begin_of(const Recording& client, const Recording& worker, const Parting& parting) {
  const StepRecord* predicted = find_tick(client, parting.tick);
  const StepRecord* became = predicted != nullptr ? same_tick(worker, *predicted) : nullptr;
  const ReceivedFinal* base = base_of(client, parting.tick);
  if (became == nullptr || base == nullptr || predicted->parent != became->parent ||
      distance(predicted->before.position, became->before.position) < parted_m) {
    return parting.tick;
  }
  const StepRecord* since = find_tick(client, base->final_tick);
  return since != nullptr && same_tick(worker, *since) != nullptr ? since->tick : parting.tick;
}

}  // namespace

Explanation why_parted(const world::GameModule& game, const Recording& client,
                       const Recording& worker, const Parting& parting) {
  Disagreement between;
  const Tick begin = begin_of(client, worker, parting);
  for (const StepRecord& predicted : client.ticks) {
    if (before(predicted.tick, begin)) continue;
    const StepRecord* became = same_tick(worker, predicted);
    if (became == nullptr) break;
    const Chain& chain = between.predicted;
    const bool gap = !chain.empty() && chain.back().tick + 1 != predicted.tick;
    const bool follows =
        chain.empty() || (!gap && bits_apart(chain.back().after, predicted.before) == 0);
    if (!follows && before(parting.tick, predicted.tick)) break;
    if (gap) {
      between.predicted.clear();
      between.became.clear();
    }
    between.predicted.push_back(predicted);
    between.became.push_back(*became);
    between.became.back().tick = predicted.tick;
  }
  if (between.predicted.empty()) return {};
  if (between.predicted.front().tick != parting.tick) {
    between.predicted.front().before = between.became.front().before;
    between.predicted.front().game_before = between.became.front().game_before;
  }
  between.believed = between.predicted.back().after.position;
  between.parent_at_end = between.became.back().parent;
  const Bystanders bystanders{
      .kind_of = [&](Handle handle) { return kind_of(worker, handle); },
      .known = [&](Handle handle) { return client.thing(handle) != nullptr; },
      .motion_at_end = [&](Handle parent) -> std::optional<Motion> {
        for (const Chain* chain : {&between.became, &between.predicted}) {
          for (auto step = chain->rbegin(); step != chain->rend(); ++step) {
            if (step->parent == parent) return step->parent_motion;
          }
        }
        return parent == no_entity ? std::optional(Motion{}) : std::nullopt;
      }};
  Explanation found = explain(game, worker.types[worker.header.type].actor, between, bystanders);
  // The worker's recording shows whether the input was a guess.
  const StepRecord* since = find_tick(worker, found.since + worker.header.delay_ticks);
  if (found.cause == CorrectionCause::InputLost && since != nullptr && !since->guessed) {
    found.cause = CorrectionCause::InputLate;
  }
  return found;
}

}  // namespace perigee::replay
