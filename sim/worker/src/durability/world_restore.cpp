#include "durability/world_restore.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "outcomes/mailbox.hpp"
#include "perigee/base/kept_tick.hpp"
#include "perigee/replication/observer.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {
namespace {

using world::EntityKind;

/// Maximum depth of carriers; games do not build deeper.
constexpr int carriers_max = 8;
/// Gateway slot of restored sessions, larger than that of any gateway.
constexpr GatewaySlot nobodys_gateway{gateways_max};

/// The place that decides where an entity is restored: that of its carrier, or of the bodies that
/// it is hinged to.
class Places {
 public:
  Places(const CheckpointContent& content, std::span<const world::EntityType> types)
      : types_(types) {
    for (const CheckpointEntity& each : content.entities) by_handle_[each.entity.handle] = &each;
    for (const world::HingeDrive& hinge : content.hinges) tie(hinge.order.a, hinge.order.b);
    for (const CheckpointPlayer& player : content.players) players_[player.avatar] = &player;
  }
  const CheckpointEntity* find(Handle handle) const {
    const auto found = by_handle_.find(handle);
    return found == by_handle_.end() ? nullptr : found->second;
  }
  /// None: the entity's place is unknown.
  std::optional<Vec3> root_of(const CheckpointEntity& each) const {
    const CheckpointEntity* at = &each;
    for (int i = 0; i < carriers_max; ++i) {
      const EntityKind kind = kind_of(*at);
      if (kind == EntityKind::Body) return bodys_place(at->entity.handle);
      const CheckpointEntity* carrier =
          at->entity.parent == no_entity ? nullptr : find(at->entity.parent);
      if (kind == EntityKind::Actor && carrier == nullptr) {
        const auto player = players_.find(at->entity.handle);
        if (player == players_.end()) return std::nullopt;
        return player->second->place;
      }
      if (at->entity.parent == no_entity) return at->entity.local.position;
      if (carrier == nullptr) return std::nullopt;
      at = carrier;
    }
    return std::nullopt;
  }
  EntityKind kind_of(const CheckpointEntity& each) const { return types_[each.entity.type].kind; }

 private:
  // Hinged bodies are represented by the lowest handle among them.
  Handle first_of(Handle handle) const {
    for (auto at = tied_.find(handle); at != tied_.end(); at = tied_.find(handle)) {
      handle = at->second;
    }
    return handle;
  }
  void tie(Handle a, Handle b) {
    const Handle of_a = first_of(a);
    const Handle of_b = first_of(b);
    if (of_a != of_b) tied_[std::max(of_a, of_b)] = std::min(of_a, of_b);
  }
  std::optional<Vec3> bodys_place(Handle handle) const {
    const CheckpointEntity* first = find(first_of(handle));
    if (first == nullptr) return std::nullopt;
    return first->motion.pose.position;
  }

  std::span<const world::EntityType> types_;
  std::unordered_map<Handle, const CheckpointEntity*> by_handle_;
  std::unordered_map<Handle, const CheckpointPlayer*> players_;
  std::unordered_map<Handle, Handle> tied_;
};

/// Outside of the world, the nearest region counts.
const RegionEntry* region_for(const ClusterMap& map, const Vec3& place) {
  if (const RegionEntry* at = map.region_at(place)) return at;
  const auto nearest = std::min_element(map.regions.begin(), map.regions.end(),
                                        [&](const RegionEntry& a, const RegionEntry& b) {
                                          return replication::distance_to({a.low, a.high}, place) <
                                                 replication::distance_to({b.low, b.high}, place);
                                        });
  return nearest == map.regions.end() ? nullptr : &*nearest;
}

}  // namespace

/// The restored players, while entries of the journal are applied to them again.
class WorldRestore::Recalling final : public world::Recall {
 public:
  Recalling(const Needs& needs, const CheckpointContent& content) : needs_(needs) {
    for (const CheckpointPlayer& player : content.players) settled_[player.avatar] = player.settled;
    for (const CheckpointEntity& each : content.entities) {
      if (needs_.world.state(each.entity.handle) != nullptr) {
        settled_[each.entity.handle] = each.settled;
      }
    }
  }
  void recall(const world::JournalEntry& entry) {
    entry_ = &entry;
    needs_.game.recall(*this, entry);
    needs_.counts.add(metric.entries_recalled);
  }
  world::GameState* state(Handle actor) override {
    Player* player = needs_.players.find_avatar(actor);
    if (player == nullptr || !before(settled_.at(actor), entry_->tick)) return nullptr;
    return &player->game;
  }
  std::optional<world::GameState> thing_state(Handle thing) const override {
    const world::ThingState* state = needs_.world.state(thing);
    const auto settled = settled_.find(thing);
    if (state == nullptr || settled == settled_.end()) return std::nullopt;
    return before(settled->second, entry_->tick) ? std::optional(state->value) : std::nullopt;
  }
  bool set_thing_state(Handle thing, const world::GameState& state) override {
    return thing_state(thing) && needs_.world.set_state(thing, state);
  }
  bool set_cell(Handle handle, std::uint32_t cell, bool solid) override {
    world::VoxelPatch* patch = needs_.world.voxels(handle);
    if (patch == nullptr || cell >= patch->plan().cells()) return false;
    const world::VoxelEdit edit{entry_->tick, entry_->actor, entry_->index, cell, solid};
    if (patch->add(edit)) patch->settle(edit);
    return true;
  }

 private:
  const Needs& needs_;
  const world::JournalEntry* entry_ = nullptr;
  std::unordered_map<Handle, Tick> settled_;
};

bool waits_for_checkpoint(const ClusterView& cluster) {
  const auto& regions = cluster.map().regions;
  return std::any_of(regions.begin(), regions.end(), [&](const RegionEntry& region) {
    return cluster.owns(region) && region.from_checkpoint && region.created_epoch == region.epoch;
  });
}

void WorldRestore::restore(const WholeCheckpoint& checkpoint) {
  const Places places(checkpoint.content, needs_.game.types());
  restored_ = needs_.next;
  std::vector<const CheckpointEntity*> mine;
  std::unordered_map<Handle, Vec3> roots;
  for (const CheckpointEntity& each : checkpoint.content.entities) {
    const auto root = places.root_of(each);
    const RegionEntry* region = root ? region_for(needs_.cluster.map(), *root) : nullptr;
    if (region == nullptr) {
      needs_.counts.add(metric.things_not_restored);
      continue;
    }
    roots[each.entity.handle] = *root;
    if (needs_.cluster.owns(*region) && region->from_checkpoint) mine.push_back(&each);
  }
  const std::size_t room = needs_.settings.entities_max;
  if (mine.size() > room) {
    needs_.counts.add(metric.things_not_restored, mine.size() - room);
    mine.resize(room);
  }
  enter(checkpoint, mine);
  std::uint32_t number = 0;
  for (const CheckpointPlayer& player : checkpoint.content.players) {
    const world::Entity* avatar = needs_.world.find(player.avatar);
    const auto root = roots.find(player.avatar);
    if (avatar != nullptr) {
      enter_player(player, number++);
    } else if (root != roots.end()) {
      elsewhere_[player.client_id] = root->second;
    }
  }
  for (const CheckpointGround& ground : checkpoint.content.grounds) enter_ground(ground);
  Recalling recalling(needs_, checkpoint.content);
  for (const world::JournalEntry& entry : checkpoint.journal) recalling.recall(entry);
  needs_.counts.add(metric.things_not_restored, checkpoint.twice);
}

void WorldRestore::deliver(const WholeCheckpoint& checkpoint, Mailbox& mailbox) const {
  const Places places(checkpoint.content, needs_.game.types());
  for (const CheckpointMessage& each : checkpoint.messages) {
    const bool back = each.returned || places.find(each.message.to) == nullptr;
    const Handle addressee = back ? each.message.from : each.message.to;
    const world::Entity* here = needs_.world.find(addressee);
    if (here != nullptr && !here->remote) mailbox.enter({each.name, each.message, back});
  }
}

void WorldRestore::enter(const WholeCheckpoint& checkpoint,
                         const std::vector<const CheckpointEntity*>& mine) {
  const Tick now = needs_.next;
  std::unordered_map<Handle, const CheckpointEntity*> entering;
  for (const CheckpointEntity* each : mine) entering[each->entity.handle] = each;
  world::GroupPast past{.now = now};
  past.entities.reserve(mine.size());
  for (const CheckpointEntity* each : mine) {
    world::EntityPast made{.entity = each->entity};
    switch (needs_.game.types()[each->entity.type].kind) {
      case EntityKind::Body:
        made.entity.parent = no_entity;
        made.motions = {{now, each->motion}};
        // A body that was created with the checkpoint has not started to fall.
        made.rests = each->motion.rests() && before(each->entity.id.tick() + 1, checkpoint.tick);
        break;
      case EntityKind::Actor:
        // the exact place is in the player's state
        if (!entering.contains(made.entity.parent)) made.entity.parent = no_entity;
        made.traces = {{now, {made.entity.parent, made.entity.local.position, {}}}};
        break;
      case EntityKind::Timeline:
        made.log = each->log.later_by(ticks_between(checkpoint.tick, now));
        break;
      case EntityKind::Static:
        made.entity.parent = no_entity;
        break;
    }
    made.entity.remote = false;
    made.state = each->state;
    past.entities.push_back(std::move(made));
  }
  const bool entered = needs_.world.insert(past);
  PERIGEE_ASSERT(entered, "restored entities must be unique, and the world empty");
  // Workers that are still alive may have told their players newer states.
  for (const CheckpointEntity* each : mine) {
    needs_.world.outdate_lost_changes(std::array{each->entity.handle});
  }
  for (const world::HingeDrive& hinge : checkpoint.content.hinges) {
    const auto [a, b] = std::pair(entering.find(hinge.order.a), entering.find(hinge.order.b));
    if (a == entering.end() || b == entering.end()) continue;
    if (needs_.world.add_hinge(hinge.order)) {
      needs_.world.drive_hinge(hinge.order.a, hinge.order.b, hinge.rad_s);
    }
  }
  needs_.counts.add(metric.things_restored, mine.size());
}

// The player waits as after the loss of its gateway: its client resumes it, or it expires after the
// linger time.
void WorldRestore::enter_player(const CheckpointPlayer& checkpoint, std::uint32_t number) {
  const world::Entity& avatar = *needs_.world.find(checkpoint.avatar);
  const world::EntityType& type = needs_.world.type_of(avatar);
  if (type.kind != EntityKind::Actor) return;
  auto player = std::make_unique<Player>();
  // Of the low 32 bits, those of generation and client slot: this worker, and a player's number.
  player->session =
      make_session(nobodys_gateway, 0, 0) | SessionId{needs_.cluster.self().number} << 16 | number;
  if (is_npc_client(checkpoint.client_id)) player->session = npc_session(checkpoint.avatar);
  player->client_id = checkpoint.client_id;
  player->issue = checkpoint.issue;
  player->account = checkpoint.account;
  player->lost = true;
  player->avatar = checkpoint.avatar;
  player->identity = avatar.id.bits;
  player->ordinal = checkpoint.ordinal;
  player->respawns = checkpoint.respawns;
  player->params = &type.actor;
  player->inputs = InputTimeline(needs_.settings.inputs);
  player->inputs.use(type.techniques.shared(), needs_.next);
  player->state = checkpoint.state;
  player->game = checkpoint.game;
  player->vehicle.thrust = checkpoint.thrust;
  player->switch_version = checkpoint.switch_version;
  player->parent = checkpoint.parent;
  const world::Entity* parent = needs_.world.find(checkpoint.parent);
  if (parent == nullptr) {
    player->parent = no_entity;
    player->state.position = checkpoint.place;
  }
  if (parent == nullptr || needs_.world.type_of(*parent).vehicle.thrust_m_s2 <= 0) {
    player->state.flags &= static_cast<std::uint8_t>(~actor_at_controls);
  }
  // Differs from that of an earlier incarnation.
  player->reset_epoch = static_cast<std::uint8_t>(needs_.next.count);
  player->received = needs_.next;
  player->claims_checked = needs_.next;
  player->committed = needs_.next;
  player->recorded = needs_.next;
  player->lateness = LateAllowance(needs_.settings.late_ticks_max);
  if (needs_.settings.recorder && !player->npc()) {
    player->recorder =
        std::make_unique<replay::FlightRecorder>(needs_.game.types(), *needs_.settings.recorder);
  }
  needs_.world.set_actor(player->avatar, player->parent, player->state, needs_.next);
  needs_.players.add(std::move(player));
}

void WorldRestore::enter_ground(const CheckpointGround& ground) {
  world::VoxelPatch* patch = needs_.world.voxels(ground.patch);
  if (patch == nullptr) return;
  for (const CheckpointGround::Chunk& chunk : ground.chunks) {
    if (chunk.chunk < patch->plan().chunks()) {
      patch->replace(chunk.chunk, chunk.version, chunk.bits);
    }
  }
}

bool WorldRestore::lately() const {
  return restored_ && ticks_between(*restored_, needs_.next) <= needs_.settings.silence_ticks_max;
}

const RegionEntry* WorldRestore::region_of(std::uint64_t client_id) const {
  const auto found = elsewhere_.find(client_id);
  const bool known = found != elsewhere_.end() && lately();
  return known ? region_for(needs_.cluster.map(), found->second) : nullptr;
}

void WorldRestore::keep_ticks() {
  if (restored_) move_along(*restored_, needs_.next);
}

}  // namespace perigee::worker
