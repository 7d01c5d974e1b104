// Restores a world from a checkpoint: the content of our regions, at the present tick. The ticks
// since the checkpoint did not happen; motion that depends on the tick alone continues as if they
// had.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "durable.hpp"
#include "observer_state.hpp"
#include "perigee/world/group.hpp"
#include "post.hpp"

namespace perigee::worker {
namespace {

using world::EntityKind;

/// Maximum depth of carriers; games do not build deeper.
constexpr int carriers_max = 8;
/// Gateway slot of restored sessions, larger than that of any gateway.
constexpr GatewaySlot nobodys_gateway = 254;

/// The place that decides where an entity is restored: that of its carrier, or of the bodies that
/// it is hinged to.
class Places {
 public:
  Places(const CutContent& content, std::span<const world::EntityType> types) : types_(types) {
    for (const CutEntity& each : content.entities) by_handle_[each.entity.handle] = &each;
    for (const world::HingeDrive& hinge : content.hinges) tie(hinge.order.a, hinge.order.b);
    for (const CutPlayer& player : content.players) players_[player.avatar] = &player;
  }
  const CutEntity* find(Handle handle) const {
    const auto found = by_handle_.find(handle);
    return found == by_handle_.end() ? nullptr : found->second;
  }
  /// None: the entity's place is unknown.
  std::optional<Vec3> root_of(const CutEntity& each) const {
    const CutEntity* at = &each;
    for (int i = 0; i < carriers_max; ++i) {
      const EntityKind kind = kind_of(*at);
      if (kind == EntityKind::Body) return bodys_place(at->entity.handle);
      const CutEntity* carrier = at->entity.parent == no_entity ? nullptr : find(at->entity.parent);
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
  EntityKind kind_of(const CutEntity& each) const { return types_[each.entity.type].kind; }

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
    const CutEntity* first = find(first_of(handle));
    if (first == nullptr) return std::nullopt;
    return first->motion.pose.position;
  }

  std::span<const world::EntityType> types_;
  std::unordered_map<Handle, const CutEntity*> by_handle_;
  std::unordered_map<Handle, const CutPlayer*> players_;
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
class Core::Durable::Recalling final : public world::Recall {
 public:
  Recalling(Core& core, const CutContent& content) : core_(core) {
    for (const CutPlayer& player : content.players) settled_[player.avatar] = player.settled;
  }
  void recall(const world::JournalEntry& entry) {
    entry_ = &entry;
    core_.game_.recall(*this, entry);
    core_.counts_.add(Count::EntriesRecalled);
  }
  world::GameState* state(Handle actor) override {
    Player* player = core_.find_avatar(actor);
    if (player == nullptr || !before(settled_.at(actor), entry_->tick)) return nullptr;
    return &player->game;
  }
  bool set_cell(Handle handle, std::uint32_t cell, bool solid) override {
    world::VoxelPatch* patch = core_.world_->voxels(handle);
    if (patch == nullptr || cell >= patch->plan().cells()) return false;
    const world::VoxelEdit edit{entry_->tick, entry_->actor, entry_->index, cell, solid};
    if (patch->add(edit)) patch->settle(edit);
    return true;
  }

 private:
  Core& core_;
  const world::JournalEntry* entry_ = nullptr;
  std::unordered_map<Handle, Tick> settled_;
};

bool Core::Durable::awaits_cut() const {
  if (!core_.to_cut || core_.ready()) return false;
  const auto& regions = core_.map_.regions;
  return std::any_of(regions.begin(), regions.end(), [&](const RegionEntry& region) {
    return region.owner == core_.slot_ && region.from_cut && region.born == region.epoch;
  });
}

void Core::Durable::restore(const WholeCut& cut) {
  const Places places(cut.content, core_.game_.types());
  restored_ = core_.next_;
  std::vector<const CutEntity*> mine;
  std::unordered_map<Handle, Vec3> roots;
  for (const CutEntity& each : cut.content.entities) {
    const auto root = places.root_of(each);
    const RegionEntry* region = root ? region_for(core_.map_, *root) : nullptr;
    if (region == nullptr) {
      core_.counts_.add(Count::ThingsNotRestored);
      continue;
    }
    roots[each.entity.handle] = *root;
    if (region->owner == core_.slot_ && region->from_cut) mine.push_back(&each);
  }
  const std::size_t room = core_.settings_.entities_max;
  if (mine.size() > room) {
    core_.counts_.add(Count::ThingsNotRestored, mine.size() - room);
    mine.resize(room);
  }
  enter(cut, mine);
  std::uint32_t number = 0;
  for (const CutPlayer& player : cut.content.players) {
    const world::Entity* avatar = core_.world_->find(player.avatar);
    const auto root = roots.find(player.avatar);
    if (avatar != nullptr) {
      enter_player(player, number++);
    } else if (root != roots.end()) {
      elsewhere_[player.client_id] = root->second;
    }
  }
  for (const CutGround& ground : cut.content.grounds) enter_ground(ground);
  Recalling recalling(core_, cut.content);
  for (const world::JournalEntry& entry : cut.journal) recalling.recall(entry);
  core_.counts_.add(Count::ThingsNotRestored, cut.twice);
}

// If the addressee is not in the checkpoint, the message goes back to its sender.
void Core::Durable::deliver(const WholeCut& cut) {
  const Places places(cut.content, core_.game_.types());
  for (const CutLetter& each : cut.letters) {
    const bool back = each.returned || places.find(each.letter.to) == nullptr;
    const Handle addressee = back ? each.letter.from : each.letter.to;
    const world::Entity* here = core_.world_->find(addressee);
    if (here != nullptr && !here->remote) core_.post_->enter({each.name, each.letter, back});
  }
}

void Core::Durable::enter(const WholeCut& cut, const std::vector<const CutEntity*>& mine) {
  const Tick now = core_.next_;
  std::unordered_map<Handle, const CutEntity*> entering;
  for (const CutEntity* each : mine) entering[each->entity.handle] = each;
  world::GroupPast past{.now = now};
  past.entities.reserve(mine.size());
  for (const CutEntity* each : mine) {
    world::EntityPast made{.entity = each->entity};
    switch (core_.game_.types()[each->entity.type].kind) {
      case EntityKind::Body:
        made.entity.parent = no_entity;
        made.motions = {{now, each->motion}};
        // A body that was created with the checkpoint has not started to fall.
        made.rests = each->motion.rests() && before(each->entity.id.tick() + 1, cut.tick);
        break;
      case EntityKind::Actor:
        // the exact place is in the player's state
        if (!entering.contains(made.entity.parent)) made.entity.parent = no_entity;
        made.traces = {{now, {made.entity.parent, made.entity.local.position, {}}}};
        break;
      case EntityKind::Timeline:
        made.log = each->log.later_by(ticks_between(cut.tick, now));
        break;
      case EntityKind::Static:
        made.entity.parent = no_entity;
        break;
    }
    made.entity.remote = false;
    past.entities.push_back(std::move(made));
  }
  const bool entered = core_.world_->insert(past);
  PERIGEE_ASSERT(entered, "each thing is there once, and the world is empty");
  for (const world::HingeDrive& hinge : cut.content.hinges) {
    const auto [a, b] = std::pair(entering.find(hinge.order.a), entering.find(hinge.order.b));
    if (a == entering.end() || b == entering.end()) continue;
    if (core_.world_->add_hinge(hinge.order)) {
      core_.world_->drive_hinge(hinge.order.a, hinge.order.b, hinge.rad_s);
    }
  }
  core_.counts_.add(Count::ThingsRestored, mine.size());
}

// The player waits as after the loss of its gateway: its client resumes it, or it expires after the
// linger time.
void Core::Durable::enter_player(const CutPlayer& cut, std::uint32_t number) {
  const world::Entity& avatar = *core_.world_->find(cut.avatar);
  const world::EntityType& type = core_.world_->type_of(avatar);
  if (type.kind != EntityKind::Actor) return;
  auto player = std::make_unique<Player>();
  player->session = (nobodys_gateway + 1U) << 24 | std::uint32_t{core_.slot_} << 16 | number;
  player->client_id = cut.client_id;
  player->issue = cut.issue;
  player->lost = true;
  player->avatar = cut.avatar;
  player->identity = avatar.id.bits;
  player->ordinal = cut.ordinal;
  player->respawns = cut.respawns;
  player->params = &type.actor;
  player->inputs = InputTimeline(core_.settings_.inputs);
  player->inputs.use(type.techniques.shared(), core_.next_);
  player->state = cut.state;
  player->game = cut.game;
  player->helm.thrust = cut.thrust;
  player->switch_version = cut.switch_version;
  player->parent = cut.parent;
  const world::Entity* parent = core_.world_->find(cut.parent);
  if (parent == nullptr) {
    player->parent = no_entity;
    player->state.position = cut.place;
  }
  if (parent == nullptr || core_.world_->type_of(*parent).helm.thrust_m_s2 <= 0) {
    player->state.flags &= static_cast<std::uint8_t>(~actor_at_helm);
  }
  // Differs from that of an earlier incarnation.
  player->reset_epoch = static_cast<std::uint8_t>(core_.next_.count);
  player->heard = core_.next_;
  player->claims_checked = core_.next_;
  player->committed = core_.next_;
  player->recorded = core_.next_;
  if (core_.settings_.recorder) {
    player->recorder =
        std::make_unique<replay::FlightRecorder>(core_.game_.types(), *core_.settings_.recorder);
  }
  core_.world_->set_actor(player->avatar, player->parent, player->state, core_.next_);
  const SessionId session = player->session;
  core_.players_.emplace(session, std::move(player));
}

void Core::Durable::enter_ground(const CutGround& ground) {
  world::VoxelPatch* patch = core_.world_->voxels(ground.patch);
  if (patch == nullptr) return;
  for (const CutGround::Chunk& chunk : ground.chunks) {
    if (chunk.chunk < patch->plan().chunks()) {
      patch->replace(chunk.chunk, chunk.version, chunk.bits);
    }
  }
}

bool Core::Durable::restored_lately() const {
  return restored_ && ticks_between(*restored_, core_.next_) <= core_.settings_.silence_ticks_max;
}

const RegionEntry* Core::Durable::region_of(std::uint64_t client_id) const {
  const auto found = elsewhere_.find(client_id);
  const bool known = found != elsewhere_.end() && restored_lately();
  return known ? region_for(core_.map_, found->second) : nullptr;
}

}  // namespace perigee::worker
