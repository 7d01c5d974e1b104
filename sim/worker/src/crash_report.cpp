// The crash report that a standby writes about a dead worker's players. It is written before the
// players are stepped here, because a step may crash this worker, too.
#include "perigee/replay/crash_report.hpp"

#include <utility>

#include "failover/promotion.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::worker {
namespace {

using replay::CrashReport;

void add(const PlayerInput& input, CrashReport::Player& out) {
  if (out.inputs.size() < CrashReport::inputs_max) out.inputs.push_back(input);
}

/// Inputs for `next` and later ticks. Works on a copy of the timeline, because take() changes it.
void add_waiting(InputTimeline inputs, Tick next, CrashReport::Player& out) {
  const Tick end = next + static_cast<std::int32_t>(SentInputs::kept_ticks) / 2;
  for (Tick tick = next; before(tick, end); ++tick) {
    const InputTimeline::Use use = inputs.take(tick);
    if (!use.guessed) add(use.input, out);
  }
}

}  // namespace

void Promotion::send_crash_report(WorkerSlot of, const ReplicaState& replica_state,
                                  std::span<const ReplicaPlayer> players, replay::Fate fate) const {
  if (!needs_.outputs.on_crash_report || players.empty()) return;
  CrashReport out{.game = std::string(needs_.game.name()),
                  .schema_hash = world::agreed_schema(needs_.game),
                  .build = {},
                  .cluster_id = replica_state.cluster_id,
                  .slot = of,
                  .incarnation = replica_state.incarnation,
                  .tick = replica_state.tick->tick,
                  .written = needs_.next,
                  .fate = fate,
                  .input_fields = replay::recorded_input_fields(needs_.game.input_layout()),
                  .players = {}};
  for (const ReplicaPlayer& replica : players) {
    if (out.players.size() == CrashReport::players_max) break;
    const Player& player = *replica.player;
    CrashReport::Player& reported = out.players.emplace_back();
    reported.client_id = player.client_id;
    reported.session = player.session;
    reported.avatar = player.identity;
    reported.parent = player.parent;
    reported.state = player.state;
    reported.game = player.game;
    reported.delay_ticks = player.inputs.delay_ticks();
    const Tick next_name = replica.next - reported.delay_ticks;
    if (const auto sent = replica_state.sent.find(player.session);
        sent != replica_state.sent.end()) {
      sent->second.for_each_from(next_name - CrashReport::inputs_back_ticks,
                                 [&](const PlayerInput& input) {
                                   if (before(input.tick, next_name)) add(input, reported);
                                 });
    }
    add_waiting(player.inputs, replica.next, reported);
  }
  needs_.outputs.on_crash_report(std::move(out));
}

}  // namespace perigee::worker
