/// Prediction of the body that the own avatar steers: dynamic, alone among fixed obstacles, in a
/// rigid-body world of its own. Its cargo is rendered along with it and does not collide with it
/// here. Near a heavy moving body, the steered body is predicted, corrected and rendered relative
/// to that one, its frame. Any motion of the frame carries the steered body along.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "perigee/client/entity_store.hpp"
#include "perigee/client/vehicle_display.hpp"
#include "perigee/world/physics.hpp"
#include "perigee/world/vehicle_control.hpp"

namespace perigee::client {

class VehiclePredictor {
 public:
  static constexpr std::uint32_t history_ticks = 128;
  /// The server simulates moving bodies that the client does not. If the steered body touches more
  /// of them than this, it is rendered at the server's state, until there were fewer for
  /// `crowd_rest_ticks`.
  static constexpr std::size_t crowd = 8;
  static constexpr std::int32_t crowd_rest_ticks = 120;

  VehiclePredictor(const EntityStore& entities, Smoothing smoothing)
      : entities_(entities), display_(entities, smoothing) {}
  ~VehiclePredictor();

  /// One tick of driving `body`, from tick to tick + 1. Starts from the known state if `body` is
  /// another body or `tick` is not the next tick. Does nothing if the body cannot be steered.
  void drive(Handle body, Tick tick, const PlayerInput& input, const ViewPoint& view);
  void let_go();
  /// The body's newest motion is final: later ticks are driven again. Returns the displacement of
  /// the present, in metres.
  double on_final(const OwnSection& own);
  void choose(Smoothing smoothing) { display_.choose(smoothing); }

  bool running() const { return body_ != no_entity; }
  Handle body() const { return body_; }
  Tick next() const { return next_; }
  /// In the world, at the start of next(). All poses that this class returns are in the world.
  Motion motion() const { return in_world(now_, frame_now_); }
  /// The frame of the prediction, and the motion in it. no_entity: the world.
  Handle frame() const { return frame_; }
  const Motion& local() const { return now_; }
  /// The first prediction for the start of a tick, for comparisons.
  const Pose* first_predicted(Tick tick) const { return first_.find(tick); }
  std::uint64_t compared() const { return compared_; }
  /// Number of times that it was rendered at the server's state: too many contacts, joints.
  std::uint64_t times_crowded() const { return times_crowded_; }
  std::uint64_t times_chained() const { return times_chained_; }
  /// It touched a moving entity in the last tick.
  bool touched() const { return touching_ > 0; }
  /// Whether it is rendered at its prediction. False: at the server's state.
  bool predicted() const { return running() && !chained_ && !crowded_; }

  /// Once per frame: blends the remaining corrections, changes of the frame, and switches between
  /// prediction and the server's state. `at`: the view for remote entities.
  void advance_display(double dt_s, double part, const ViewPoint& at) {
    display_.advance(dt_s, at_part(part), at);
  }
  /// The pose to render for a body, `part` of a tick after the last step; none: it is rendered like
  /// any other.
  std::optional<VehicleDisplay::Shown> shown(double part, const ViewPoint& at) const {
    return display_.shown(at_part(part), at);
  }
  /// The body with a display controlled here; includes a while after the player left its controls.
  Handle shown_body() const { return display_.shown_body(); }
  /// A correction of that body is being blended out.
  bool smoothing() const { return display_.smoothing(); }
  Vec3 display_offset(const ViewPoint& at) const { return display_.offset(at); }

 private:
  struct Placed {
    Handle handle = no_entity;
    world::BodyId body = world::no_body;
    bool moves = false;
  };
  bool begin(Handle body, Tick tick);
  void enter();
  void step(Tick tick, const PlayerInput& input);
  void find_surroundings(Tick tick);
  void place_surroundings(Tick tick, const Motion& frame);
  void count_contacts(Tick tick, const ViewPoint& view);
  Handle frame_around(const Motion& own, Tick tick) const;
  Motion frame_motion(Tick tick) const;
  Motion in_world(const Motion& local, const Motion& frame) const;
  Motion in_frame(const Motion& world, const Motion& frame) const;
  bool choose_frame(const Motion& own, Tick tick);
  void enter_frame(Handle frame);
  void leave_forgotten_frame(Tick tick);
  SteeredBody at_part(double part) const;

  const EntityStore& entities_;
  Handle body_ = no_entity;
  const world::EntityType* type_ = nullptr;
  Tick since_;  ///< the first tick at these controls
  Tick next_;
  Handle frame_ = no_entity;
  Motion frame_now_;     ///< of the frame at the start of next_, in the world
  Motion now_, before_;  ///< at the start of next_, and one tick earlier; in the frame
  world::VehicleState state_;
  TickRing<PlayerInput, history_ticks> inputs_;
  TickRing<Pose, history_ticks> first_;
  std::unique_ptr<world::PhysicsWorld> physics_;
  world::BodyId own_ = world::no_body;
  std::vector<Placed> placed_;
  bool chained_ = false;
  bool crowded_ = false;
  std::size_t touching_ = 0;
  Tick crowded_until_;
  std::uint64_t compared_ = 0;
  std::uint64_t times_crowded_ = 0;
  std::uint64_t times_chained_ = 0;
  VehicleDisplay display_;
};

}  // namespace perigee::client
