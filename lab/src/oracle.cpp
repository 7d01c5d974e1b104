#include "perigee/lab/oracle.hpp"

#include <algorithm>

namespace perigee::lab {
namespace {

bool on_static(const client::Client& client) {
  const client::ClientEntity* parent = client.entities().find(client.prediction().parent());
  return parent != nullptr && client.entities().type_of(*parent).kind == world::EntityKind::Static;
}

}  // namespace

// While the worker waits for an input, it reports that, and has no newer state to compare.
PlayerOracle::Totals PlayerOracle::totals_of(const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  return {client.snapshots() - prediction.nothing_newer(), prediction.compared(),
          prediction.replayed_ticks()};
}

void PlayerOracle::before_receive(const client::Client& client) {
  causes_.before_receive(client);
  before_ = present_of(client.prediction());
  totals_before_ = totals_of(client);
}

void PlayerOracle::after_receive(Micros now_us, const client::Client& client) {
  const Totals totals = totals_of(client);
  figures_.words += totals.words - totals_before_.words;
  figures_.compared += totals.compared - totals_before_.compared;
  figures_.replayed_ticks += totals.replayed_ticks - totals_before_.replayed_ticks;
  const Present present = present_of(client.prediction());
  if (!before_.running || !present.running || !(present.next == before_.next)) return;
  if (client.animating()) return;  // not visible to the player
  figures_.parent_jumps += present.parent != before_.parent;
  const Displacement moved = displacement(before_, present, client.entities());
  const double meters = std::max(moved.avatar_m, moved.steered_m);
  if (meters <= client::Prediction::correction_m) return;
  const CauseFound found =
      corrections_.is_another(now_us) ? causes_.find(now_us, moved, client, inputs_) : CauseFound{};
  corrections_.note(now_us, meters, on_static(client), found, figures_);
}

// The client has dropped its records of the former prediction, so no cause can be found. One frame
// shows the whole jump.
void PlayerOracle::note_reset(Micros now_us, const Reset& reset, const client::Client& client) {
  ++figures_.resets;
  if (reset.meters <= client::Prediction::correction_m) return;
  const CauseFound found{now_us, CorrectionCause::Unknown, reset.meters,
                         client.prediction().base_tick()};
  corrections_.note(now_us, reset.meters, on_static(client), found, figures_);
  if (reset.frame_us <= 0) return;
  figures_.roughness_m_s.push_back(reset.meters * 1e6 / static_cast<double>(reset.frame_us));
}

void PlayerOracle::note_shown(Micros now_us, Micros client_us, const client::Client& client) {
  const auto own = client.own(client_us);
  if (!own) return;
  ++figures_.frames;
  const client::Prediction& prediction = client.prediction();
  const client::VehiclePredictor& vehicle = prediction.vehicle();
  figures_.frames_animated += client.animating() || (vehicle.running() && !vehicle.predicted());
  const bool steers = (prediction.state().flags & actor_at_controls) != 0;
  display_.note({.at_us = now_us,
                 .tick = prediction.next() - 1,
                 .part = client.shown_part(client_us),
                 .state = {own->parent, steers, steers ? own->world.position : own->local.position,
                           prediction.reset_epoch()},
                 .smoothing = prediction.smoothing(),
                 .at_view = steers && vehicle.frame() != no_entity});
}

void PlayerOracle::note_predictions(Micros now_us, const client::Prediction& prediction) {
  const client::VehiclePredictor& vehicle = prediction.vehicle();
  Tick tick = first_predicted_.first_new(prediction.next());
  for (; before(tick, prediction.next()); ++tick) {
    const world::StepRecord* record = prediction.record(tick);
    if (record == nullptr) continue;
    inputs_.on_sampled(tick, now_us);
    const bool steers = (record->after.flags & actor_at_controls) != 0;
    const Pose* ship = vehicle.predicted() ? vehicle.first_predicted(tick + 1) : nullptr;
    if (steers && ship == nullptr) continue;  // it is not predicted
    first_predicted_.note(tick + 1, compared_state(*record, ship, prediction.reset_epoch()));
  }
  first_predicted_.seen_before(prediction.next());
}

void PlayerOracle::after_advance(Micros now_us, Micros client_us, const client::Client& client) {
  const double minutes = static_cast<double>(now_us - last_advance_us_) / 60e6;
  last_advance_us_ = now_us;
  if (const auto reset = resets_.on_frame(now_us, client_us, client)) {
    note_reset(now_us, *reset, client);
  }
  if (!client.prediction().running()) return;
  figures_.minutes += minutes;
  note_shown(now_us, client_us, client);
  if (on_static(client)) figures_.minutes_static += minutes;
  note_predictions(now_us, client.prediction());
  drawn_.note(client);
}

void PlayerOracle::note_respawns(const worker::Player& player) {
  if (player.elsewhere) resets_.on_respawn(player.reset_epoch);
}

/// `named`: the client's name for the tick.
void PlayerOracle::note_final(const worker::Core& core, const worker::Player& player,
                              const world::StepRecord& record, Tick named) {
  finals_.claim(named + 1) =
      compared_state(record, parents_.find(record.tick + 1), player.reset_epoch);
  play_.note(record, figures_.play);
  inputs_.note_final(record.tick, record.guessed, figures_.play);
  causes_.note_final(core, player, record, named);
}

void PlayerOracle::compare(const ComparedState& predicted, const ComparedState& became) {
  if (predicted.comparable(became)) {
    figures_.errors_m.push_back(distance(predicted.position, became.position));
  } else if (predicted.reset_epoch == became.reset_epoch) {
    ++figures_.ticks_other_parent;  // otherwise invalidated by a hard reset
  }
}

void PlayerOracle::after_tick(Micros now_us, const worker::Core& core, const worker::Player& player,
                              Tick next) {
  if (const auto parent = core.world().pose(player.parent, next)) parents_.claim(next) = *parent;
  if (const world::StepRecord* run = player.records.find(next - 1)) {
    inputs_.on_tick(next - 1, now_us, run->guessed);
  }
  note_respawns(player);
  const Tick final_now = player.inputs.final_before(next);
  const std::int32_t delay = player.inputs.delay_ticks();  // clients name their ticks earlier
  inputs_.on_delay(delay);
  learn_what_came_late(player.inputs, figures_.causes);
  if (!final_seen_) final_seen_ = final_now;
  for (Tick tick = *final_seen_; before(tick, final_now); ++tick) {
    const world::StepRecord* record = player.records.find(tick);
    if (record == nullptr) continue;
    const Tick named = tick - delay;
    note_final(core, player, *record, named);
    const auto predicted = first_predicted_.take(named + 1);
    if (!predicted) continue;
    attempts_.note(tick, predicted->parent, record->parent, figures_);
    compare(*predicted, *finals_.find(named + 1));
  }
  if (before(*final_seen_, final_now)) final_seen_ = final_now;
  display_.judge(*final_seen_ - delay, finals_, figures_);
}

void PlayerOracle::restart() { figures_ = {}; }

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto index = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return values[static_cast<std::size_t>(index)];
}

}  // namespace perigee::lab
