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
  const auto found = players_.find(session);
  return found == players_.end() ? nullptr : found->second.get();
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
  const bool is_new = players_.emplace(added.session, std::move(player)).second;
  PERIGEE_ASSERT(is_new, "one player for each session");
  by_client_.emplace(added.client_id, added.session);
  const bool is_alone = by_avatar_.emplace(added.avatar, &added).second;
  PERIGEE_ASSERT(is_alone, "one player for each avatar");
  if (added.npc()) ++npcs_;
  return added;
}

std::unique_ptr<Player> PlayerTable::remove(SessionId session) {
  auto node = players_.extract(session);
  if (node.empty()) return nullptr;
  by_client_.erase({node.mapped()->client_id, session});
  by_avatar_.erase(node.mapped()->avatar);
  if (node.mapped()->npc()) --npcs_;
  return std::move(node.mapped());
}

void PlayerTable::change_session(Player& player, SessionId session) {
  auto node = players_.extract(player.session);
  PERIGEE_ASSERT(!node.empty() && !players_.contains(session), "from one session to a new one");
  by_client_.erase({player.client_id, player.session});
  by_client_.emplace(player.client_id, session);
  node.key() = session;
  players_.insert(std::move(node));
  player.session = session;
}

}  // namespace perigee::worker
