#include "lasting/lasting_records.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {
namespace {

using State = PlayerProfile::State;
using world::KeepRefusal;

std::uint64_t owner_of(const Player& player) {
  return profile_owner(player.account.player_id, player.client_id);
}
bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::optional<std::span<const std::byte>> LastingRecords::profile(Handle actor) const {
  const Player* player = needs_.players.find_avatar(actor);
  if (player == nullptr || player->npc() || player->profile.state == State::Unread)
    return std::nullopt;
  return player->profile.bytes;
}

KeepRefusal LastingRecords::refuse(KeepRefusal refusal) {
  needs_.counts.add(metric.lasting_refused);
  return refusal;
}

KeepRefusal LastingRecords::fault_of(const Player* player,
                                     std::span<const std::byte> profile) const {
  if (player == nullptr || player->npc()) return KeepRefusal::NoPlayer;
  if (profile.size() > world::profile_bytes_max) return KeepRefusal::Size;
  if (player->profile.state == State::Unread) return KeepRefusal::NotRead;
  if (player->profile.state == State::OtherGame) return KeepRefusal::OtherGame;
  const auto numbers = profiles_.find(owner_of(*player));
  if (numbers == profiles_.end()) return KeepRefusal::None;
  const bool newer = std::any_of(
      numbers->second.begin(), numbers->second.end(),
      [&](std::uint64_t number) { return open_.at(number).row.lease > player->profile.lease; });
  return newer ? KeepRefusal::Superseded : KeepRefusal::None;
}

/// Of a session's profiles only the newest one matters. The one before it stays until it is
/// durable: if each save renewed the only note, a game that saves in every tick would never reach
/// the store.
LastingRecords::Open* LastingRecords::replaceable(const LastingRow& row) {
  const auto numbers = profiles_.find(row.owner);
  if (numbers == profiles_.end()) return nullptr;
  Open* newest = nullptr;
  int unsent = 0;
  for (const std::uint64_t number : numbers->second) {
    Open& open = open_.at(number);
    if (open.sent || open.row.lease != row.lease) continue;
    newest = &open;
    ++unsent;
  }
  return unsent > 1 ? newest : nullptr;
}

// Without a store, the profile lasts as long as the player stays.
KeepRefusal LastingRecords::save(Handle actor, std::span<const std::byte> profile, bool last) {
  Player* player = needs_.players.find_avatar(actor);
  if (const KeepRefusal fault = fault_of(player, profile); fault != KeepRefusal::None)
    return refuse(fault);
  PlayerProfile& present = player->profile;
  const bool stored = needs_.outputs.to_lasting != nullptr;
  if (stored && present.state == State::Read && same(present.bytes, profile))
    return KeepRefusal::None;
  LastingRow row{.kind = LastingKind::Profile,
                 .owner = owner_of(*player),
                 .lease = present.lease,
                 .tick = needs_.next,
                 .version = needs_.game.profile_version(),
                 .bytes = {profile.begin(), profile.end()}};
  Open* const replaced = replaceable(row);
  begin_count();
  const std::size_t of_tick_max = last ? last_bytes_per_tick_max : bytes_per_tick_max;
  const bool room = replaced != nullptr || open_.size() < rows_max;
  if (!room || bytes_ + profile.size() > bytes_max ||
      bytes_of_tick_ + profile.size() > of_tick_max) {
    return refuse(KeepRefusal::Full);
  }
  bytes_of_tick_ += profile.size();
  present = {State::Read, present.lease, row.bytes};
  if (!stored) return refuse(KeepRefusal::NoStore);
  if (replaced == nullptr) {
    add(std::move(row), actor);
    return KeepRefusal::None;
  }
  row.number = replaced->row.number;
  bytes_ += row.bytes.size() - replaced->row.bytes.size();
  replaced->row = std::move(row);
  replaced->avatar = actor;
  note(*replaced);
  return KeepRefusal::None;
}

KeepRefusal LastingRecords::keep(const world::MatchResult& result) {
  if (result.bytes.empty() || result.bytes.size() > world::result_bytes_max)
    return refuse(KeepRefusal::Size);
  if (!needs_.outputs.to_lasting) return refuse(KeepRefusal::NoStore);
  begin_count();
  if (open_.size() >= rows_max || bytes_ >= bytes_max || results_of_tick_ >= results_per_tick_max)
    return refuse(KeepRefusal::Full);
  ++results_of_tick_;
  add({.kind = LastingKind::Result,
       .owner = result.origin,
       .match = result.match,
       .place = result.place,
       .tick = needs_.next,
       .bytes = {result.bytes.begin(), result.bytes.end()}},
      no_entity);
  return KeepRefusal::None;
}

void LastingRecords::begin_count() {
  if (std::exchange(counted_at_, needs_.next) != needs_.next) results_of_tick_ = bytes_of_tick_ = 0;
}

void LastingRecords::add(LastingRow row, Handle avatar) {
  row.number = ++newest_;
  if (row.kind == LastingKind::Profile) profiles_[row.owner].insert(row.number);
  bytes_ += row.bytes.size();
  Open& open = open_[row.number];
  open.row = std::move(row);
  open.avatar = avatar;
  note(open);
}

void LastingRecords::note(Open& open) {
  open.note = needs_.durability.append_lasting(
      {.kind = LastingRecord::Row, .avatar = open.avatar, .row = open.row});
}

// ---- players

PlayerProfile LastingRecords::read(const TakenProfile& taken) const {
  const auto& stored = taken.stored;
  if (!stored) return {State::Read, taken.lease, {}};
  if (stored->version == needs_.game.profile_version()) {
    return {State::Read, taken.lease, stored->bytes};
  }
  auto upgraded = needs_.game.upgrade_profile(stored->version, stored->bytes);
  const bool usable = upgraded && upgraded->size() <= world::profile_bytes_max;
  if (usable) return {State::Upgraded, taken.lease, std::move(*upgraded)};
  needs_.counts.add(metric.lasting_other_game);
  return {State::OtherGame, taken.lease, {}};
}

void LastingRecords::set(Player& player, const TakenProfile& taken) {
  player.profile = read(taken);
  enter(player);
}

bool LastingRecords::another_session_of(const JoinRecord& join, std::uint64_t owner) const {
  return std::any_of(needs_.players.begin(), needs_.players.end(), [&](const Player& player) {
    return !player.lost && player.client_id != join.client_id && owner_of(player) == owner;
  });
}

// Their sessions have ended, so no client comes back to them.
void LastingRecords::end_others(const JoinRecord& join, std::uint64_t owner) {
  std::vector<SessionId> ended;
  for (const Player& player : needs_.players) {
    const bool stands = player.lost && !player.npc() && player.client_id != join.client_id;
    if (stands && player.issue < join.issue && owner_of(player) == owner) {
      ended.push_back(player.session);
    }
  }
  for (const SessionId session : ended) needs_.leave(session);
}

// The other session may stay and save for ever, if accounts may play twice; its saves then count
// for nothing.
bool LastingRecords::may_change(const JoinRecord& join) {
  if (!needs_.outputs.take_profile) return false;
  const std::uint64_t owner = profile_owner(join.account.player_id, join.client_id);
  if (join.alone) end_others(join, owner);
  if (!another_session_of(join, owner)) {
    replaced_since_.erase(join.client_id);
    return profiles_.contains(owner);
  }
  const Tick since = replaced_since_.try_emplace(join.client_id, needs_.next).first->second;
  return ticks_between(since, needs_.next) < replaced_ticks;
}

void LastingRecords::enter(const Player& player) {
  if (player.npc()) return;
  needs_.durability.append_lasting(
      {.kind = LastingRecord::Profile, .avatar = player.avatar, .profile = player.profile});
}

void LastingRecords::forget(const Player& player) {
  if (player.npc()) return;
  needs_.durability.append_lasting({.kind = LastingRecord::Gone, .avatar = player.avatar});
}

// ---- to the store

void LastingRecords::after_tick() {
  std::erase_if(replaced_since_, [&](const auto& each) {
    return ticks_between(each.second, needs_.next) > 2 * replaced_ticks;
  });
  if (!needs_.outputs.to_lasting) return;
  for (auto& [number, open] : open_) {
    if (open.sent || open.note > needs_.durability.durable()) continue;
    const bool profile = open.row.kind == LastingKind::Profile;
    if (profile && !at_store_.insert(open.row.owner).second) continue;
    open.sent = true;
    needs_.outputs.to_lasting(open.row);
  }
}

void LastingRecords::on_stored(std::uint64_t number, Journalled became) {
  const auto found = open_.find(number);
  if (found == open_.end() || !found->second.sent) return;
  const LastingRow& row = found->second.row;
  const bool result = row.kind == LastingKind::Result;
  if (!result) {
    at_store_.erase(row.owner);
    std::set<std::uint64_t>& of_owner = profiles_.at(row.owner);
    of_owner.erase(number);
    if (of_owner.empty()) profiles_.erase(row.owner);
  }
  bytes_ -= row.bytes.size();
  open_.erase(found);
  LastingNote note{.kind = LastingRecord::Stored};
  note.row.number = number;
  needs_.durability.append_lasting(note);
  switch (became) {
    case Journalled::Stands:
      return needs_.counts.add(result ? metric.results_kept : metric.profiles_kept);
    case Journalled::Unnamed:
      return needs_.counts.add(result ? metric.results_contradicted : metric.profiles_superseded);
    case Journalled::Fenced:
      return needs_.counts.add(metric.lasting_fenced);
  }
}

// ---- ended incarnations

void LastingRecords::take_over(const LastingLogs& logs) {
  for (const auto& [number, row] : logs.rows) add(row, no_entity);
}

void LastingRecords::for_each_note(const std::function<void(const LastingNote&)>& visit) const {
  for (const Player& player : needs_.players) {
    if (player.npc()) continue;
    visit({.kind = LastingRecord::Profile, .avatar = player.avatar, .profile = player.profile});
  }
  for (const auto& [number, open] : open_) {
    visit({.kind = LastingRecord::Row, .avatar = no_entity, .row = open.row});
  }
}

}  // namespace perigee::worker
