#include "perigee/bots/shown_errors.hpp"

namespace perigee::bots {

void ShownErrors::judge(const client::Client& client, const Shown& shown) {
  const client::Prediction& prediction = client.prediction();
  if (shown.reset_epoch != prediction.reset_epoch() || meters_.size() == samples_max) return;
  const world::StepRecord* from = prediction.record(shown.tick - 1);
  const world::StepRecord* to = prediction.record(shown.tick);
  if (from == nullptr || to == nullptr || from->parent != shown.parent ||
      to->parent != shown.parent) {
    return;
  }
  const Vec3 was = lerp(from->after.position, to->after.position, shown.part);
  meters_.push_back(static_cast<float>(distance(shown.position, was)));
}

void ShownErrors::on_frame(const client::Client& client, Micros now_us) {
  const auto& final_tick = client.final_tick();
  if (!final_tick || !client.playing()) return shown_.clear();
  while (!shown_.empty() && before(shown_[0].tick, *final_tick)) {
    judge(client, shown_[0]);
    shown_.erase(0);
  }
  if (++frames_ % every_frames != 0 || shown_.full()) return;
  const auto own = client.own(now_us);
  if (!own) return;
  shown_.push_back({client.prediction().next() - 1, client.shown_part(now_us), own->parent,
                    own->local.position, client.prediction().reset_epoch()});
}

}  // namespace perigee::bots
