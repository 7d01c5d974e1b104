#include "lasting/profile_loads.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {

void ProfileLoads::start(SessionId session, std::uint64_t owner,
                         const std::optional<std::pair<JoinRecord, Address>>& join) {
  if (loads_.size() >= loads_max) return;
  loads_[session] = {++newest_, needs_.next, join, {}};
  needs_.outputs.take_profile(newest_, owner);
}

bool ProfileLoads::pending(SessionId session) const {
  const auto load = loads_.find(session);
  return load != loads_.end() && !load->second.taken;
}

bool ProfileLoads::ready(const JoinRecord& join, const Address& gateway) {
  if (!needs_.outputs.take_profile) return true;
  if (needs_.records.may_change(join)) return false;  // the gateway asks again
  const auto load = loads_.find(join.session);
  if (load != loads_.end()) return load->second.taken.has_value();
  start(join.session, profile_owner(join.account.player_id, join.client_id),
        std::pair(join, gateway));
  return false;
}

PlayerProfile ProfileLoads::take(SessionId session) {
  if (!needs_.outputs.take_profile) return needs_.records.read({});
  const auto load = loads_.extract(session);
  PERIGEE_ASSERT(!load.empty() && load.mapped().taken, "a player joins when its profile is here");
  return needs_.records.read(*load.mapped().taken);
}

void ProfileLoads::on_leave(SessionId session) { loads_.erase(session); }

void ProfileLoads::on_taken(std::uint64_t number, const TakenProfile& profile) {
  const auto found = std::find_if(loads_.begin(), loads_.end(), [&](const auto& each) {
    return each.second.number == number && !each.second.taken;
  });
  if (found == loads_.end()) return;
  if (profile.lease == 0) return needs_.counts.add(metric.lasting_fenced);
  if (const auto join = found->second.join) {
    found->second.taken = profile;
    return needs_.join(join->first, join->second);
  }
  Player* player = needs_.players.find(found->first);
  loads_.erase(found);
  if (player != nullptr) needs_.records.set(*player, profile);
}

void ProfileLoads::after_tick() {
  std::erase_if(loads_, [&](const auto& each) {
    return ticks_between(each.second.since, needs_.next) > patience_ticks;
  });
  if (!needs_.outputs.take_profile || needs_.next.count % look_ticks != 0) return;
  for (const Player& player : needs_.players) {
    const bool unread = !player.npc() && player.profile.state == PlayerProfile::State::Unread;
    if (!unread || player.lost || loads_.contains(player.session)) continue;
    start(player.session, profile_owner(player.account.player_id, player.client_id), {});
  }
}

}  // namespace perigee::worker
