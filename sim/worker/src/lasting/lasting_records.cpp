#include "lasting/lasting_records.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {

using State = PlayerProfile::State;
using world::KeepRefusal;

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

/// Only the newest profile of a player matters. One that the store has is final.
LastingRecords::Open* LastingRecords::unsent_profile(std::uint64_t owner) {
  for (auto& [number, open] : open_) {
    if (open.row.kind == LastingKind::Profile && open.row.owner == owner && !open.sent)
      return &open;
  }
  return nullptr;
}

// Without a store, the profile lasts as long as the player stays.
KeepRefusal LastingRecords::save(Handle actor, std::span<const std::byte> profile) {
  Player* player = needs_.players.find_avatar(actor);
  if (player == nullptr || player->npc()) return refuse(KeepRefusal::NoPlayer);
  if (profile.size() > world::profile_bytes_max) return refuse(KeepRefusal::Size);
  if (player->profile.state == State::Unread) return refuse(KeepRefusal::NotRead);
  if (player->profile.state == State::OtherGame) return refuse(KeepRefusal::OtherGame);
  const std::uint64_t owner = profile_owner(player->account.player_id, player->client_id);
  Open* const waiting = unsent_profile(owner);
  begin_count();
  const bool room = waiting != nullptr || open_.size() < rows_max;
  if (!room || bytes_of_tick_ + profile.size() > bytes_per_tick_max)
    return refuse(KeepRefusal::Full);
  bytes_of_tick_ += profile.size();
  player->profile.bytes.assign(profile.begin(), profile.end());
  if (!needs_.outputs.to_lasting) return refuse(KeepRefusal::NoStore);
  LastingRow row{.kind = LastingKind::Profile,
                 .owner = owner,
                 .issue = player->issue,
                 .tick = needs_.next,
                 .version = needs_.game.profile_version(),
                 .bytes = player->profile.bytes};
  if (waiting == nullptr) {
    add(std::move(row), actor);
    return KeepRefusal::None;
  }
  row.number = waiting->row.number;
  waiting->row = std::move(row);
  waiting->avatar = actor;
  note(*waiting);
  return KeepRefusal::None;
}

KeepRefusal LastingRecords::keep(const world::MatchResult& result) {
  if (result.bytes.empty() || result.bytes.size() > world::result_bytes_max)
    return refuse(KeepRefusal::Size);
  if (!needs_.outputs.to_lasting) return refuse(KeepRefusal::NoStore);
  begin_count();
  if (open_.size() >= rows_max || results_of_tick_ >= results_per_tick_max)
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

PlayerProfile LastingRecords::read(const std::optional<StoredProfile>& stored) const {
  if (!stored) return {State::Read, {}};
  if (stored->version == needs_.game.profile_version()) return {State::Read, stored->bytes};
  auto upgraded = needs_.game.upgrade_profile(stored->version, stored->bytes);
  const bool usable = upgraded && upgraded->size() <= world::profile_bytes_max;
  if (usable) return {State::Read, std::move(*upgraded)};
  needs_.counts.add(metric.lasting_other_game);
  return {State::OtherGame, {}};
}

void LastingRecords::set(Player& player, const std::optional<StoredProfile>& stored) {
  player.profile = read(stored);
  enter(player);
}

bool LastingRecords::has_open(std::uint64_t owner) const {
  return std::any_of(open_.begin(), open_.end(), [&](const auto& each) {
    return each.second.row.kind == LastingKind::Profile && each.second.row.owner == owner;
  });
}

bool LastingRecords::is_replacing(const JoinRecord& join) {
  const std::uint64_t owner = profile_owner(join.account.player_id, join.client_id);
  const bool another =
      std::any_of(needs_.players.begin(), needs_.players.end(), [&](const Player& player) {
        return !player.npc() && player.client_id != join.client_id &&
               profile_owner(player.account.player_id, player.client_id) == owner;
      });
  if (!another) {
    replaced_since_.erase(join.client_id);
    return false;
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

/// The store keeps the profile of the latest tick, so their order matters only within a tick.
bool LastingRecords::waits_for_another(const Open& open) const {
  if (open.row.kind != LastingKind::Profile) return false;
  return std::any_of(open_.begin(), open_.end(), [&](const auto& each) {
    const LastingRow& row = each.second.row;
    return row.kind == LastingKind::Profile && row.owner == open.row.owner && each.second.sent;
  });
}

void LastingRecords::after_tick() {
  std::erase_if(replaced_since_, [&](const auto& each) {
    return ticks_between(each.second, needs_.next) > 2 * replaced_ticks;
  });
  if (!needs_.outputs.to_lasting) return;
  for (auto& [number, open] : open_) {
    if (open.sent || open.note > needs_.durability.durable() || waits_for_another(open)) continue;
    open.sent = true;
    needs_.outputs.to_lasting(open.row);
  }
}

void LastingRecords::on_stored(std::uint64_t number, Journalled became) {
  const auto found = open_.find(number);
  if (found == open_.end() || !found->second.sent) return;
  const bool result = found->second.row.kind == LastingKind::Result;
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
