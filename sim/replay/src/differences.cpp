// Names the fields in which the two sides differ.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "perigee/replay/rerun.hpp"

namespace perigee::replay {
namespace {

using world::StepRecord;

/// A text with as few digits as identify the number. std::to_chars() would add 100 kB of tables to
/// a WebAssembly module.
std::string text_of(double value) {
  std::array<char, 40> room{};
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(room.data(), room.size(), "%.*g", digits, value);
    if (std::strtod(room.data(), nullptr) == value) break;
  }
  return room.data();
}
std::string text_of(const Vec3& v) {
  return "(" + text_of(v.x) + ", " + text_of(v.y) + ", " + text_of(v.z) + ")";
}
std::string text_of(const Vec3f& v) { return text_of(to_double(v)); }
std::string text_of(const Quat& q) {
  return "(" + text_of(q.x) + ", " + text_of(q.y) + ", " + text_of(q.z) + ", " + text_of(q.w) + ")";
}
std::string text_of(bool value) { return value ? "yes" : "no"; }
template <std::integral Whole>
  requires(!std::same_as<Whole, bool>)
std::string text_of(Whole value) {
  return std::to_string(value);
}
template <class Enum>
  requires std::is_enum_v<Enum>
std::string text_of(Enum value) {
  return std::to_string(static_cast<int>(value));
}

/// Collects differences, in the order in which the fields are compared.
class Comparison {
 public:
  template <class T>
  Comparison& field(const std::string& name, const T& client, const T& worker) {
    if (!(client == worker)) found_.push_back({name, text_of(client), text_of(worker)});
    return *this;
  }
  Comparison& pose(const std::string& name, const Pose& client, const Pose& worker) {
    return field(name + ".position", client.position, worker.position)
        .field(name + ".rotation", client.rotation, worker.rotation);
  }
  Comparison& gravity(const std::string& name, const world::GravityBox& client,
                      const world::GravityBox& worker) {
    return field(name + ".acceleration", client.acceleration, worker.acceleration)
        .field(name + ".inside.low", client.inside.low, worker.inside.low)
        .field(name + ".inside.high", client.inside.high, worker.inside.high);
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  std::vector<Difference> found_;
};

void compare_inputs(Comparison& out, const PlayerInput& client, const PlayerInput& worker,
                    const RecordedInputFields& fields) {
  out.field("input.right", int{client.right}, int{worker.right})
      .field("input.up", int{client.up}, int{worker.up})
      .field("input.forward", int{client.forward}, int{worker.forward})
      .field("input.yaw", client.yaw, worker.yaw)
      .field("input.pitch", client.pitch, worker.pitch)
      .field("input.held", client.held, worker.held)
      .field("input.pressed", pressed_mask(client), pressed_mask(worker))
      .field("input.samples", client.samples.size(), worker.samples.size());
  for (const RecordedInputField& each : fields) {
    out.field("input." + each.name, each.value_in(client.own), each.value_in(worker.own));
  }
}

// A difference by rounding does not count.
void compare_states(Comparison& out, const std::string& name, const ActorState& client,
                    const ActorState& worker) {
  if (distance(client.position, worker.position) > parted_m) {
    out.field(name + ".position", client.position, worker.position);
  }
  if (distance(to_double(client.velocity), to_double(worker.velocity)) > parted_m) {
    out.field(name + ".velocity", client.velocity, worker.velocity);
  }
  out.field(name + ".ground", client.ground, worker.ground)
      .field(name + ".flags", client.flags, worker.flags)
      .field(name + ".coyote_ticks", client.coyote_ticks, worker.coyote_ticks)
      .field(name + ".jump_ticks", client.jump_ticks, worker.jump_ticks)
      .field(name + ".grounded_ticks", client.grounded_ticks, worker.grounded_ticks);
}

void compare_cells(Comparison& out, const std::string& name, const world::VoxelCutout& client,
                   const world::VoxelCutout& worker) {
  const auto other = world::first_difference(client, worker);
  if (!other) return;
  out.field(name + ".cell(" + text_of(other->x) + ", " + text_of(other->y) + ", " +
                text_of(other->z) + ")",
            client.solid(*other), worker.solid(*other));
}

// The worker gathers in a larger volume. Neighbours that only the worker has are compared last.
void compare_neighbours(Comparison& out, const StepRecord& client, const StepRecord& worker) {
  const auto in_client = [&](Handle id) {
    return std::find_if(client.neighbours.begin(), client.neighbours.end(),
                        [&](const world::Neighbour& n) { return n.id == id; });
  };
  const auto name_of = [](Handle id) { return "neighbour " + std::to_string(id); };
  for (const world::Neighbour& w : worker.neighbours) {
    const auto* c = in_client(w.id);
    if (c == client.neighbours.end()) continue;
    out.pose(name_of(w.id) + ".previous", c->previous, w.previous)
        .pose(name_of(w.id) + ".pose", c->pose, w.pose);
    if (c->cutout == 0 || w.cutout == 0) continue;
    compare_cells(out, name_of(w.id), client.cutouts[c->cutout - 1U],
                  worker.cutouts[w.cutout - 1U]);
  }
  for (const world::Neighbour& w : worker.neighbours) {
    out.field(name_of(w.id) + " is there", in_client(w.id) != client.neighbours.end(), true);
  }
}

void compare_params(Comparison& out, const std::string& name, const world::ActorParams& c,
                    const world::ActorParams& w) {
  using Params = world::ActorParams;
  struct Row {
    const char* name;
    double Params::* value;
  };
  constexpr std::array rows{Row{"radius_m", &Params::radius_m},
                            Row{"height_m", &Params::height_m},
                            Row{"mass_kg", &Params::mass_kg},
                            Row{"walk_m_s", &Params::walk_m_s},
                            Row{"run_m_s", &Params::run_m_s},
                            Row{"ground_acceleration_m_s2", &Params::ground_acceleration_m_s2},
                            Row{"air_acceleration_m_s2", &Params::air_acceleration_m_s2},
                            Row{"jump_m_s", &Params::jump_m_s},
                            Row{"step_up_m", &Params::step_up_m},
                            Row{"slope_cosine_min", &Params::slope_cosine_min},
                            Row{"snap_m", &Params::snap_m},
                            Row{"jetpack_m_s2", &Params::jetpack_m_s2},
                            Row{"jetpack_speed_max_m_s", &Params::jetpack_speed_max_m_s},
                            Row{"damper_m_s2", &Params::damper_m_s2},
                            Row{"fall_speed_max_m_s", &Params::fall_speed_max_m_s},
                            Row{"push_m_s", &Params::push_m_s}};
  for (const Row& row : rows) out.field(name + "." + row.name, c.*row.value, w.*row.value);
  out.field(name + ".coyote_ticks", c.coyote_ticks, w.coyote_ticks)
      .field(name + ".jump_ticks", c.jump_ticks, w.jump_ticks);
}

}  // namespace

std::vector<Difference> differing_tunables(const Recording& client, const Recording& worker) {
  Comparison out;
  out.field("number of types", client.types.size(), worker.types.size());
  for (std::size_t i = 0; i < std::min(client.types.size(), worker.types.size()); ++i) {
    const RecordedType& c = client.types[i];
    const RecordedType& w = worker.types[i];
    const std::string name = "type '" + w.name + "'";
    out.field(name + ".kind", c.kind, w.kind).field(name + ".inertia", c.inertia, w.inertia);
    out.gravity(name + ".gravity", c.gravity, w.gravity);
    compare_params(out, name + ".actor", c.actor, w.actor);
    out.field(name + ".boxes", c.shape->boxes().size(), w.shape->boxes().size());
    const auto mesh_of = [](const RecordedType& type) {
      return type.shape->mesh() ? type.shape->mesh()->hash() : 0;
    };
    out.field(name + ".mesh", mesh_of(c), mesh_of(w));
    const auto field_of = [](const RecordedType& type) {
      return type.shape->heightfield() ? type.shape->heightfield()->hash() : 0;
    };
    out.field(name + ".heightfield", field_of(c), field_of(w));
    const auto hulls_of = [](const RecordedType& type) {
      StateHash hash;
      for (const world::HullPtr& hull : type.shape->hulls()) hash.add(hull->hash());
      return hash.value();
    };
    out.field(name + ".hulls", hulls_of(c), hulls_of(w));
    out.field(name + ".bounds.low", c.shape->bounds().low, w.shape->bounds().low)
        .field(name + ".bounds.high", c.shape->bounds().high, w.shape->bounds().high);
  }
  return out.take();
}

std::optional<Difference> first_difference(const StepRecord& client, const StepRecord& worker,
                                           const RecordedInputFields& fields) {
  Comparison out;
  compare_states(out, "before", client.before, worker.before);
  out.field("parent", client.parent, worker.parent)
      .field("parent changed", client.switched_from.has_value(), worker.switched_from.has_value())
      .field("vehicle", client.vehicle, worker.vehicle);
  compare_inputs(out, client.input, worker.input, fields);
  out.gravity("frame.gravity", client.frame.gravity, worker.frame.gravity)
      .field("frame.acceleration", client.frame.acceleration, worker.frame.acceleration)
      .field("frame.angular_velocity", client.frame.angular_velocity, worker.frame.angular_velocity)
      .field("frame.angular_acceleration", client.frame.angular_acceleration,
             worker.frame.angular_acceleration)
      .field("frame.inertia", client.frame.inertia, worker.frame.inertia);
  out.field("events", client.events.size(), worker.events.size());
  compare_neighbours(out, client, worker);
  const auto found = out.take();
  return found.empty() ? std::nullopt : std::optional(found.front());
}

}  // namespace perigee::replay
