#include "perigee/lab/reset_meter.hpp"

#include <algorithm>
#include <utility>

namespace perigee::lab {
namespace {

// An avatar is expected to coast for at most this long, even after a longer outage.
constexpr Micros coasting_us_max = 250'000;

std::optional<Pose> drawn_frame(const client::Client& client, Handle frame, Micros client_us) {
  if (frame == no_entity) return Pose{};
  return client.entities().drawn_world(frame, client.view(client_us));
}

}  // namespace

// While the avatar steers, the ship is measured, since the pilot does not move in the ship's frame.
std::optional<ResetMeter::Shown> ResetMeter::shown(Micros now_us, Micros client_us,
                                                   const client::Client& client) {
  const client::Prediction& prediction = client.prediction();
  if (!prediction.running() || prediction.record(prediction.next() - 1) == nullptr) return {};
  const auto own = client.own(client_us);
  if (!own) return {};
  Shown out{.at_us = now_us,
            .next = prediction.next(),
            .reset_epoch = prediction.reset_epoch(),
            .frame = own->parent,
            .position = own->local.position,
            .velocity = to_double(prediction.state().velocity),
            .world = own->world.position};
  const client::VehiclePredictor& vehicle = prediction.vehicle();
  if (!vehicle.predicted()) return out;
  if (const auto frame = drawn_frame(client, vehicle.frame(), client_us)) {
    out.frame = vehicle.frame();
    out.position = inverse_transform(*frame, out.world);
    out.velocity = vehicle.local().velocity;
  }
  return out;
}

bool ResetMeter::goes_on(const Shown& from, const Shown& to, const client::Client& client) {
  return from.reset_epoch == to.reset_epoch && !before(to.next, from.next) &&
         client.prediction().record(from.next - 1) != nullptr;
}

std::optional<Reset> ResetMeter::on_frame(Micros now_us, Micros client_us,
                                          const client::Client& client) {
  const Micros frame_us = now_us - std::exchange(last_frame_us_, now_us);
  const std::optional<Shown> now = shown(now_us, client_us, client);
  if (!now) return {};
  const std::optional<Shown> last = std::exchange(last_, now);
  if (!last || goes_on(*last, *now, client)) return {};
  if (last->reset_epoch != now->reset_epoch && respawned_ == now->reset_epoch) return {};
  const double coasted_s =
      static_cast<double>(std::min(now_us - last->at_us, coasting_us_max)) * 1e-6;
  const auto frame = drawn_frame(client, last->frame, client_us);
  if (!frame) return Reset{distance(now->world, last->world), frame_us};
  const Vec3 at = inverse_transform(*frame, now->world);
  return Reset{distance(at, last->position + last->velocity * coasted_s), frame_us};
}

}  // namespace perigee::lab
