#include "perigee/world/watched_game.hpp"

#include <atomic>

namespace perigee::world {
namespace {

constexpr GameCall no_call;
constinit thread_local const GameCall* current = &no_call;

/// Notes one call. The note stays in the caller's frame: a copy would cost more than everything
/// else here. The fences keep the compiler from moving the notes past the call. They generate no
/// instructions.
class Noted {
 public:
  Noted(SlowCalls* slow, const GameCall& call)
      : call_(call),
        before_(current),
        slow_(slow),
        began_us_(slow != nullptr ? slow->now_us() : 0) {
    current = &call_;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Noted() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    current = before_;
    if (slow_ != nullptr) slow_->note(call_, began_us_);
  }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

 private:
  const GameCall call_;
  const GameCall* const before_;
  SlowCalls* const slow_;
  const Micros began_us_;
};

GameCall about(const char* function, const Outcome& outcome) {
  return {function, outcome.tick, outcome.identity, outcome.actor};
}

}  // namespace

const GameCall& game_call() noexcept { return *current; }

void WatchedGame::populate(World& world, const Bounds& region, std::uint32_t spawner) const {
  const Noted noted(slow_, {.function = "populate"});
  game_.populate(world, region, spawner);
}
void WatchedGame::drive(World& world, Tick tick) const {
  const Noted noted(slow_, {.function = "drive", .tick = tick});
  game_.drive(world, tick);
}
bool WatchedGame::spawns_players(const World& world, const Bounds& region) const {
  const Noted noted(slow_, {.function = "spawns_players"});
  return game_.spawns_players(world, region);
}
ActorSpawn WatchedGame::spawn_state(const World& world, const Bounds& region,
                                    std::uint32_t ordinal) const {
  const Noted noted(slow_, {.function = "spawn_state"});
  return game_.spawn_state(world, region, ordinal);
}
UseOutcome WatchedGame::accept_use(const World& world, const UseAttempt& attempt) const {
  const Noted noted(slow_, {.function = "accept_use", .tick = attempt.at, .entity = attempt.actor});
  return game_.accept_use(world, attempt);
}
void WatchedGame::step(ActorContext& context, GameState& state) const {
  const Noted noted(slow_,
                    {.function = "step", .tick = context.tick(), .avatar = context.identity()});
  game_.step(context, state);
}
void WatchedGame::after_motion(ActorContext& context, GameState& state) const {
  const Noted noted(
      slow_, {.function = "after_motion", .tick = context.tick(), .avatar = context.identity()});
  game_.after_motion(context, state);
}
void WatchedGame::apply_event(const GameEvent& event, GameState& state) const {
  const Noted noted(slow_, {.function = "apply_event", .tick = event.tick});
  game_.apply_event(event, state);
}
double WatchedGame::cue_reach_m(std::uint8_t effect) const {
  const Noted noted(slow_, {.function = "cue_reach_m"});
  return game_.cue_reach_m(effect);
}
std::uint8_t WatchedGame::hit_effect(std::uint8_t kind) const {
  const Noted noted(slow_, {.function = "hit_effect"});
  return game_.hit_effect(kind);
}
Judgement WatchedGame::judge(const DrawnScene& scene, const Outcome& outcome) const {
  const Noted noted(slow_, about("judge", outcome));
  return game_.judge(scene, outcome);
}
Judgement WatchedGame::commit(Journal& journal, const Outcome& outcome,
                              const Judgement& judged) const {
  const Noted noted(slow_, about("commit", outcome));
  return game_.commit(journal, outcome, judged);
}
void WatchedGame::receive(Journal& journal, const Message& message, bool returned) const {
  const Noted noted(slow_, {.function = "receive",
                            .tick = message.tick,
                            .entity = returned ? message.from : message.to});
  game_.receive(journal, message, returned);
}
void WatchedGame::on_join(Journal& journal, const Participant& participant) const {
  const Noted noted(slow_,
                    {.function = "on_join", .tick = participant.tick, .entity = participant.actor});
  game_.on_join(journal, participant);
}
void WatchedGame::on_leave(Journal& journal, const Participant& participant) const {
  const Noted noted(
      slow_, {.function = "on_leave", .tick = participant.tick, .entity = participant.actor});
  game_.on_leave(journal, participant);
}
void WatchedGame::on_message(Journal& journal, const Participant& participant,
                             std::span<const std::byte> message) const {
  const Noted noted(
      slow_, {.function = "on_message", .tick = participant.tick, .entity = participant.actor});
  game_.on_message(journal, participant, message);
}
void WatchedGame::think(ThinkContext& context) const {
  const Noted noted(slow_, {.function = "think", .tick = context.tick()});
  game_.think(context);
}
PlayerInput WatchedGame::drive_npc(const NpcView& view) const {
  const Noted noted(
      slow_,
      {.function = "drive_npc", .tick = view.tick, .avatar = view.identity, .entity = view.actor});
  return game_.drive_npc(view);
}
void WatchedGame::recall(Recall& recall, const JournalEntry& entry) const {
  const Noted noted(slow_, {.function = "recall", .tick = entry.tick, .entity = entry.actor});
  game_.recall(recall, entry);
}

}  // namespace perigee::world
