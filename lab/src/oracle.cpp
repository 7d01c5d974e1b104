#include "perigee/lab/oracle.hpp"

#include <algorithm>

namespace perigee::lab {
namespace {

// While the worker waits for an input it says so, and has no newer state to compare.
std::uint64_t words_of(const client::Client& client) {
  return client.snapshots() - client.prediction().nothing_newer();
}

}  // namespace

PlayerFigures& PlayerFigures::operator+=(const PlayerFigures& more) {
  for (const auto count :
       {&PlayerFigures::corrections, &PlayerFigures::resets, &PlayerFigures::corrections_static,
        &PlayerFigures::parent_jumps, &PlayerFigures::frames, &PlayerFigures::frames_animated,
        &PlayerFigures::ticks_other_parent, &PlayerFigures::words, &PlayerFigures::compared,
        &PlayerFigures::replayed_ticks, &PlayerFigures::attempts, &PlayerFigures::attempts_wrong}) {
    this->*count += more.*count;
  }
  for (const auto time : {&PlayerFigures::minutes, &PlayerFigures::minutes_static}) {
    this->*time += more.*time;
  }
  for (const auto largest :
       {&PlayerFigures::correction_max_m, &PlayerFigures::correction_static_max_m}) {
    this->*largest = std::max(this->*largest, more.*largest);
  }
  unapplied_us_max = std::max(unapplied_us_max, more.unapplied_us_max);
  for (const auto samples :
       {&PlayerFigures::errors_m, &PlayerFigures::corrections_m, &PlayerFigures::shown_errors_m,
        &PlayerFigures::roughness_m_s, &PlayerFigures::switch_roughness_m_s}) {
    (this->*samples).insert((this->*samples).end(), (more.*samples).begin(), (more.*samples).end());
  }
  for (std::size_t i = 0; i < reported_causes.size(); ++i)
    reported_causes[i] += more.reported_causes[i];
  causes.insert(causes.end(), more.causes.begin(), more.causes.end());
  play += more.play;
  return *this;
}

bool PlayerOracle::on_static(const client::Client& client) const {
  const client::ClientEntity* parent = client.entities().find(client.prediction().parent());
  return parent != nullptr && client.entities().type_of(*parent).kind == world::EntityKind::Static;
}

void PlayerOracle::before_receive(const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  attribution_.before_receive(client);
  had_state_ = prediction.running();
  parent_ = prediction.parent();
  state_ = prediction.state();
  next_ = prediction.next();
  steered_ = prediction.vehicle().predicted() ? prediction.vehicle().body() : no_entity;
  steered_frame_ = prediction.vehicle().frame();
  steered_at_ = prediction.vehicle().local().pose.position;
  words_ = words_of(client);
  compared_ = prediction.compared();
  replayed_ticks_ = prediction.replayed_ticks();
}

// Displacement of the present in its parent's frame. If the parent changed, of the position
// displayed before.
PlayerOracle::Displacement PlayerOracle::displacement(const client::Client& client) const {
  const client::Prediction& prediction = client.prediction();
  ActorState before = state_;
  if (prediction.parent() != parent_) {
    const auto from = client.entities().motion_at(parent_, next_);
    const auto to = client.entities().motion_at(prediction.parent(), next_);
    if (!from || !to) return {};
    before = world::re_express(before, *from, *to);
  }
  Displacement out{.avatar_m = distance(prediction.state().position, before.position)};
  const client::VehiclePredictor& vehicle = prediction.vehicle();
  if (steered_ == no_entity || !vehicle.predicted() || vehicle.body() != steered_) return out;
  Vec3 at = steered_at_;
  if (vehicle.frame() != steered_frame_) {
    const auto from = client.entities().motion_at(steered_frame_, vehicle.next());
    const auto to = client.entities().motion_at(vehicle.frame(), vehicle.next());
    if (!from || !to) return out;
    at = inverse_transform(to->pose, transform(from->pose, at));
  }
  out.steered_m = distance(vehicle.local().pose.position, at);
  return out;
}

// Even on a path without loss and delay its tick would have been final: the path is not the cause.
bool PlayerOracle::sampled_too_late(Tick input) const {
  const Micros* sampled_us = sampled_us_.find(input);
  const Consumed* consumed = consumed_.find(input + delay_ticks_);
  return sampled_us != nullptr && consumed != nullptr &&
         *sampled_us + way_us_ > consumed->at_us + window_us_;
}

// Vehicles are not stepped by records: the cause may be the input, or a collision.
CorrectionCause PlayerOracle::cause_of_steered(const client::Client& client) const {
  const client::Prediction& prediction = client.prediction();
  for (Tick t = prediction.base_tick() - 1; before(t, prediction.next()); ++t) {
    const Consumed* consumed = consumed_.find(t + delay_ticks_);
    if (consumed != nullptr && consumed->guessed) return CorrectionCause::InputLate;
  }
  return prediction.vehicle().touched() ? CorrectionCause::HitAnimatedBody
                                        : CorrectionCause::Residual;
}

CauseFound PlayerOracle::find_cause(Micros now_us, const Displacement& moved,
                                    const client::Client& client) const {
  if (moved.steered_m > moved.avatar_m) {
    return {now_us, cause_of_steered(client), moved.steered_m, client.prediction().base_tick()};
  }
  const replay::Explanation found = attribution_.explain(*game_, client);
  const bool stood_still =
      found.cause == CorrectionCause::InputLost && sampled_too_late(found.since);
  return {now_us, stood_still ? CorrectionCause::ClockStep : found.cause, moved.avatar_m,
          found.since};
}

// A missed input counts as lost until it arrives.
void PlayerOracle::learn_what_came_late(const worker::Player& player) {
  constexpr std::size_t recent = 8;
  auto& causes = figures_.causes;
  for (std::size_t i = causes.size() - std::min(causes.size(), recent); i < causes.size(); ++i) {
    if (causes[i].cause != CorrectionCause::InputLost) continue;
    if (player.inputs.came_too_late(causes[i].since)) causes[i].cause = CorrectionCause::InputLate;
  }
}

void PlayerOracle::after_receive(Micros now_us, const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  figures_.words += words_of(client) - words_;
  figures_.compared += prediction.compared() - compared_;
  figures_.replayed_ticks += prediction.replayed_ticks() - replayed_ticks_;
  if (!had_state_ || !prediction.running() || !(prediction.next() == next_)) return;
  if (client.animating()) return;  // not visible to the player
  figures_.parent_jumps += prediction.parent() != parent_;
  const Displacement moved = displacement(client);
  const double meters = std::max(moved.avatar_m, moved.steered_m);
  if (meters <= client::Prediction::correction_m) return;
  const bool another = is_another_correction(now_us);
  note_correction(now_us, meters, on_static(client),
                  another ? find_cause(now_us, moved, client) : CauseFound{});
}

bool PlayerOracle::is_another_correction(Micros now_us) const {
  return now_us - last_correction_us_ >= 250'000;
}

void PlayerOracle::note_correction(Micros now_us, double meters, bool fixed,
                                   const CauseFound& found) {
  figures_.correction_max_m = std::max(figures_.correction_max_m, meters);
  if (fixed) figures_.correction_static_max_m = std::max(figures_.correction_static_max_m, meters);
  if (is_another_correction(now_us)) {
    ++figures_.corrections;
    if (fixed) ++figures_.corrections_static;
    figures_.corrections_m.push_back(meters);
    figures_.causes.push_back(found);
  } else if (!figures_.corrections_m.empty()) {
    figures_.corrections_m.back() = std::max(figures_.corrections_m.back(), meters);
  }
  last_correction_us_ = now_us;
}

// The client has dropped its records of the former prediction, so no cause can be found. One frame
// shows the whole jump.
void PlayerOracle::note_reset(Micros now_us, const Reset& reset, const client::Client& client) {
  ++figures_.resets;
  if (reset.meters <= client::Prediction::correction_m) return;
  const CauseFound found{now_us, CorrectionCause::Unknown, reset.meters,
                         client.prediction().base_tick()};
  note_correction(now_us, reset.meters, on_static(client), found);
  if (reset.frame_us <= 0) return;
  figures_.roughness_m_s.push_back(reset.meters * 1e6 / static_cast<double>(reset.frame_us));
}

void PlayerOracle::note_shown(Micros now_us, Micros client_us, const client::Client& client) {
  constexpr std::size_t frames_max = 1024;
  const auto own = client.own(client_us);
  if (!own) return;
  ++figures_.frames;
  const client::VehiclePredictor& vehicle = client.prediction().vehicle();
  figures_.frames_animated += client.animating() || (vehicle.running() && !vehicle.predicted());
  if (own->parent != shown_parent_) switching_ = true;
  shown_parent_ = own->parent;
  switching_ = switching_ && client.prediction().smoothing();
  const bool steers = (client.prediction().state().flags & actor_at_controls) != 0;
  // Relative to a frame displayed at V it is intentionally not at the server's position.
  if (steers && vehicle.frame() != no_entity) return;
  if (shown_.size() == frames_max) shown_.pop_front();
  shown_.push_back({now_us,
                    client.prediction().next() - 1,
                    client.shown_part(client_us),
                    {own->parent, steers, steers ? own->world.position : own->local.position,
                     client.prediction().reset_epoch()},
                    switching_});
}

void PlayerOracle::judge(const Shown& shown) {
  frames_of_blend_ = shown.switching ? 3 : std::max(frames_of_blend_ - 1, 0);
  const State* from = finals_.find(shown.tick);
  const State* to = finals_.find(shown.tick + 1);
  if (from == nullptr || to == nullptr || !from->comparable(shown.state) ||
      !to->comparable(shown.state)) {
    deviation_.reset();
    return;
  }
  Deviation now{shown.at_us,
                shown.state,
                shown.state.position - lerp(from->position, to->position, shown.part),
                {}};
  figures_.shown_errors_m.push_back(length(now.meters));
  if (deviation_ && deviation_->of.comparable(shown.state) && now.at_us > deviation_->at_us) {
    const double dt_s = static_cast<double>(now.at_us - deviation_->at_us) * 1e-6;
    now.meters_per_s = (now.meters - deviation_->meters) / dt_s;
    if (deviation_->meters_per_s) {
      auto& samples = frames_of_blend_ > 0 ? figures_.switch_roughness_m_s : figures_.roughness_m_s;
      samples.push_back(length(*now.meters_per_s - *deviation_->meters_per_s));
    }
  }
  deviation_ = now;
}

void PlayerOracle::after_advance(Micros now_us, Micros client_us, const client::Client& client) {
  const double minutes = static_cast<double>(now_us - last_advance_us_) / 60e6;
  last_advance_us_ = now_us;
  if (const auto reset = resets_.on_frame(now_us, client_us, client)) {
    note_reset(now_us, *reset, client);
  }
  const client::Prediction& prediction = client.prediction();
  if (!prediction.running()) return;
  figures_.minutes += minutes;
  note_shown(now_us, client_us, client);
  if (on_static(client)) figures_.minutes_static += minutes;
  Tick tick = seen_ ? *seen_ + 1 : prediction.next() - 1;
  for (; before(tick, prediction.next()); ++tick) {
    const world::StepRecord* record = prediction.record(tick);
    if (record == nullptr) continue;
    sampled_us_.claim(tick) = now_us;
    const client::VehiclePredictor& vehicle = prediction.vehicle();
    const bool steers = (record->after.flags & actor_at_controls) != 0;
    const Pose* ship = vehicle.predicted() ? vehicle.first_predicted(tick + 1) : nullptr;
    if (steers && ship == nullptr) continue;  // it is not predicted
    first_predicted_[tick.count + 1] = state_of(*record, ship, prediction.reset_epoch());
  }
  seen_ = prediction.next() - 1;
}

PlayerOracle::State PlayerOracle::state_of(const world::StepRecord& record, const Pose* ship,
                                           std::uint8_t reset_epoch) {
  State out{record.parent, false, record.after.position, reset_epoch};
  if ((record.after.flags & actor_at_controls) != 0 && ship != nullptr) {
    out.steers = true;
    out.position = transform(*ship, out.position);
  }
  return out;
}

void PlayerOracle::note_final(const world::StepRecord& record, std::uint8_t reset_epoch,
                              std::int32_t delay_ticks) {
  const Tick named = record.tick - delay_ticks;
  finals_.claim(named + 1) = state_of(record, parents_.find(record.tick + 1), reset_epoch);
  play_.note(record, figures_.play);
  const Consumed* consumed = consumed_.find(record.tick);
  if (record.guessed || consumed == nullptr) return;
  figures_.play.late += consumed->guessed;
  const Micros* sampled_us = sampled_us_.find(named);
  if (sampled_us == nullptr) return;
  figures_.play.input_delays_ms.push_back(static_cast<double>(consumed->at_us - *sampled_us) *
                                          1e-3);
}

// One attempt, whichever side changed first; counted as wrong at most once.
void PlayerOracle::note_attempt(Tick tick, Handle predicted, Handle became) {
  const bool differs = predicted != became;
  const bool changed = final_parent_ && *final_parent_ != became;
  const bool another = !attempt_ || before(*attempt_ + attempt_ticks, tick);
  if ((changed || differs) && another) {
    ++figures_.attempts;
    attempt_ = tick;
    attempt_wrong_ = false;
  }
  if (differs && !attempt_wrong_) {
    ++figures_.attempts_wrong;
    attempt_wrong_ = true;
  }
  final_parent_ = became;
}

void PlayerOracle::after_tick(Micros now_us, const worker::Core& core, const worker::Player& player,
                              Tick next) {
  if (const auto parent = core.world().pose(player.parent, next)) parents_.claim(next) = *parent;
  if (const world::StepRecord* run = player.records.find(next - 1)) {
    consumed_.claim(next - 1) = {now_us, run->guessed};
  }
  if (player.reset_epoch != reset_epoch_ && respawns_) resets_.on_respawn(player.reset_epoch);
  reset_epoch_ = player.reset_epoch;
  respawns_ = player.respawns;
  const Tick final_now = player.inputs.final_before(next);
  const std::int32_t delay = player.inputs.delay_ticks();  // clients name their ticks earlier
  delay_ticks_ = delay;
  learn_what_came_late(player);
  if (!final_seen_) final_seen_ = final_now;
  for (Tick tick = *final_seen_; before(tick, final_now); ++tick) {
    const Tick named = tick + 1 - delay;
    const auto predicted = first_predicted_.find(named.count);
    const world::StepRecord* record = player.records.find(tick);
    if (record != nullptr) {
      note_final(*record, player.reset_epoch, delay);
      attribution_.note_final(core, player, *record, tick - delay);
    }
    if (predicted == first_predicted_.end() || record == nullptr) continue;
    const State& became = *finals_.find(named);
    note_attempt(tick, predicted->second.parent, record->parent);
    if (predicted->second.comparable(became)) {
      figures_.errors_m.push_back(distance(predicted->second.position, became.position));
    } else if (predicted->second.reset_epoch == player.reset_epoch) {
      ++figures_.ticks_other_parent;  // otherwise invalidated by a hard reset
    }
    first_predicted_.erase(predicted);
  }
  if (before(*final_seen_, final_now)) final_seen_ = final_now;
  while (!shown_.empty() && before(shown_.front().tick, *final_seen_ - delay)) {
    judge(shown_.front());
    shown_.pop_front();
  }
}

void PlayerOracle::restart() { figures_ = {}; }

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto index = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return values[static_cast<std::size_t>(index)];
}

}  // namespace perigee::lab
