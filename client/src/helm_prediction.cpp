#include "perigee/client/helm_prediction.hpp"

#include <algorithm>

#include "perigee/netcode/smoother.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {
namespace {

constexpr std::uint32_t bodies_hint = 64;
constexpr std::size_t placed_max = 128;
constexpr double surroundings_m = 40;  // what is this near may be hit before the next look
constexpr double touch_m = 0.1;
constexpr double turn_fade_s = 0.15;

Motion motion_of(const world::BodyState& state) {
  Motion out;
  out.pose = state.pose;
  out.velocity = state.velocity;
  out.angular_velocity = state.angular_velocity;
  return out;
}

}  // namespace

HelmPrediction::~HelmPrediction() = default;

bool HelmPrediction::begin(Handle body, Tick tick) {
  let_go();
  const ClientEntity* entity = entities_.find(body);
  if (entity == nullptr) return false;
  const world::EntityType& type = entities_.type_of(*entity);
  const auto motion = entities_.motion_at(body, tick);
  if (type.kind != world::EntityKind::Body || type.helm.thrust_m_s2 <= 0 || !motion) return false;
  body_ = body;
  type_ = &type;
  since_ = next_ = tick;
  now_ = before_ = *motion;
  state_ = {};
  physics_ = world::make_bullet_world(bodies_hint);
  enter();
  return true;
}

// As it is now, and without memory of what it touched in a future that is void.
void HelmPrediction::enter() {
  if (own_ != world::no_body) physics_->remove_body(own_);
  own_ = physics_->add_body({.owner = body_,
                             .shape = type_->shape,
                             .mass_kg = type_->mass_kg,
                             .friction = type_->friction,
                             .pose = now_.pose,
                             .velocity = now_.velocity,
                             .angular_velocity = now_.angular_velocity});
}

void HelmPrediction::let_go() {
  body_ = no_entity;
  placed_.clear();
  physics_.reset();
  own_ = world::no_body;
  inputs_.clear();
  first_.clear();
  chained_ = crowded_ = false;
  touching_ = 0;
}

void HelmPrediction::drive(Handle body, Tick tick, const PlayerInput& input,
                           const ViewPoint& view) {
  if ((body != body_ || tick != next_) && !begin(body, tick)) return;
  find_surroundings(tick);
  inputs_.claim(tick) = input;
  step(tick, input);
  next_ = tick + 1;
  first_.claim(next_) = now_.pose;
  count_contacts(tick, view);
}

// As the worker does it: the drive, what is moved by hand at the tick's end, one step.
void HelmPrediction::step(Tick tick, const PlayerInput& input) {
  const world::HelmDrive drive = world::steer(type_->helm, input, now_, state_);
  before_ = now_;
  physics_->set_velocity(own_, drive.velocity, drive.angular_velocity);
  place_surroundings(tick + 1);
  physics_->step(seconds_per_tick);
  now_ = motion_of(physics_->state(own_));
}

// Statics, doors of what stands, and large bodies whose full motion is known. What is only sampled
// would be hit where it is not.
void HelmPrediction::find_surroundings(Tick tick) {
  const world::Bounds near =
      world::inflated(world::transformed(now_.pose, type_->shape->bounds()), surroundings_m);
  std::erase_if(placed_, [&](const Placed& placed) {
    if (entities_.motion_at(placed.handle, tick)) return false;
    physics_->remove_body(placed.body);
    return true;
  });
  for (const auto& entity : entities_.all()) {
    const world::EntityType& type = entities_.type_of(*entity);
    if (entity->handle == body_ || type.shape == nullptr || placed_.size() == placed_max) continue;
    const auto at = entities_.motion_at(entity->handle, tick);
    if (!at || !world::overlap(near, world::transformed(at->pose, type.shape->bounds()))) continue;
    const bool known = std::any_of(placed_.begin(), placed_.end(), [&](const Placed& placed) {
      return placed.handle == entity->handle;
    });
    if (known) continue;
    const bool moves = type.kind != world::EntityKind::Static;
    placed_.push_back(
        {entity->handle,
         physics_->add_body({.owner = entity->handle,
                             .shape = type.shape,
                             .mode = moves ? world::BodyMode::Animated : world::BodyMode::Static,
                             .friction = type.friction,
                             .pose = at->pose}),
         moves});
  }
}

void HelmPrediction::place_surroundings(Tick tick) {
  for (const Placed& placed : placed_) {
    if (!placed.moves) continue;
    if (const auto at = entities_.motion_at(placed.handle, tick)) {
      physics_->set_state(placed.body, {at->pose, {}, {}});
    }
  }
}

// What the server moves and we do not, if it touches the body: here or where both were drawn.
void HelmPrediction::count_contacts(Tick tick, const ViewPoint& view) {
  touching_ = 0;
  const ViewPoint at = view.remote();
  const auto own = entities_.drawn_world(body_, at);
  const world::Bounds hull = world::inflated(type_->shape->bounds(), touch_m);
  for (const auto& entity : entities_.all()) {
    const world::EntityType& type = entities_.type_of(*entity);
    if (type.kind != world::EntityKind::Body || entity->handle == body_ || !own) continue;
    const EntityStore::Viewer viewer{body_, {}, now_.pose.position};
    if (entities_.surely_beyond(*entity, viewer, type_->shape->reach_m())) continue;
    const auto other = entities_.drawn_world(entity->handle, at);
    if (!other) continue;
    const Pose seen = relative(*own, *other);
    touching_ += world::overlap(world::transformed(seen, type.shape->bounds()), hull);
  }
  if (touching_ > crowd) {
    times_crowded_ += !crowded_;
    crowded_ = true;
    crowded_until_ = tick + crowd_rest_ticks;
  } else if (crowded_ && before(crowded_until_, tick)) {
    crowded_ = false;
  }
}

double HelmPrediction::on_final(const OwnSection& own) {
  const ClientEntity* entity = entities_.find(body_);
  if (entity == nullptr || !entity->has_motion || own.helm == HelmWord::None) return 0;
  const Tick tick = entity->motion_tick;
  if (!before(tick, next_)) return 0;
  const bool chained = own.helm == HelmWord::Chained;
  times_chained_ += chained && !chained_;
  chained_ = chained;
  ++compared_;
  const Motion old = now_;
  const Motion old_before = before_;
  const bool since = before(tick, since_);
  const Tick from = since ? since_ : tick;
  now_ = *entities_.motion_at(body_, from);
  state_ = since ? world::HelmState{} : world::HelmState{own.helm_thrust};
  before_ = now_;
  enter();
  for (Tick t = from; before(t, next_); ++t) {
    const PlayerInput* input = inputs_.find(t);
    step(t, input != nullptr ? *input : PlayerInput{});
  }
  if (from == next_) before_ = old_before;
  const Vec3 error = old.pose.position - now_.pose.position;
  if (predicted() && shown_body_ == body_) {
    smoother_.add_error(error);
    turn_ = normalized(turn_ * old.pose.rotation * conjugate(now_.pose.rotation));
  }
  return predicted() ? length(error) : 0;
}

Pose HelmPrediction::predicted_pose(double part) const {
  part = std::clamp(part, 0.0, 1.0);
  return {lerp(before_.pose.position, now_.pose.position, part),
          slerp(before_.pose.rotation, now_.pose.rotation, part)};
}

void HelmPrediction::advance_display(double dt_s, double part, const std::optional<Pose>& seen) {
  if (running() && shown_body_ != body_) {
    shown_body_ = body_;
    showed_prediction_ = false;
    smoother_.clear();
    turn_ = {};
    shown_ = seen.value_or(predicted_pose(part));
  }
  if (shown_body_ == no_entity) return;
  const bool predicts = predicted();
  if (!predicts && !seen) {
    shown_body_ = no_entity;
    return;
  }
  const Pose base = predicts ? predicted_pose(part) : *seen;
  if (predicts != showed_prediction_) {
    const Vec3 error = shown_.position - (base.position + smoother_.offset());
    smoother_.add_error(error, parent_switch_seconds(length(error)));
    turn_ = normalized(shown_.rotation * conjugate(base.rotation));
    showed_prediction_ = predicts;
  }
  smoother_.advance(dt_s, base.position);
  turn_ = slerp(turn_, Quat{}, std::min(dt_s / turn_fade_s, 1.0));
  shown_ = {base.position + smoother_.offset(), normalized(turn_ * base.rotation)};
  if (!running() && !smoother_.active()) shown_body_ = no_entity;
}

std::optional<HelmPrediction::Shown> HelmPrediction::shown(double part,
                                                           const std::optional<Pose>& seen) const {
  if (shown_body_ == no_entity) return std::nullopt;
  if (!showed_prediction_ && !seen) return std::nullopt;
  const Pose base = showed_prediction_ && running() ? predicted_pose(part) : seen.value_or(shown_);
  return Shown{shown_body_,
               {base.position + smoother_.offset(), normalized(turn_ * base.rotation)}};
}

}  // namespace perigee::client
