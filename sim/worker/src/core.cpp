#include "perigee/worker/core.hpp"

#include <algorithm>
#include <utility>

#include "buddies.hpp"
#include "durable.hpp"
#include "flights.hpp"
#include "ghosts.hpp"
#include "given_away.hpp"
#include "handoffs.hpp"
#include "observer_state.hpp"
#include "perigee/netcode/kept_tick.hpp"
#include "perigee/worker/told_log.hpp"
#include "post.hpp"
#include "rewinds.hpp"
#include "sights.hpp"
#include "whereabouts.hpp"

namespace perigee::worker {
namespace {

/// Limits of one world: handles have 32 bits and an incarnation's block 20, so there are 2^12
/// blocks. Spawners have 20 bits, so the 256th map that creates regions of one incarnation reuses
/// the spawner of the first.
constexpr std::uint32_t lives_max = 1U << 12;

}  // namespace

Core::Core(const Settings& settings, const world::GameModule& game, WorkerSlot slot,
           FabricBatch::Send send)
    : settings_(settings),
      game_(game),
      slot_(slot),
      fabric_(FabricSender::Worker, std::move(send)),
      durable_(std::make_unique<Durable>(*this)),
      rewinds_(std::make_unique<Rewinds>(*this)),
      flights_(std::make_unique<Flights>(*this)),
      publisher_(settings.replication, settings.entities_max),
      journal_(settings.journal_entries_max) {
  avatars_.reserve(settings.players_max);
  const auto types = world::check(game.types());
  PERIGEE_ASSERT(types.ok(), types.error().message.c_str());
  committing_.reserve(settings.players_max * world::cues_max);
  publisher_.was_at = [this](Handle handle, Tick tick) -> std::optional<replication::Whereabouts> {
    const world::Entity* entity = world_->find(handle);
    const auto motion = world_->motion(handle, tick);
    if (entity == nullptr || !motion) return std::nullopt;
    const world::EntityType& type = world_->type_of(*entity);
    return replication::Whereabouts{transformed(motion->pose, type.shape->bounds()),
                                    rests(type.kind, *motion)};
  };
  publisher_.news_of = [this](Handle object, const auto& tell) {
    const Player* player = avatar_player(object);
    if (player != nullptr && !player->told_game.empty()) {
      tell(GameStateEvent{object, player->told_game});
    }
    const world::TimelineLog* log = world_->timeline(object);
    if (log == nullptr) return;
    if (log->size() == 0 && log->last_version() != 0) {
      // All announced changes are finished and dropped; the version tells that none is missing.
      const std::int32_t ticks = world_->type_of(*world_->find(object)).travel.ticks;
      const Tick done = next_ - std::max(ticks, world::timeline_look_back_ticks);
      tell(TimelineEvent{object, done, log->base_goal(), log->last_version()});
    }
    const ToldLog told = log_to_tell(*world_->find(object));
    for (std::size_t i = told.first; i < log->size(); ++i) {
      const world::TimelineChange& change = (*log)[i];
      tell(TimelineEvent{change.object, change.effect, change.goal, change.version});
    }
  };
}

Core::~Core() = default;

void Core::on_stored(std::uint64_t number, Journalled became) {
  durable_->on_stored(number, became);
}
std::size_t Core::outcomes_waiting() const { return durable_->waiting(); }
void Core::idle(Tick now) { durable_->idle(now); }
bool Core::awaits_cut() const { return durable_->awaits_cut(); }

void Core::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  PeerKind kind{};
  if (!reader.enumerator(kind, PeerKind::last)) return drop(Count::DropMalformed);
  const auto rest = bytes.subspan(reader.position());
  if (!handoffs_) {
    if (kind == PeerKind::WhoHas && to_peer) Whereabouts::answer_without_world(*this, from, rest);
    return;
  }
  switch (kind) {
    case PeerKind::Handoff:
      return handoffs_->on_peer(from, rest);
    case PeerKind::Ghosts:
      return ghosts_->on_news(from, rest);
    case PeerKind::GhostsAgain:
      return ghosts_->on_again(from, rest);
    case PeerKind::WhoHas:
      return whereabouts_->on_question(from, rest);
    case PeerKind::Has:
      return whereabouts_->on_answer(from, rest);
    case PeerKind::ReplicaPart:
    case PeerKind::Replica:
      return buddies_->on_words(from, rest, kind == PeerKind::Replica);
    case PeerKind::ReplicaAnswer:
      return buddies_->on_answer(from, rest);
    case PeerKind::Post:
      return post_->on_word(from, rest);
    case PeerKind::Look:
      return sights_->on_look(from, rest);
    case PeerKind::Seen:
      return sights_->on_seen(from, rest);
  }
}

void Core::on_link_lost(WorkerSlot with) {
  if (buddies_) buddies_->on_link_lost(with);
}

const Bequest* Core::bequest_of(std::uint32_t life) const {
  const WorkerEntry* self = map_.worker(slot_);
  const auto found = std::find_if(map_.bequests.begin(), map_.bequests.end(), [&](const auto& b) {
    return self != nullptr && b.handle_base / self->handle_count == life;
  });
  return found == map_.bequests.end() ? nullptr : &*found;
}

/// Whether a message comes from another worker that is alive in the map.
bool Core::of_our_world(WorkerSlot from, std::uint32_t life, std::uint32_t incarnation) const {
  return of_our_world(from, incarnation) && map_.worker(from)->life == life;
}
bool Core::of_our_world(WorkerSlot from, std::uint32_t incarnation) const {
  const WorkerEntry* peer = map_.worker(from);
  return peer != nullptr && peer->alive && from != slot_ && incarnation == map_.incarnation;
}

const RegionEntry* Core::own_region() const {
  for (const RegionEntry& region : map_.regions) {
    if (region.owner == slot_) return &region;
  }
  return nullptr;
}

void Core::on_map(const ClusterMap& map, Tick start) {
  if (map.incarnation == map_.incarnation && map.version < map_.version) return;
  map_ = map;
  fabric_.identify(map_.incarnation, slot_);
  durable_->on_map();
  const WorkerEntry* self = map_.worker(slot_);
  if (self == nullptr || (!ready() && own_region() == nullptr) || awaits_cut()) return;
  if (!ready()) make_world(*self, start);
  begin();
}

void Core::restore(const std::optional<WholeCut>& cut, Tick start) {
  PERIGEE_ASSERT(awaits_cut(), "restore() only while the core awaits a checkpoint");
  make_world(*map_.worker(slot_), start);
  if (cut) {
    for (const RegionEntry& region : map_.regions) {
      if (region.owner == slot_ && region.from_cut) made_[region.region] = region.born;
    }
    durable_->restore(*cut);
  }
  begin();
  if (cut) durable_->deliver(*cut);
}

void Core::begin() {
  note_new_regions();
  make_content();
  if (!handoffs_) {
    buddies_ = std::make_unique<Buddies>(*this);
    post_ = std::make_unique<Post>(*this);
    sights_ = std::make_unique<Sights>(*this);
    ghosts_ = std::make_unique<Ghosts>(*this);
    handoffs_ = std::make_unique<Handoffs>(*this);
    whereabouts_ = std::make_unique<Whereabouts>(*this);
    given_away_ = std::make_unique<GivenAway>(*this);
  }
  buddies_->inherit_from_the_dead();
  buddies_->on_map();
  ghosts_->on_map();
  handoffs_->on_map();
  given_away_->on_map();
}

void Core::note_new_regions() {
  for (const RegionEntry& region : map_.regions) {
    if (region.owner == slot_) owned_since_.try_emplace(region.region, next_);
  }
  std::erase_if(owned_since_, [&](const auto& owned) {
    const RegionEntry* region = map_.region(owned.first);
    return region == nullptr || region->owner != slot_;
  });
}

/// Whether the content of the region is complete here: migrated, or known as ghosts; also true once
/// the wait for it has timed out.
bool Core::knows(const RegionEntry& region) const {
  constexpr std::int32_t patience_ticks = 180;
  const auto since = owned_since_.find(region.region);
  if (since == owned_since_.end()) return false;
  return region.born == region.epoch || ghosts_->knows_everybodys() ||
         ticks_between(since->second, next_) > patience_ticks;
}

/// The nearest of our own regions.
const RegionEntry* Core::own_region_near(const Vec3& place) const {
  const RegionEntry* nearest = nullptr;
  double nearest_m = 0;
  for (const RegionEntry& region : map_.regions) {
    if (region.owner != slot_) continue;
    const double away_m = replication::distance_to({region.low, region.high}, place);
    if (nearest != nullptr && away_m >= nearest_m) continue;
    nearest = &region;
    nearest_m = away_m;
  }
  return nearest;
}

/// Populates each region once per creation: with later epochs its entities come by migration.
/// Entities of an earlier creation may still exist elsewhere, so each map that creates regions uses
/// a spawner of its own.
void Core::make_content() {
  const std::uint32_t spawner = (spawner_ + map_births_ * lives_max) & world::EntityId::spawner_max;
  bool made_any = false;
  for (const RegionEntry& region : map_.regions) {
    if (region.owner != slot_ || region.born != region.epoch) continue;
    std::uint32_t& made = made_[region.region];
    if (made == region.epoch) continue;
    made = region.epoch;
    made_any = true;
    const world::World::GameCall call(*world_);
    game_.populate(*world_, {region.low, region.high}, spawner);
  }
  if (made_any) ++map_births_;
  std::erase_if(made_, [&](const auto& made) { return map_.region(made.first) == nullptr; });
}

void Core::make_world(const WorkerEntry& self, Tick start) {
  PERIGEE_ASSERT(self.handle_count > 0, "decoding a map refuses workers without handles");
  // All blocks have one size, and no two incarnations share one.
  spawner_ = self.handle_base / self.handle_count;
  world::WorldSetup setup;
  setup.types = game_.types();
  setup.handle_base = self.handle_base;
  setup.handle_count = self.handle_count;
  setup.start = start;
  setup.parenting = game_.parenting();
  setup.limits.entities_max = settings_.entities_max;
  world_ = std::make_unique<world::World>(setup);
  next_ = start;
}

void Core::on_fabric(FineTick arrived, const Address& from, std::span<const std::byte> datagram) {
  FabricReader reader(datagram);
  if (!reader.ok()) return drop(Count::DropMalformed);
  const FabricHeader& header = reader.header();
  if (header.incarnation != map_.incarnation) return drop(Count::DropWrongIncarnation);
  const bool gateway = header.kind == FabricSender::Gateway;
  const GatewayEntry* known_gateway = gateway ? map_.gateway(header.slot) : nullptr;
  const WorkerEntry* known_worker = gateway ? nullptr : map_.worker(header.slot);
  const bool known =
      (known_gateway != nullptr && known_gateway->fabric == from) ||
      (known_worker != nullptr && known_worker->alive && known_worker->fabric == from);
  if (!known) return drop(Count::DropUnknownSender);
  while (const auto type = reader.next()) {
    // Workers, too, forward records for players that they have sent away.
    JoinRecord join;
    LeaveRecord leave;
    InputRecord input;
    ObserverRecord observer;
    TallyRecord tally;
    const bool may_join = gateway || durable_->restored_lately();
    if (type == FabricRecord::Join && may_join && reader.read(join)) {
      gateway ? on_join(join, from) : on_join_passed_on(join, from);
    } else if (type == FabricRecord::Leave && reader.read(leave)) {
      on_leave(leave);
    } else if (type == FabricRecord::Input && reader.read(input)) {
      on_input(arrived, input);
      if (!gateway && handoffs_ && input.stream == stream_owner)
        handoffs_->on_detour(input.session);
    } else if (!gateway && type == FabricRecord::Observer && reader.read(observer)) {
      on_observer(observer, header.slot);
    } else if (!gateway && type == FabricRecord::Tally && reader.read(tally)) {
      on_tally(tally);
    } else {
      return drop(Count::DropMalformed);
    }
  }
  if (!reader.ok()) drop(Count::DropMalformed);
}

void Core::tick() {
  PERIGEE_ASSERT(ready(), "tick() needs a world: the worker has not owned a region yet");
  const Tick tick = next_;
  rewinds_->run();
  // The oldest tick for which inputs could still arrive until now.
  commit(settled() + 1);
  ended(TickPhase::Rewind);
  drive(tick);
  steer_bodies(tick);
  world_->step_bodies(tick);
  ended(TickPhase::Bodies);
  for (auto& [session, player] : players_) step(*player, tick);
  tell_announced();
  ended(TickPhase::Actors);
  ++next_;
  for (auto& [session, player] : players_) {
    player->lateness.regain(settings_.late_ticks_max);
    check_claims(*player);
    choose_parent(*player);
    if (player->recorder) record(*player);
  }
  tell_game_states();
  drop_silent_players();
  counts_.add(Count::Ticks);
  count_game_faults();
  settle_observers(next_);
  send_observer_records(next_);
  ended(TickPhase::Judge);
  publish(next_);
  ended(TickPhase::Publish);
  if (to_peer) {
    sights_->after_tick();
    handoffs_->after_tick();
    ghosts_->after_tick();
    post_->after_tick();
    buddies_->after_tick();
    whereabouts_->after_tick();
    given_away_->after_tick();
  }
  durable_->after_tick();
  if (kept_ticks_turn(next_)) {
    for (auto& [region, since] : owned_since_) move_along(since, next_);
  }
  fabric_.flush();
  ended(TickPhase::Send);
}

ToldLog Core::log_to_tell(const world::Entity& timeline) const {
  return told_log(world_->type_of(timeline).travel, *world_->timeline(timeline.handle),
                  next_ - world::timeline_look_back_ticks);
}

TickSummary Core::summary() const {
  return {static_cast<std::uint32_t>(players_.size()),
          ready() ? static_cast<std::uint32_t>(world_->size()) : 0,
          static_cast<std::uint32_t>(observers_.size())};
}

bool Core::in_sync() const { return buddies_ && buddies_->in_sync(); }
bool Core::letters_settled() const { return post_ == nullptr || post_->empty(); }
std::size_t Core::letters_open() const { return post_ == nullptr ? 0 : post_->open(); }
std::size_t Core::strays() const { return handoffs_ ? handoffs_->strays() : 0; }
std::size_t Core::groups_in_doubt() const { return handoffs_ ? handoffs_->in_doubt() : 0; }
std::size_t Core::groups_remembered() const { return handoffs_ ? handoffs_->remembered() : 0; }
std::vector<GroupInDoubt> Core::doubts() const {
  return handoffs_ ? handoffs_->doubts() : std::vector<GroupInDoubt>();
}
std::vector<std::uint32_t> Core::lives() const {
  return handoffs_ ? handoffs_->lives() : std::vector<std::uint32_t>();
}

std::uint64_t Core::hash() const {
  StateHash hash;
  hash.add(next_.count);
  if (ready()) hash.add(world_->hash());
  for (const auto& [session, player] : players_) {
    const ActorState& s = player->state;
    hash.add(session).add(player->parent).add(s.position.x).add(s.position.y).add(s.position.z);
    hash.add(s.velocity.x).add(s.velocity.y).add(s.velocity.z).add(s.ground).add(s.flags);
    for (const std::byte b : player->game.bytes) hash.add(b);
  }
  return hash.value();
}

void Core::disturb(std::uint64_t client_id, const std::function<void(ActorState&)>& change) {
  if (Player* player = find_client(client_id)) change(player->state);
}

const Player* Core::player_of(std::uint64_t client_id) const {
  return const_cast<Core*>(this)->find_client(client_id);
}

void Core::for_each_player(const std::function<void(const Player&)>& visit) const {
  for (const auto& [session, player] : players_) visit(*player);
}

}  // namespace perigee::worker
