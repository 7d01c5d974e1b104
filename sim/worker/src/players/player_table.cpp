#include "perigee/worker/players/player_table.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::worker {

std::size_t clients_among(std::span<const std::unique_ptr<Player>> players) {
  return static_cast<std::size_t>(std::count_if(players.begin(), players.end(),
                                                [](const auto& player) { return !player->npc(); }));
}

Player* PlayerTable::find(SessionId session) {
  return const_cast<Player*>(std::as_const(*this).find(session));
}
const Player* PlayerTable::find(SessionId session) const {
  const auto found = std::ranges::lower_bound(players_, session, {}, &Entry::session);
  return found == players_.end() || found->session != session ? nullptr : found->player.get();
}

PlayerTable::Entries::iterator PlayerTable::place_of(SessionId session) {
  return std::ranges::lower_bound(players_, session, {}, &Entry::session);
}

Player* PlayerTable::find_client(std::uint64_t client_id) {
  return const_cast<Player*>(std::as_const(*this).find_client(client_id));
}
const Player* PlayerTable::find_client(std::uint64_t client_id) const {
  const auto found = by_client_.lower_bound({client_id, 0});
  return found == by_client_.end() || found->first != client_id ? nullptr : find(found->second);
}

Player* PlayerTable::find_avatar(Handle avatar) {
  return const_cast<Player*>(std::as_const(*this).find_avatar(avatar));
}
const Player* PlayerTable::find_avatar(Handle avatar) const {
  const auto found = by_avatar_.find(avatar);
  return found == by_avatar_.end() ? nullptr : found->second;
}

Player& PlayerTable::add(std::unique_ptr<Player> player) {
  Player& added = *player;
  const auto at = place_of(added.session);
  PERIGEE_ASSERT(at == players_.end() || at->session != added.session,
                 "one player for each session");
  players_.insert(at, {added.session, std::move(player)});
  by_client_.emplace(added.client_id, added.session);
  const bool is_alone = by_avatar_.emplace(added.avatar, &added).second;
  PERIGEE_ASSERT(is_alone, "one player for each avatar");
  if (added.npc()) ++npcs_;
  return added;
}

std::unique_ptr<Player> PlayerTable::remove(SessionId session) {
  const auto at = place_of(session);
  if (at == players_.end() || at->session != session) return nullptr;
  std::unique_ptr<Player> removed = std::move(at->player);
  players_.erase(at);
  by_client_.erase({removed->client_id, session});
  by_avatar_.erase(removed->avatar);
  if (removed->npc()) --npcs_;
  return removed;
}

void PlayerTable::change_session(Player& player, SessionId session) {
  const auto from = place_of(player.session);
  PERIGEE_ASSERT(
      from != players_.end() && from->player.get() == &player && find(session) == nullptr,
      "from one session to a new one");
  Entry moved{session, std::move(from->player)};
  players_.erase(from);
  players_.insert(place_of(session), std::move(moved));
  by_client_.erase({player.client_id, player.session});
  by_client_.emplace(player.client_id, session);
  player.session = session;
}

}  // namespace perigee::worker
