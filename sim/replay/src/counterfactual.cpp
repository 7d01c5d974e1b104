#include "perigee/replay/counterfactual.hpp"

#include <algorithm>
#include <array>

#include "perigee/world/game.hpp"

namespace perigee::replay {
namespace {

using world::Neighbour;
using world::StepRecord;

const Neighbour* find(const world::Neighbours& neighbours, Handle id) {
  const auto found = std::find_if(neighbours.begin(), neighbours.end(),
                                  [&](const Neighbour& n) { return n.id == id; });
  return found == neighbours.end() ? nullptr : found;
}
Neighbour* find(world::Neighbours& neighbours, Handle id) {
  return const_cast<Neighbour*>(find(std::as_const(neighbours), id));
}

bool same_input(const PlayerInput& a, PlayerInput b) {
  b.tick = a.tick;  // a playout buffer renames it
  return a == b;
}

bool same_frames(const StepRecord& a, const StepRecord& b) {
  return a.parent == b.parent && a.switched_from.has_value() == b.switched_from.has_value() &&
         a.vehicle == b.vehicle;
}

bool same_motion(const world::FrameMotion& a, const world::FrameMotion& b) {
  return a.acceleration == b.acceleration && a.angular_velocity == b.angular_velocity &&
         a.angular_acceleration == b.angular_acceleration && a.inertia == b.inertia &&
         a.gravity.acceleration == b.gravity.acceleration && a.gravity.inside == b.gravity.inside;
}

bool same_place(const Neighbour& a, const Neighbour& b) {
  return a.previous == b.previous && a.pose == b.pose && a.velocity == b.velocity &&
         a.angular_velocity == b.angular_velocity;
}

bool same_hidden(const ActorState& a, const ActorState& b) {
  return a.ground == b.ground && a.flags == b.flags && a.coyote_ticks == b.coyote_ticks &&
         a.jump_ticks == b.jump_ticks && a.grounded_ticks == b.grounded_ticks;
}
void take_hidden(ActorState& to, const ActorState& from) {
  to.ground = from.ground;
  to.flags = from.flags;
  to.coyote_ticks = from.coyote_ticks;
  to.jump_ticks = from.jump_ticks;
  to.grounded_ticks = from.grounded_ticks;
}

/// Includes the cutout of the neighbour's cells, if it has one. A neighbour refers to the cutout by
/// an index within its own record.
void take_neighbour(StepRecord& to, const StepRecord& from, const Neighbour& other) {
  Neighbour* known = find(to.neighbours, other.id);
  std::uint8_t place = known == nullptr ? 0 : known->cutout;
  if (other.cutout != 0) {
    if (place == 0 && to.cutouts.full()) return;
    if (place == 0) {
      to.cutouts.resize(to.cutouts.size() + 1);
      place = static_cast<std::uint8_t>(to.cutouts.size());
    }
    to.cutouts[place - 1U] = from.cutouts[other.cutout - 1U];
  }
  Neighbour taken = other;
  taken.cutout = place;
  if (known != nullptr) {
    *known = taken;
  } else {
    world::insert_by_id(to.neighbours, taken);
  }
}

bool same_cells(const StepRecord& a, const Neighbour& in_a, const StepRecord& b,
                const Neighbour& in_b) {
  if (in_a.cutout == 0 || in_b.cutout == 0) return in_a.cutout == in_b.cutout;
  return !world::first_difference(a.cutouts[in_a.cutout - 1U], b.cutouts[in_b.cutout - 1U]);
}

void take_surroundings(StepRecord& to, const StepRecord& from) {
  to.parent = from.parent;
  to.parent_motion = from.parent_motion;
  to.frame = from.frame;
  to.switched_from = from.switched_from;
  to.vehicle = from.vehicle;
  to.seat = from.seat;
  to.neighbours = from.neighbours;
  to.cutouts = from.cutouts;
}

/// The replacements, one after the other: each is added to the previous ones.
class Inquest {
 public:
  Inquest(const world::GameModule& game, const world::ActorParams& params,
          const Disagreement& between, const Bystanders& bystanders)
      : game_(game),
        params_(params),
        between_(between),
        became_(between.became),
        bystanders_(bystanders),
        what_if_(between.predicted) {}

  Explanation run();

 private:
  struct Question {
    CorrectionCause cause;
    void (Inquest::*replace)();
  };
  void replace_inputs();
  void replace_changes_of_parents();
  void replace_motion_of_parents();
  void replace_announced();
  void replace_unheard();
  void replace_chained();
  void replace_others();
  void replace_hidden() { takes_hidden_ = true; }
  void replace_states() { takes_states_ = true; }

  void add_what_was_out_of_reach();
  template <class Which>
  void replace_neighbours(Which which);
  void differs_at(Tick tick) {
    if (!since_) since_ = tick;
  }
  CorrectionCause of_parent() const;
  void disturb(std::size_t i, ActorState& state, world::GameState& game_state) const;
  ActorState end_of_what_if() const;
  Vec3 seen_from_end(const Vec3& position, Handle parent) const;
  double left_m() const;

  const world::GameModule& game_;
  const world::ActorParams& params_;
  const Disagreement& between_;
  const Chain& became_;
  const Bystanders& bystanders_;
  Chain what_if_;
  bool takes_hidden_ = false;
  bool takes_states_ = false;
  std::optional<Tick> since_;
};

void Inquest::replace_inputs() {
  for (std::size_t i = 0; i < what_if_.size(); ++i) {
    if (same_input(what_if_[i].input, became_[i].input)) continue;
    differs_at(what_if_[i].tick);
    what_if_[i].input = became_[i].input;
    what_if_[i].guessed = became_[i].guessed;
  }
}

void Inquest::replace_changes_of_parents() {
  for (std::size_t i = 0; i < what_if_.size(); ++i) {
    if (same_frames(what_if_[i], became_[i])) continue;
    differs_at(what_if_[i].tick);
    take_surroundings(what_if_[i], became_[i]);
  }
}

// In a frame with another motion, fixed entities are at other places.
void Inquest::replace_motion_of_parents() {
  for (std::size_t i = 0; i < what_if_.size(); ++i) {
    StepRecord& record = what_if_[i];
    if (same_motion(record.frame, became_[i].frame) &&
        record.parent_motion.pose == became_[i].parent_motion.pose) {
      continue;
    }
    differs_at(record.tick);
    record.frame = became_[i].frame;
    record.parent_motion = became_[i].parent_motion;
    record.switched_from = became_[i].switched_from;
    for (Neighbour& neighbour : record.neighbours) {
      const Neighbour* true_one = find(became_[i].neighbours, neighbour.id);
      const bool fast = bystanders_.kind_of(neighbour.id) == ThingKind::Static;
      if (true_one != nullptr && fast) take_neighbour(record, became_[i], *true_one);
    }
  }
}

template <class Which>
void Inquest::replace_neighbours(Which which) {
  for (std::size_t i = 0; i < what_if_.size(); ++i) {
    StepRecord& record = what_if_[i];
    for (const Neighbour& true_one : became_[i].neighbours) {
      const Neighbour* predicted = find(record.neighbours, true_one.id);
      if (!which(true_one, predicted != nullptr)) continue;
      const bool same = predicted != nullptr && same_place(*predicted, true_one) &&
                        same_cells(record, *predicted, became_[i], true_one);
      if (same || (predicted == nullptr && record.neighbours.full())) continue;
      take_neighbour(record, became_[i], true_one);
      differs_at(record.tick);
    }
  }
}

void Inquest::replace_announced() {
  replace_neighbours([&](const Neighbour& n, bool predicted) {
    const bool ground = n.shape->voxels() != nullptr;
    return predicted && (ground || bystanders_.kind_of(n.id) == ThingKind::Timeline);
  });
}

void Inquest::replace_unheard() {
  replace_neighbours([&](const Neighbour& n, bool predicted) {
    const ThingKind kind = bystanders_.kind_of(n.id);
    const bool placed = kind == ThingKind::Static || kind == ThingKind::Timeline;
    return !predicted && (placed || !bystanders_.known(n.id));
  });
}

void Inquest::replace_chained() {
  replace_neighbours(
      [&](const Neighbour& n, bool) { return bystanders_.kind_of(n.id) == ThingKind::Chained; });
}

void Inquest::replace_others() {
  for (std::size_t i = 0; i < what_if_.size(); ++i) {
    differs_at(what_if_[i].tick);
    what_if_[i].neighbours = became_[i].neighbours;
    what_if_[i].cutouts = became_[i].cutouts;
  }
}

// The server gathers neighbours in a larger volume than the client. Neighbours that were out of the
// client's reach must be present once a replacement leads the actor elsewhere.
void Inquest::add_what_was_out_of_reach() {
  for (std::size_t i = 0; i < what_if_.size(); ++i) {
    StepRecord& record = what_if_[i];
    if (!same_frames(record, became_[i])) continue;
    const world::Bounds reach =
        world::reach_of(params_, world::state_at_start(record, record.before));
    for (const Neighbour& true_one : became_[i].neighbours) {
      if (find(record.neighbours, true_one.id) != nullptr) continue;
      const world::Bounds& own = true_one.shape->bounds();
      const world::Bounds swept = world::united(world::transformed(true_one.previous, own),
                                                world::transformed(true_one.pose, own));
      if (!world::overlap(swept, reach)) take_neighbour(record, became_[i], true_one);
    }
  }
}

// Applies those changes of the actor between recorded steps that no step explains.
void Inquest::disturb(std::size_t i, ActorState& state, world::GameState& game_state) const {
  const ActorState& led_to = i == 0 ? between_.predicted[0].before : became_[i - 1].after;
  const ActorState& began_with = became_[i].before;
  if (takes_hidden_) {
    if (!same_hidden(led_to, began_with)) take_hidden(state, began_with);
    const auto& game_led_to =
        i == 0 ? between_.predicted[0].game_before : became_[i - 1].game_after;
    if (game_led_to != became_[i].game_before) game_state = became_[i].game_before;
  }
  if (takes_states_) {
    state.position += began_with.position - led_to.position;
    const Vec3 kick = to_double(began_with.velocity) - to_double(led_to.velocity);
    if (kick != Vec3{}) state.velocity = to_float(to_double(state.velocity) + kick);
  }
}

ActorState Inquest::end_of_what_if() const {
  ActorState state = what_if_.front().before;
  world::GameState game_state = what_if_.front().game_before;
  StepRecord record;
  for (std::size_t i = 0; i < what_if_.size(); ++i) {
    record = what_if_[i];
    disturb(i, state, game_state);
    if (takes_hidden_) record.events = became_[i].events;
    state = world::play_tick(game_, params_, record, state, game_state);
    game_state = record.game_after;
  }
  return state;
}

Vec3 Inquest::seen_from_end(const Vec3& position, Handle parent) const {
  if (parent == between_.parent_at_end) return position;
  const auto from = bystanders_.motion_at_end(parent);
  const auto to = bystanders_.motion_at_end(between_.parent_at_end);
  if (!from || !to) return position;
  return inverse_transform(to->pose, transform(from->pose, position));
}

double Inquest::left_m() const {
  const Vec3 what_if = seen_from_end(end_of_what_if().position, what_if_.back().parent);
  return distance(what_if, became_.back().after.position);
}

CorrectionCause Inquest::of_parent() const {
  const auto changed = std::find_if(what_if_.begin(), what_if_.end(),
                                    [&](const StepRecord& r) { return r.tick == since_; });
  const Handle parent = changed == what_if_.end() ? no_entity : changed->parent;
  switch (bystanders_.kind_of(parent)) {
    case ThingKind::Timeline:
      return CorrectionCause::StaleObject;
    case ThingKind::Chained:
      return CorrectionCause::Constraint;
    default:
      return CorrectionCause::RotatingFrame;
  }
}

Explanation Inquest::run() {
  constexpr std::array questions{
      Question{CorrectionCause::InputLost, &Inquest::replace_inputs},
      Question{CorrectionCause::ParentSwitch, &Inquest::replace_changes_of_parents},
      Question{CorrectionCause::RotatingFrame, &Inquest::replace_motion_of_parents},
      Question{CorrectionCause::StaleObject, &Inquest::replace_announced},
      Question{CorrectionCause::NotStreamed, &Inquest::replace_unheard},
      Question{CorrectionCause::Constraint, &Inquest::replace_chained},
      Question{CorrectionCause::HitAnimatedBody, &Inquest::replace_others},
      Question{CorrectionCause::ControllerState, &Inquest::replace_hidden},
      Question{CorrectionCause::ServerOverride, &Inquest::replace_states},
  };
  Explanation out;
  out.cause = CorrectionCause::Residual;
  out.since = what_if_.front().tick;
  const Vec3 believed = seen_from_end(between_.believed, between_.predicted.back().parent);
  out.error_m = distance(believed, became_.back().after.position);
  add_what_was_out_of_reach();
  out.left_m = left_m();
  // The prediction does not follow from its own record: no replacement is needed.
  if (out.left_m <= explained_left_max * out.error_m) return out;
  for (const Question& question : questions) {
    since_.reset();
    (this->*question.replace)();
    out.left_m = left_m();
    if (out.left_m > explained_left_max * out.error_m) continue;
    out.cause = question.cause;
    out.since = since_.value_or(out.since);
    if (out.cause == CorrectionCause::RotatingFrame) out.cause = of_parent();
    break;
  }
  return out;
}

}  // namespace

Explanation explain(const world::GameModule& game, const world::ActorParams& params,
                    const Disagreement& between, const Bystanders& bystanders) {
  const Chain& a = between.predicted;
  const Chain& b = between.became;
  const auto same_tick = [](const StepRecord& x, const StepRecord& y) { return x.tick == y.tick; };
  if (a.empty() || !std::equal(a.begin(), a.end(), b.begin(), b.end(), same_tick)) return {};
  return Inquest(game, params, between, bystanders).run();
}

}  // namespace perigee::replay
