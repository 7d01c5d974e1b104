#include "perigee/lab/oracle.hpp"

#include <algorithm>

namespace perigee::lab {

bool PlayerOracle::on_static(const client::Client& client) const {
  const client::ClientEntity* parent = client.entities().find(client.prediction().parent());
  return parent != nullptr && client.entities().type_of(*parent).kind == world::EntityKind::Static;
}

void PlayerOracle::before_receive(const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  had_state_ = prediction.running();
  parent_ = prediction.parent();
  state_ = prediction.state();
  next_ = prediction.next();
}

void PlayerOracle::after_receive(Micros now_us, const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  if (!had_state_ || !prediction.running() || !(prediction.next() == next_)) return;
  if (client.animating()) return;  // nobody saw it
  if (prediction.parent() != parent_) {
    ++figures_.parent_jumps;
    return;
  }
  const double meters = distance(prediction.state().position, state_.position);
  if (meters <= client::Prediction::correction_m) return;
  const bool fixed = on_static(client);
  figures_.correction_max_m = std::max(figures_.correction_max_m, meters);
  if (fixed) figures_.correction_static_max_m = std::max(figures_.correction_static_max_m, meters);
  if (now_us - last_correction_us_ >= 250'000) {
    ++figures_.corrections;
    if (fixed) ++figures_.corrections_static;
  }
  last_correction_us_ = now_us;
}

void PlayerOracle::after_advance(Micros now_us, const client::Client& client) {
  const double minutes = static_cast<double>(now_us - last_advance_us_) / 60e6;
  last_advance_us_ = now_us;
  const client::Prediction& prediction = client.prediction();
  if (!prediction.running()) return;
  figures_.minutes += minutes;
  if (on_static(client)) figures_.minutes_static += minutes;
  Tick tick = seen_ ? *seen_ + 1 : prediction.next() - 1;
  for (; before(tick, prediction.next()); ++tick) {
    if (const world::StepRecord* record = prediction.record(tick)) {
      first_predicted_[tick.count + 1] = {record->parent, record->after.position};
    }
  }
  seen_ = prediction.next() - 1;
}

void PlayerOracle::after_tick(const worker::Player& player, Tick next) {
  const Tick final_now = player.inputs.final_before(next);
  if (!final_seen_) final_seen_ = final_now;
  for (Tick tick = *final_seen_; before(tick, final_now); ++tick) {
    const auto predicted = first_predicted_.find(tick.count + 1);
    const world::StepRecord* record = player.records.find(tick);
    if (predicted == first_predicted_.end() || record == nullptr) continue;
    if (predicted->second.parent == record->parent) {
      figures_.errors_m.push_back(distance(predicted->second.position, record->after.position));
    } else {
      ++figures_.ticks_other_parent;
    }
    first_predicted_.erase(predicted);
  }
  if (before(*final_seen_, final_now)) final_seen_ = final_now;
}

void PlayerOracle::restart() { figures_ = {}; }

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto index = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return values[static_cast<std::size_t>(index)];
}

}  // namespace perigee::lab
