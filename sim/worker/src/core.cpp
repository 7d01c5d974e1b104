#include "perigee/worker/core.hpp"

#include <algorithm>
#include <utility>

#include "cut_parts.hpp"
#include "ghosts.hpp"
#include "handoffs.hpp"
#include "perigee/netcode/kept_tick.hpp"
#include "post.hpp"
#include "promotion.hpp"
#include "replicas.hpp"
#include "standby_stream.hpp"
#include "world_restore.hpp"

namespace perigee::worker {
/// What migrations and ghosts know about owners.
class Core::Ownership final : public EntityOwnership {
 public:
  explicit Ownership(const Core& core) : core_(core) {}
  std::optional<WorkerSlot> owner_of(Handle entity) const override {
    return core_.ghosts_->owner_of(entity);
  }
  std::optional<std::uint32_t> life_of(WorkerSlot worker) const override {
    return core_.handoffs_->life_of(worker);
  }
  std::optional<WorkerSlot> worker_of(std::uint32_t life) const override {
    return core_.handoffs_->worker_of(life);
  }
  bool leaves(Handle root) const override { return core_.handoffs_->leaves(root); }

 private:
  const Core& core_;
};

/// Which worker is whose standby, as the two halves of replication know it.
class Core::Standbys final : public StandbyRelations {
 public:
  explicit Standbys(const Core& core) : core_(core) {}
  std::optional<WorkerSlot> standby() const override { return core_.standby_stream_->standby(); }
  bool replicates(WorkerSlot worker) const override { return core_.replicas_->replicates(worker); }
  bool succeeds(WorkerSlot worker) const override { return core_.replicas_->succeeds(worker); }

 private:
  const Core& core_;
};

Core::Core(const Settings& settings, const world::GameModule& game, WorkerSlot slot,
           FabricBatch::Send send)
    : settings_(settings),
      game_(game),
      slot_(slot),
      fabric_(FabricSender::Worker, std::move(send)),
      cluster_(map_, slot),
      cut_schedule_(cluster_),
      departed_entities_(settings.entities_max),
      publisher_(settings.replication, settings.entities_max),
      observers_({.publisher = publisher_, .counts = counts_, .next = next_}),
      player_inputs_(
          {.players = players_,
           .observers = observers_,
           .cluster = cluster_,
           .fabric = fabric_,
           .counts = counts_,
           .settings = settings_,
           .next = next_,
           .on_chunks = [this](auto& observer,
                               const auto& frame) { chunk_sender_->on_report(observer, frame); },
           .on_other_owner =
               [this](WorkerSlot owner, const auto& record) {
                 replicas_ ? replicas_->on_input(owner, record) : drop(Count::DropUnknownSession);
               },
           .forward =
               [this](const auto& record) { return handoffs_ && handoffs_->pass_on(record); }}),
      journal_(settings.journal_entries_max) {
  const auto types = world::check(game.types());
  PERIGEE_ASSERT(types.ok(), types.error().message.c_str());
}

Core::~Core() = default;

void Core::on_stored(std::uint64_t number, Journalled became) {
  if (outcome_journal_) outcome_journal_->on_stored(number, became);
}
std::size_t Core::outcomes_waiting() const {
  return outcome_journal_ ? outcome_journal_->waiting() : 0;
}
void Core::idle(Tick now) {
  if (!outputs.to_cut || ready() || cluster_.own_region() != nullptr) return;
  if (const auto at = cut_schedule_.idle(now)) {
    outputs.to_cut({*at, cut_schedule_.slots(), empty_part(*at, game_)});
  }
}
bool Core::awaits_cut() const {
  return outputs.to_cut && !ready() && waits_for_checkpoint(cluster_);
}

void Core::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  PeerKind kind{};
  if (!reader.enumerator(kind, PeerKind::last)) return drop(Count::DropMalformed);
  const auto rest = bytes.subspan(reader.position());
  if (!handoffs_) {
    if (kind == PeerKind::WhoHas && outputs.to_peer)
      AvatarLocator::answer_without_world(locator_link(), from, rest, awaits_cut());
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
      return avatar_locator_->on_question(from, rest);
    case PeerKind::Has:
      return avatar_locator_->on_answer(from, rest, next_);
    case PeerKind::ReplicaPart:
    case PeerKind::Replica:
      return replicas_->on_words(from, rest, kind == PeerKind::Replica);
    case PeerKind::ReplicaAnswer:
      return standby_stream_->on_answer(from, rest);
    case PeerKind::Post:
      return post_->on_word(from, rest);
    case PeerKind::Look:
      return outcomes_->raycasts().on_query(from, rest, outcomes_->settled());
    case PeerKind::Seen:
      return outcomes_->raycasts().on_reply(from, rest);
  }
}

void Core::on_link_lost(WorkerSlot with) {
  if (replicas_) replicas_->on_link_lost(with);
}

void Core::on_map(const ClusterMap& map, Tick start) {
  if (map.incarnation == map_.incarnation && map.version < map_.version) return;
  map_ = map;
  fabric_.identify(map_.incarnation, slot_);
  cut_schedule_.on_map();
  const WorkerEntry* self = map_.worker(slot_);
  if (self == nullptr || (!ready() && cluster_.own_region() == nullptr) || awaits_cut()) return;
  if (!ready()) make_world(*self, start);
  begin();
}

void Core::restore(const std::optional<WholeCut>& cut, Tick start) {
  PERIGEE_ASSERT(awaits_cut(), "a world that stands is not restored");
  make_world(*map_.worker(slot_), start);
  if (cut) {
    own_regions_->note_restored();
    world_restore_->restore(*cut);
  }
  begin();
  if (cut) world_restore_->deliver(*cut, *post_);
}

void Core::begin() {
  own_regions_->on_map();
  if (!handoffs_) {
    ownership_ = std::make_unique<Ownership>(*this);
    standbys_ = std::make_unique<Standbys>(*this);
    standby_stream_ = std::make_unique<StandbyStream>(StandbyStream::Needs{
        .world = *world_,
        .game = game_,
        .players = players_,
        .cluster = cluster_,
        .outputs = outputs,
        .counts = counts_,
        .word_bytes = settings_.replica_word_bytes,
        .next = next_,
        .settled = [this] { return outcomes_->settled(); },
        .each_log = [this](const auto& call) { handoffs_->each_log(call); },
        .for_each_waiting =
            [this](const auto& visit) { outcome_journal_->for_each_waiting(visit); },
        .for_each_note = [this](const auto& visit) { post_->for_each_note(visit); },
        .outcomes_go_on = [this] { outcome_journal_->go_on(); },
        .has_unreplicated = [this] { return promotion_->has_unreplicated(); }});
    replicas_ = std::make_unique<Replicas>(
        Replicas::Needs{.cluster = cluster_,
                        .outputs = outputs,
                        .counts = counts_,
                        .settings = settings_,
                        .next = next_,
                        .knows_all_of = [this](WorkerSlot worker, Tick tick) {
                          return ghosts_->knows_all_of(worker, tick);
                        }});
    outcome_journal_ = std::make_unique<OutcomeJournal>(OutcomeJournal::Needs{
        .players = players_,
        .observers = observers_,
        .replication = *standby_stream_,
        .outputs = outputs,
        .counts = counts_,
        .next = next_,
        .reading = [this]() -> const LetterName& { return post_->reading(); }});
    post_ = std::make_unique<Post>(
        Post::Needs{.world = *world_,
                    .players = players_,
                    .cluster = cluster_,
                    .ownership = *ownership_,
                    .durability = *standby_stream_,
                    .outputs = outputs,
                    .counts = counts_,
                    .self = spawner_,
                    .next = next_,
                    .receive = [this](const world::Letter& letter, bool returned) {
                      outcomes_->receive(letter, returned);
                    }});
    ghosts_ = std::make_unique<Ghosts>(Ghosts::Needs{.world = *world_,
                                                     .cluster = cluster_,
                                                     .standby = *standbys_,
                                                     .outputs = outputs,
                                                     .counts = counts_,
                                                     .next = next_});
    group_transfer_.emplace(GroupTransfer::Needs{
        .world = *world_,
        .game = game_,
        .players = players_,
        .observers = observers_,
        .publisher = publisher_,
        .player_sessions = *player_sessions_,
        .player_steps = *player_steps_,
        .outcomes = *outcomes_,
        .snapshots = *snapshots_,
        .ghosts = *ghosts_,
        .departed = departed_entities_,
        .cluster = cluster_,
        .settings = settings_,
        .next = next_,
        .taken = [this](Handle thing) { return post_->taken(thing); },
        .on_arrival = [this](const auto& past, auto players) { cut_parts_->took(past, players); }});
    handoffs_ = std::make_unique<Handoffs>(Handoffs::Needs{
        .world = *world_,
        .players = players_,
        .transfer = *group_transfer_,
        .ghosts = *ghosts_,
        .replication = *standby_stream_,
        .mailbox = *standby_stream_,
        .cluster = cluster_,
        .outputs = outputs,
        .fabric = fabric_,
        .counts = counts_,
        .settings = settings_,
        .self = spawner_,
        .next = next_,
        .settled = [this](auto life, auto group,
                          bool back) { promotion_->settled(life, group, back); },
        .players_in_doubt = [this](auto group) { return promotion_->players_in_doubt(group); },
        .on_leave = [this](const LeaveRecord& leave) { on_leave(leave); }});
    promotion_ = std::make_unique<Promotion>(Promotion::Needs{.world = *world_,
                                                              .game = game_,
                                                              .players = players_,
                                                              .player_sessions = *player_sessions_,
                                                              .player_steps = *player_steps_,
                                                              .outcomes = *outcomes_,
                                                              .outcome_journal = *outcome_journal_,
                                                              .transfer = *group_transfer_,
                                                              .ghosts = *ghosts_,
                                                              .handoffs = *handoffs_,
                                                              .mailbox = *post_,
                                                              .replicas = *replicas_,
                                                              .standby = *standby_stream_,
                                                              .cluster = cluster_,
                                                              .outputs = outputs,
                                                              .counts = counts_,
                                                              .settings = settings_,
                                                              .next = next_});
    cut_parts_ = std::make_unique<CutParts>(CutParts::Needs{.world = *world_,
                                                            .game = game_,
                                                            .players = players_,
                                                            .outcomes = *outcomes_,
                                                            .handoffs = *handoffs_,
                                                            .transfer = *group_transfer_,
                                                            .mailbox = *post_,
                                                            .schedule = cut_schedule_,
                                                            .outputs = outputs,
                                                            .counts = counts_,
                                                            .settings = settings_,
                                                            .next = next_});
    avatar_locator_ = std::make_unique<AvatarLocator>(
        locator_link(),
        AvatarLocator::Needs{
            .silence_ticks_max = settings_.silence_ticks_max,
            .resume = [this](const auto& join,
                             const auto& at) { return player_sessions_->resume(join, at); },
            .may_come =
                [this](std::uint64_t client_id) {
                  return handoffs_->on_its_way(client_id) || promotion_->in_doubt(client_id) ||
                         replicas_->suspect_has(client_id);
                },
            .join = [this](const auto& join,
                           const auto& gateway) { player_sessions_->on_join(join, gateway); }});
  }
  promotion_->on_map();
  standby_stream_->on_map();
  ghosts_->on_map();
  handoffs_->on_map();
  remove_lost_entities();
}

// Clients still display them by our records.
void Core::remove_lost_entities() {
  for (const Handle handle : departed_entities_.take_lost(map_)) {
    const world::Entity* entity = world_->find(handle);
    if (entity != nullptr && !entity->remote) continue;  // it has come back
    for (auto& [session, state] : observers_) {
      replication::Publisher::lose(state->observer, handle);
    }
  }
}

void Core::make_world(const WorkerEntry& self, Tick start) {
  PERIGEE_ASSERT(self.handle_count > 0, "whoever reads maps refuses such a one");
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
  own_regions_.emplace(OwnRegions::Needs{
      .world = *world_, .game = game_, .cluster = cluster_, .spawner = spawner_, .next = next_});
  world_restore_ = std::make_unique<WorldRestore>(WorldRestore::Needs{.world = *world_,
                                                                      .game = game_,
                                                                      .players = players_,
                                                                      .cluster = cluster_,
                                                                      .counts = counts_,
                                                                      .settings = settings_,
                                                                      .next = next_});
  make_player_components();
}

// In the order in which they need each other.
void Core::make_player_components() {
  checked_game_.emplace(CheckedGame::Needs{
      .world = *world_, .game = game_, .cluster = cluster_, .counts = counts_, .next = next_});
  ground_edits_.emplace(GroundEdits::Needs{.world = *world_,
                                           .players = players_,
                                           .observers = observers_,
                                           .counts = counts_,
                                           .next = next_});
  chunk_sender_.emplace(ChunkSender::Needs{
      .world = *world_, .publisher = publisher_, .counts = counts_, .next = next_});
  outcomes_ = std::make_unique<Outcomes>(Outcomes::Needs{
      .world = *world_,
      .game = game_,
      .checked_game = *checked_game_,
      .ground_edits = *ground_edits_,
      .players = players_,
      .observers = observers_,
      .cluster = cluster_,
      .outputs = outputs,
      .journal = journal_,
      .counts = counts_,
      .settings = settings_,
      .next = next_,
      .write = [this](const world::JournalEntry& entry) { outcome_journal_->write(entry); },
      .send = [this](const world::Letter& letter) { return post_->send(letter); },
      .take = [this](Handle thing, world::TypeId type) { return post_->take(thing, type); },
      .respawn = [this](Player& player) { player_sessions_->respawn(player); }});
  player_sessions_.emplace(PlayerSessions::Needs{
      .world = *world_,
      .game = game_,
      .checked_game = *checked_game_,
      .players = players_,
      .observers = observers_,
      .cluster = cluster_,
      .fabric = fabric_,
      .counts = counts_,
      .settings = settings_,
      .spawner = spawner_,
      .next = next_,
      .complete =
          [this](const RegionEntry& region) {
            return own_regions_->complete(region, ghosts_->knows_everybodys());
          },
      .migrated = [this](SessionId session) { return handoffs_->went(session); },
      .forward = [this](const LeaveRecord& leave) { return handoffs_->pass_on(leave); },
      .nowhere_else =
          [this](const JoinRecord& join, const Address& gateway) {
            return avatar_locator_->nowhere_else(join, gateway, next_);
          },
      .stop_locating = [this](SessionId session) { avatar_locator_->on_leave(session); },
      .restored_in =
          [this](std::uint64_t client_id) { return world_restore_->region_of(client_id); },
      .not_restored = [this](std::uint64_t client_id) { world_restore_->not_there(client_id); },
      .present_game = [this](const Player& player) { return outcomes_->present_game(player); }});
  parent_switches_.emplace(ParentSwitches::Needs{.world = *world_,
                                                 .game = game_,
                                                 .observers = observers_,
                                                 .counts = counts_,
                                                 .settings = settings_,
                                                 .next = next_});
  vehicles_.emplace(VehicleControl::Needs{
      .world = *world_, .players = players_, .switches = *parent_switches_, .next = next_});
  use_actions_.emplace(UseActions::Needs{.world = *world_,
                                         .game = *checked_game_,
                                         .vehicles = *vehicles_,
                                         .observers = observers_,
                                         .next = next_});
  player_steps_.emplace(PlayerSteps::Needs{.world = *world_,
                                           .game = game_,
                                           .checked_game = *checked_game_,
                                           .ground_edits = *ground_edits_,
                                           .use_actions = *use_actions_,
                                           .outcomes = *outcomes_,
                                           .counts = counts_});
  rollback_.emplace(Rollback::Needs{.world = *world_,
                                    .game = game_,
                                    .checked_game = *checked_game_,
                                    .ground_edits = *ground_edits_,
                                    .use_actions = *use_actions_,
                                    .outcomes = *outcomes_,
                                    .players = players_,
                                    .counts = counts_,
                                    .settings = settings_,
                                    .next = next_});
  flight_recordings_.emplace(
      FlightRecordings::Needs{.world = *world_, .game = game_, .players = players_, .next = next_});
  claims_.emplace(
      Claims::Needs{.counts = counts_,
                    .settings = settings_,
                    .next = next_,
                    .on_misprediction = [this](const Player& player, Tick tick, double meters) {
                      flight_recordings_->note(player, tick, meters);
                    }});
  own_state_.emplace(OwnState::Needs{.world = *world_,
                                     .game = game_,
                                     .players = players_,
                                     .observers = observers_,
                                     .vehicles = *vehicles_,
                                     .map = map_,
                                     .next = next_,
                                     .durable_input = [this](const Player& player) {
                                       return standby_stream_->durable_input(player);
                                     }});
  observer_records_.emplace(ObserverRecords::Needs{
      .world = *world_,
      .players = players_,
      .observers = observers_,
      .publisher = publisher_,
      .cluster = cluster_,
      .fabric = fabric_,
      .counts = counts_,
      .near_m = settings_.replication.near_m,
      .next = next_,
      .least_stretch = least_stretch_,
      .outliers_of = [this](WorkerSlot worker) { return ghosts_->strays_of(worker); },
      .forward =
          [this](const TallyRecord& record) {
            if (handoffs_) handoffs_->pass_on(record);
          }});
  snapshots_ = std::make_unique<Snapshots>(Snapshots::Needs{.world = *world_,
                                                            .players = players_,
                                                            .observers = observers_,
                                                            .publisher = publisher_,
                                                            .observer_records = *observer_records_,
                                                            .own_state = *own_state_,
                                                            .chunk_sender = *chunk_sender_,
                                                            .vehicles = *vehicles_,
                                                            .cluster = cluster_,
                                                            .fabric = fabric_,
                                                            .counts = counts_,
                                                            .next = next_,
                                                            .on_gone = [this](Handle entity) {
                                                              if (ghosts_) ghosts_->no_more(entity);
                                                            }});
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
    const bool may_join = gateway || (world_restore_ && world_restore_->lately());
    if (type == FabricRecord::Join && may_join && reader.read(join)) {
      on_join(join, from, gateway);
    } else if (type == FabricRecord::Leave && reader.read(leave)) {
      on_leave(leave);
    } else if (type == FabricRecord::Input && reader.read(input)) {
      player_inputs_.on_record(arrived, input);
      if (!gateway && handoffs_ && input.stream == stream_owner)
        handoffs_->on_detour(input.session);
    } else if (!gateway && type == FabricRecord::Observer && reader.read(observer)) {
      if (observer_records_) observer_records_->on_record(observer, header.slot);
    } else if (!gateway && type == FabricRecord::Tally && reader.read(tally)) {
      if (observer_records_) observer_records_->on_tally(tally);
    } else {
      return drop(Count::DropMalformed);
    }
  }
  if (!reader.ok()) drop(Count::DropMalformed);
}

void Core::on_join(const JoinRecord& join, const Address& from, bool from_gateway) {
  if (player_sessions_ && from_gateway) return player_sessions_->on_join(join, from);
  if (player_sessions_) return player_sessions_->on_forwarded_join(join, from);
  if (!from_gateway) return;
  drop(Count::JoinsRefused);
  fabric_.add(from, RefusedRecord{join.session, RefuseReason::NotReady});
}

void Core::on_leave(const LeaveRecord& leave) {
  if (player_sessions_) return player_sessions_->on_leave(leave);
  const GatewayEntry* gateway = cluster_.gateway_of(leave.session);
  if (gateway != nullptr) fabric_.add(gateway->fabric, LeftRecord{leave.session});
}

void Core::tick() {
  PERIGEE_ASSERT(ready(), "a worker ticks once it has owned a region");
  const Tick tick = next_;
  rollback_->replay_wrong();
  // The oldest tick for which inputs could still arrive until now.
  outcomes_->commit(outcomes_->settled() + 1);
  ended(TickPhase::Rewind);
  checked_game_->drive(tick);
  vehicles_->drive(tick);
  world_->step_bodies(tick);
  ended(TickPhase::Bodies);
  for (Player& player : players_) player_steps_->step(player, tick);
  use_actions_->tell_announced();
  ended(TickPhase::Actors);
  ++next_;
  for (Player& player : players_) {
    player.lateness.regain(settings_.late_ticks_max);
    claims_->check(player);
    parent_switches_->choose(player);
    flight_recordings_->record(player);
  }
  own_state_->tell_game_states();
  player_sessions_->drop_silent();
  counts_.add(Count::Ticks);
  checked_game_->count_faults();
  observer_records_->settle(next_);
  observer_records_->send(next_);
  ended(TickPhase::Judge);
  snapshots_->gather(next_);
  ended(TickPhase::Gather);
  snapshots_->send(next_);
  ended(TickPhase::Publish);
  if (outputs.to_peer) {
    outcomes_->raycasts().after_tick(next_, outcomes_->settled());
    handoffs_->after_tick();
    ghosts_->after_tick();
    post_->after_tick();
    replicas_->watch();
    standby_stream_->after_tick();
    avatar_locator_->after_tick(next_);
    departed_entities_.forget_old(next_);
  }
  outcome_journal_->after_tick();
  cut_parts_->after_tick();
  if (kept_ticks_turn(next_)) {
    own_regions_->keep_ticks();
    cut_schedule_.keep_ticks(next_);
    world_restore_->keep_ticks();
  }
  fabric_.flush();
  ended(TickPhase::Send);
}

world::GameFaults::Untold Core::take_game_faults() {
  return ready() ? world_->game_faults().take_untold() : world::GameFaults::Untold();
}

TickSummary Core::summary() const {
  return {static_cast<std::uint32_t>(players_.size()),
          ready() ? static_cast<std::uint32_t>(world_->size()) : 0,
          static_cast<std::uint32_t>(observers_.size())};
}

bool Core::in_sync() const { return standby_stream_ && standby_stream_->in_sync(); }
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
  for (const Player& player : players_) {
    const ActorState& s = player.state;
    hash.add(player.session)
        .add(player.parent)
        .add(s.position.x)
        .add(s.position.y)
        .add(s.position.z);
    hash.add(s.velocity.x).add(s.velocity.y).add(s.velocity.z).add(s.ground).add(s.flags);
    for (const std::byte b : player.game.bytes) hash.add(b);
  }
  return hash.value();
}

void Core::disturb(std::uint64_t client_id, const std::function<void(ActorState&)>& change) {
  if (Player* player = players_.find_client(client_id)) change(player->state);
}

void Core::note_everybody() { flight_recordings_->note_all(); }

Surprises Core::take_surprises() {
  return flight_recordings_ ? flight_recordings_->take() : Surprises();
}

std::optional<replay::Recording> Core::recording(const Surprise& of, std::string_view build) const {
  return flight_recordings_ ? flight_recordings_->recording(of, build) : std::nullopt;
}

const Player* Core::player_of(std::uint64_t client_id) const {
  return players_.find_client(client_id);
}

void Core::for_each_player(const std::function<void(const Player&)>& visit) const {
  for (const Player& player : players_) visit(player);
}

}  // namespace perigee::worker
