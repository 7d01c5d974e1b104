/// A table of entities for tests of the world's components, without a World.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "perigee/world/entity_motions.hpp"
#include "perigee/world/entity_table.hpp"

namespace perigee::world {

struct Records {
  enum Row : TypeId { ground, box, door, wheel, walker };

  std::vector<EntityType> types = rows();
  Tick now{1000};
  WorldSetup setup{
      .types = types, .handle_base = 100, .handle_count = 100, .limits = {.entities_max = 64}};
  EntityTable table{setup};
  EntityMotions motions{table, now};
  std::uint32_t ordinal = 0;

  /// Statics 20 m wide with gravity, crates, doors that slide by 2 m, wheels that turn for ever,
  /// and actors.
  static std::vector<EntityType> rows() {
    std::vector<EntityType> out(5);
    out[ground] = {.kind = EntityKind::Static,
                   .shape = make_shape({{.center = {0, -0.5, 0}, .half = {10, 0.5, 10}}}),
                   .parent_eligible = true,
                   .gravity = {{0, -9.81, 0}, {{-10, -1, -10}, {10, 50, 10}}}};
    out[box] = {
        .kind = EntityKind::Body, .shape = make_shape({{.half = {0.5, 0.5, 0.5}}}), .mass_kg = 100};
    out[door] = {.kind = EntityKind::Timeline,
                 .shape = make_shape({{.half = {0.1, 1, 1}}}),
                 .travel = {.slide = {0, 0, 2}}};
    out[wheel] = {.kind = EntityKind::Timeline,
                  .shape = make_shape({{.half = {1, 0.1, 0.1}}}),
                  .travel = {.axis = {0, 1, 0}, .turn_rad = 2 * pi, .ticks = 120, .endless = true}};
    out[walker] = {.kind = EntityKind::Actor, .shape = actor_shape({})};
    for (TypeId i = 0; i < out.size(); ++i) out[i].id = i;
    return out;
  }

  std::unique_ptr<EntityRecord> make(TypeId type, const Vec3& at, Handle parent = no_entity) {
    auto made = std::make_unique<EntityRecord>();
    made->type = &types[type];
    made->entity = {.id = make_entity_id(1, Tick{}, ordinal++),
                    .handle = table.grant_handle(),
                    .type = type,
                    .parent = parent,
                    .local = {at, {}}};
    made->start.pose = made->entity.local;
    if (type == box) {
      made->motions = std::make_unique<EntityRecord::Motions>();
      made->motions->claim(now) = made->start;
    }
    if (type == walker) {
      made->traces = std::make_unique<ActorTraces>();
      made->traces->claim(now) = {parent, at, {}};
      made->drawn = std::make_unique<ActorTraces>(*made->traces);
      made->traced_at = now;
    }
    return made;
  }
  EntityRecord& add(TypeId type, const Vec3& at, Handle parent = no_entity) {
    return table.add(make(type, at, parent));
  }
  static Handle handle(const EntityRecord& record) { return record.entity.handle; }
};

}  // namespace perigee::world
