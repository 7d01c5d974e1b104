#include "lasting/profile_loads.hpp"

#include <utility>

namespace perigee::worker {

ProfileLoads::Load* ProfileLoads::start(std::uint64_t client_id) {
  if (loads_.size() >= loads_max) return nullptr;
  needs_.outputs.load_profile(client_id);
  return &loads_.emplace(client_id, Load{.since = needs_.next}).first->second;
}

ProfileReady ProfileLoads::ready(const JoinRecord& join, const Address& gateway) {
  if (!needs_.outputs.load_profile) return ProfileReady::Yes;
  if (needs_.records.has_open(join.client_id))
    return ProfileReady::NotYet;  // the gateway asks again
  const auto found = loads_.find(join.client_id);
  Load* load = found != loads_.end() ? &found->second : start(join.client_id);
  if (load == nullptr) return ProfileReady::Failed;
  load->join = {join, gateway};
  if (load->answered) return ProfileReady::Yes;
  return ticks_between(load->since, needs_.next) < kept_ticks ? ProfileReady::NotYet
                                                              : ProfileReady::Failed;
}

PlayerProfile ProfileLoads::take(std::uint64_t client_id) {
  if (!needs_.outputs.load_profile) return needs_.records.read(std::nullopt);
  const auto load = loads_.extract(client_id);
  PERIGEE_ASSERT(!load.empty() && load.mapped().answered,
                 "a player joins when its profile is here");
  return needs_.records.read(load.mapped().profile);
}

void ProfileLoads::on_loaded(std::uint64_t client_id, const std::optional<StoredProfile>& profile) {
  const auto found = loads_.find(client_id);
  if (found == loads_.end() || found->second.answered) return;
  if (const auto join = found->second.join) {
    found->second.answered = true;
    found->second.profile = profile;
    return needs_.join(join->first, join->second);
  }
  loads_.erase(found);
  Player* player = needs_.players.find_client(client_id);
  if (player != nullptr && player->profile.state == PlayerProfile::State::Unread)
    needs_.records.set(*player, profile);
}

void ProfileLoads::after_tick() {
  std::erase_if(loads_, [&](const auto& each) {
    return ticks_between(each.second.since, needs_.next) > kept_ticks;
  });
  if (!needs_.outputs.load_profile || needs_.next.count % look_ticks != 0) return;
  for (const Player& player : needs_.players) {
    const bool unread = !player.npc() && player.profile.state == PlayerProfile::State::Unread;
    if (!unread || needs_.records.has_open(player.client_id)) continue;
    if (!loads_.contains(player.client_id)) start(player.client_id);
  }
}

}  // namespace perigee::worker
