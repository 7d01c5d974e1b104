#include "perigee/worker/core.hpp"

#include <algorithm>
#include <utility>

#include "shard.hpp"

namespace perigee::worker {

Core::Core(const Settings& settings, const world::GameModule& game, WorkerSlot slot,
           FabricBatch::Send send)
    : settings_(settings),
      game_(game),
      slot_(slot),
      fabric_(FabricSender::Worker, std::move(send)),
      cluster_(map_, slot),
      checkpoint_schedule_(cluster_),
      publisher_(settings.replication, settings.entities_max),
      observers_({.publisher = publisher_, .counts = counts_, .next = next_}),
      player_inputs_({.players = players_,
                      .observers = observers_,
                      .cluster = cluster_,
                      .fabric = fabric_,
                      .counts = counts_,
                      .settings = settings_,
                      .next = next_,
                      .on_chunks =
                          [this](auto& observer, const auto& frame) {
                            shard_->chunk_sender.on_report(observer, frame);
                          },
                      .on_other_owner =
                          [this](WorkerSlot owner, const auto& record) {
                            shard_ ? shard_->replicas.on_input(owner, record)
                                   : drop(metric.drop_unknown_session);
                          },
                      .forward =
                          [this](const auto& record) {
                            return shard_ && shard_->migrations.departed().pass_on(record);
                          },
                      .on_messages =
                          [this](Player& player, std::span<const std::byte> frame) {
                            shard_->message_exchange.on_frame(player, frame);
                          }}),
      journal_(settings.journal_entries_max) {
  world::assert_usable(game.types());
  settings_.inputs.own = &game.input_layout();
}

Core::~Core() = default;

void Core::on_stored(std::uint64_t number, Journalled became) {
  if (shard_) shard_->outcome_journal.on_stored(number, became);
}
void Core::on_kept(std::uint64_t number, Journalled became) {
  if (shard_) shard_->lasting.on_stored(number, became);
}
void Core::on_profile(std::uint64_t number, const TakenProfile& profile) {
  if (shard_) shard_->profile_loads.on_taken(number, profile);
}
std::size_t Core::lasting_open() const { return shard_ ? shard_->lasting.open() : 0; }
bool Core::has_unstored_profile(std::uint64_t owner) const {
  return shard_ && shard_->lasting.has_open(owner);
}
void Core::send_lasting() {
  if (shard_) shard_->lasting.after_tick();
}
std::size_t Core::outcomes_waiting() const {
  return shard_ ? shard_->outcome_journal.waiting() : 0;
}
void Core::idle(Tick now) {
  if (!outputs.to_checkpoint || ready() || cluster_.own_region() != nullptr) return;
  if (const auto at = checkpoint_schedule_.idle(now)) {
    outputs.to_checkpoint({*at, checkpoint_schedule_.slots(), empty_part(*at, game_)});
  }
}
bool Core::awaits_checkpoint() const {
  return outputs.to_checkpoint && !ready() && waits_for_checkpoint(cluster_);
}

void Core::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  PeerKind kind{};
  if (!reader.enumerator(kind, PeerKind::last)) return drop(metric.drop_malformed);
  const auto rest = bytes.subspan(reader.position());
  if (shard_) return shard_->on_peer(kind, from, rest);
  if (kind == PeerKind::WhoHas && outputs.to_peer) {
    AvatarLocator::answer_without_world({cluster_, outputs, counts_}, from, rest,
                                        awaits_checkpoint());
  }
}

void Core::on_link_lost(WorkerSlot with) {
  if (shard_) shard_->replicas.on_link_lost(with);
}

void Core::on_map(const ClusterMap& map, Tick start) {
  if (map.cluster_id == map_.cluster_id && map.version < map_.version) return;
  map_ = map;
  fabric_.identify(map_.cluster_id, slot_.number);
  checkpoint_schedule_.on_map();
  const WorkerEntry* self = map_.worker(slot_);
  if (self == nullptr || (!ready() && cluster_.own_region() == nullptr) || awaits_checkpoint())
    return;
  if (!ready()) make_shard(*self, start);
  shard_->on_map();
}

void Core::restore(const std::optional<WholeCheckpoint>& checkpoint, Tick start) {
  PERIGEE_ASSERT(awaits_checkpoint(), "restore() only while the core awaits a checkpoint");
  make_shard(*map_.worker(slot_), start);
  checkpoint ? shard_->restore(*checkpoint) : shard_->on_map();
}

void Core::make_shard(const WorkerEntry& self, Tick start) {
  next_ = start;
  shard_ = std::make_unique<Shard>(Shard::Needs{.settings = settings_,
                                                .game = game_,
                                                .cluster = cluster_,
                                                .fabric = fabric_,
                                                .outputs = outputs,
                                                .players = players_,
                                                .observers = observers_,
                                                .publisher = publisher_,
                                                .checkpoint_schedule = checkpoint_schedule_,
                                                .journal = journal_,
                                                .counts = counts_,
                                                .least_stretch = least_stretch_,
                                                .next = next_},
                                   self);
}

bool Core::can_send_group(Handle of, std::optional<WorkerSlot> to) const {
  return shard_->group_transfer.can_send(of, to);
}
Core::SentGroup Core::send_group(Handle of) { return shard_->group_transfer.send(of); }
std::optional<std::vector<SessionId>> Core::receive_group(std::span<const std::byte> bytes,
                                                          Subscribers subscribers) {
  return shard_->group_transfer.receive(bytes, subscribers);
}
const world::World& Core::world() const { return shard_->world; }

void Core::on_fabric(FineTick arrived, const Address& from, std::span<const std::byte> datagram) {
  FabricReader reader(datagram);
  if (!reader.ok()) return drop(metric.drop_malformed);
  const FabricHeader& header = reader.header();
  if (header.cluster_id != map_.cluster_id) return drop(metric.drop_wrong_cluster_id);
  const bool gateway = header.kind == FabricSender::Gateway;
  const GatewayEntry* known_gateway = gateway ? map_.gateway(GatewaySlot{header.slot}) : nullptr;
  const WorkerEntry* known_worker = gateway ? nullptr : map_.worker(WorkerSlot{header.slot});
  const bool known =
      (known_gateway != nullptr && known_gateway->fabric == from) ||
      (known_worker != nullptr && known_worker->alive && known_worker->fabric == from);
  if (!known) return drop(metric.drop_unknown_sender);
  while (const auto type = reader.next()) {
    // Other workers forward records, too: for players that they have sent away.
    JoinRecord join;
    LeaveRecord leave;
    InputRecord input;
    ObserverRecord observer;
    TallyRecord tally;
    const bool may_join = gateway || (shard_ && shard_->world_restore.lately());
    if (type == FabricRecord::Join && may_join && reader.read(join)) {
      on_join(join, from, gateway);
    } else if (type == FabricRecord::Leave && reader.read(leave)) {
      on_leave(leave);
    } else if (type == FabricRecord::Input && reader.read(input)) {
      player_inputs_.on_record(arrived, input);
      if (!gateway && shard_ && input.stream == stream_owner)
        shard_->migrations.arrivals().on_detour(input.session);
    } else if (!gateway && type == FabricRecord::Observer && reader.read(observer)) {
      if (shard_) shard_->observer_records.on_record(observer, WorkerSlot{header.slot});
    } else if (!gateway && type == FabricRecord::Tally && reader.read(tally)) {
      if (shard_) shard_->observer_records.on_tally(tally);
    } else {
      return drop(metric.drop_malformed);
    }
  }
  if (!reader.ok()) drop(metric.drop_malformed);
}

void Core::on_join(const JoinRecord& join, const Address& from, bool from_gateway) {
  if (shard_ && from_gateway) return shard_->player_sessions.on_join(join, from);
  if (shard_) return shard_->player_sessions.on_forwarded_join(join, from);
  if (!from_gateway) return;
  drop(metric.joins_refused);
  fabric_.add(from, RefusedRecord{join.session, RefuseReason::NotReady});
}

void Core::on_leave(const LeaveRecord& leave) {
  if (shard_) return shard_->player_sessions.on_leave(leave);
  const GatewayEntry* gateway = cluster_.gateway_of(leave.session);
  if (gateway != nullptr) fabric_.add(gateway->fabric, LeftRecord{leave.session});
}

void Core::tick() {
  PERIGEE_ASSERT(ready(), "tick() needs a world: the worker has not owned a region yet");
  shard_->tick();
}

world::GameFaults::Unsent Core::take_game_faults() {
  return ready() ? shard_->world.game_faults().take_unsent() : world::GameFaults::Unsent();
}

TickSummary Core::summary() const {
  return {static_cast<std::uint32_t>(players_.clients()),
          ready() ? static_cast<std::uint32_t>(shard_->world.size()) : 0,
          static_cast<std::uint32_t>(observers_.size()),
          ready() ? static_cast<std::uint32_t>(shard_->open_gaps.most_steps()) : 0};
}

std::optional<std::uint32_t> Core::handles_left() const {
  return shard_ ? std::optional(shard_->world.handles_left()) : std::nullopt;
}

bool Core::in_sync() const { return shard_ && shard_->standby_stream.in_sync(); }
bool Core::messages_settled() const { return shard_ == nullptr || shard_->mailbox.empty(); }
std::size_t Core::messages_open() const { return shard_ == nullptr ? 0 : shard_->mailbox.open(); }
std::size_t Core::queued_migrations() const {
  return shard_ ? shard_->migrations.queued_migrations() : 0;
}
std::size_t Core::groups_in_doubt() const { return shard_ ? shard_->migrations.in_doubt() : 0; }
std::size_t Core::groups_remembered() const { return shard_ ? shard_->migrations.remembered() : 0; }
std::vector<GroupInDoubt> Core::doubts() const {
  return shard_ ? shard_->migrations.doubts() : std::vector<GroupInDoubt>();
}
std::vector<HandleBlock> Core::incarnations() const {
  return shard_ ? shard_->migrations.incarnations() : std::vector<HandleBlock>();
}

std::uint64_t Core::hash() const {
  StateHash hash;
  hash.add(next_.count);
  if (ready()) hash.add(shard_->world.hash());
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

FlightRecordings* Core::flight_recordings() {
  return shard_ ? &shard_->flight_recordings : nullptr;
}
void Core::note_everybody() { shard_->flight_recordings.note_all(); }

Mispredictions Core::take_mispredictions() {
  return shard_ ? shard_->flight_recordings.take() : Mispredictions();
}

std::optional<replay::Recording> Core::recording(const Misprediction& of,
                                                 std::string_view build) const {
  return shard_ ? shard_->flight_recordings.recording(of, build) : std::nullopt;
}

const Player* Core::player_of(std::uint64_t client_id) const {
  return players_.find_client(client_id);
}

void Core::for_each_player(const std::function<void(const Player&)>& visit) const {
  for (const Player& player : players_) visit(player);
}

}  // namespace perigee::worker
