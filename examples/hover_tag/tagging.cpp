// Contested things: tags, torches and power-ups. The worker of a runner commits its proposal and
// sends it to the target. The worker of the target decides in `receive`, and answers. The carrier
// gives its torch away before the message leaves, and gets it back if the tag does not count. So no
// torch is lost or doubled at a border or by the death of a worker.
#include <algorithm>

#include "game.hpp"

namespace hover_tag {

using namespace perigee;
using world::Message;

namespace {

bool throw_it(world::Journal& journal, const world::Proposal& wish) {
  const double yaw_rad = wish.amount * (2 * pi / 65536);
  return bool(journal.spawn({.type = ball_row, .at = {wish.from, yaw_rotation(yaw_rad)}}));
}

/// The tick of a change of the runner's motion that its client hears of in time. Clients that are
/// further behind are corrected: one of them must not delay the blows of all runners near it.
Tick announced(const world::Journal& journal, Handle runner) {
  return journal.tick() + std::min(journal.lead_ticks(runner), lead_ticks_max);
}

/// The carrier gives the torch away before it is sent.
bool pass_torch(world::Journal& journal, const world::Outcome& outcome) {
  const auto state = journal.state(outcome.actor);
  if (!state || state->as<Runner>().torch == 0) return false;
  if (!journal.notify(outcome.actor, {.kind = lost_torch, .tick = outcome.tick})) return false;
  if (journal.send({.tick = outcome.tick,
                    .index = outcome.wish.index,
                    .kind = tag,
                    .from = outcome.actor,
                    .to = outcome.wish.target,
                    .amount = outcome.wish.amount})) {
    return true;
  }
  journal.notify(outcome.actor, {.kind = back_torch, .tick = outcome.tick});
  return false;
}

Message answer(const Message& message, News kind, Handle from) {
  return {
      .tick = message.tick, .index = message.index, .kind = kind, .from = from, .to = message.from};
}

}  // namespace

world::Judgement Game::commit(world::Journal& journal, const world::Outcome& outcome,
                              const world::Judgement& judged) const {
  if (judged.reason != CancelReason::None) return judged;  // its input came too late
  constexpr world::Judgement refused{.reason = CancelReason::NotAllowed};
  if (match_time(rules_, outcome.tick).phase != Phase::Match) return refused;
  switch (outcome.wish.kind) {
    case throw_ball:
      return throw_it(journal, outcome.wish) ? world::Judgement{} : refused;
    case tag:
      return pass_torch(journal, outcome) ? world::Judgement{} : refused;
    default:  // a thing: the worker that has it decides
      return journal.send({.tick = outcome.tick,
                           .index = outcome.wish.index,
                           .kind = outcome.wish.kind,
                           .from = outcome.actor,
                           .to = outcome.wish.target})
                 ? world::Judgement{}
                 : refused;
  }
}

void Game::receive(world::Journal& journal, const Message& message, bool returned) const {
  switch (message.kind) {
    case tag:
      return receive_tag(journal, message, returned);
    case take_torch:
    case take_power:
      if (!returned) receive_take(journal, message);
      return;
    case got_torch:
    case back_torch:
      if (returned) return drop_torch(journal, message.tick);  // the runner has left meanwhile
      return give_torch(journal, message);
    case point:
    case boost:
      if (returned) return;
      journal.notify(message.to, {.kind = message.kind, .tick = announced(journal, message.to)});
      return;
    case joins:
    case placed:
      if (returned) return;
      journal.notify(message.to,
                     {.kind = message.kind, .tick = journal.tick(), .amount = message.amount});
      return;
    default:
      return receive_at_standings(journal, message, returned);
  }
}

void Game::receive_tag(world::Journal& journal, const Message& message, bool returned) const {
  if (returned) {  // the target has left
    return give_torch(journal, {.tick = message.tick, .kind = back_torch, .to = message.from});
  }
  const auto state = journal.state(message.to);
  const auto carrier_team = static_cast<std::uint8_t>(message.amount >> 16);
  const bool counts = state && state->as<Runner>().may_be_tagged_by(carrier_team);
  if (!counts || !journal.notify(message.to, {.kind = got_torch,
                                              .tick = announced(journal, message.to),
                                              .other = message.from,
                                              .amount = message.amount & 0xffff})) {
    const bool sent = journal.send(answer(message, back_torch, message.to));
    if (!sent) drop_torch(journal, message.tick);
    return;
  }
  journal.write({message.tick, message.index, tag, message.from, message.to});
  journal.send(answer(message, point, message.to));
}

void Game::receive_take(world::Journal& journal, const Message& message) const {
  // Of two runners in one tick the second one reads that it is gone.
  if (journal.despawn(message.to) != world::SpawnRefusal::None) return;
  const auto kind = static_cast<News>(message.kind);
  journal.write({message.tick, message.index, kind, message.from, message.to});
  // In the taker's own name: the thing is gone.
  const bool sent =
      journal.send(answer(message, kind == take_torch ? got_torch : boost, message.from));
  if (!sent && kind == take_torch) drop_torch(journal, message.tick);
}

void Game::give_torch(world::Journal& journal, const Message& message) const {
  const auto state = journal.state(message.to);
  const bool has_one = state && state->as<Runner>().torch != 0;
  const world::GameEvent event{
      .kind = message.kind, .tick = announced(journal, message.to), .amount = -1};
  if (has_one || !journal.notify(message.to, event)) drop_torch(journal, message.tick);
}

void Game::drop_torch(world::Journal& journal, Tick since) const {
  const MatchTime now = match_time(rules_, journal.tick());
  // Each match has its own torches.
  if (now.phase == Phase::Break || now.match != match_time(rules_, since).match) return;
  journal.spawn({.type = torch_row, .at = level_.points_like("torch.").front().pose});
}

}  // namespace hover_tag
