#include "lasting/profile_loads.hpp"

#include <utility>

namespace perigee::worker {
namespace {

bool unread(const Player& player) {
  return !player.npc() && player.profile.state == PlayerProfile::State::Unread;
}
std::uint64_t owner_of(const Player& player) {
  return profile_owner(player.account.player_id, player.client_id);
}

}  // namespace

ProfileLoads::Load* ProfileLoads::start(std::uint64_t owner, std::uint64_t issue) {
  if (loads_.size() >= loads_max) return nullptr;
  needs_.outputs.load_profile(owner, issue);
  return &loads_.emplace(owner, Load{.since = needs_.next}).first->second;
}

ProfileReady ProfileLoads::ready(const JoinRecord& join, const Address& gateway) {
  if (!needs_.outputs.load_profile) return ProfileReady::Yes;
  const std::uint64_t owner = profile_owner(join.account.player_id, join.client_id);
  const bool changes = needs_.records.has_open(owner) || needs_.records.is_replacing(join);
  if (changes) return ProfileReady::NotYet;  // the gateway asks again
  const auto found = loads_.find(owner);
  Load* load = found != loads_.end() ? &found->second : start(owner, join.issue);
  if (load == nullptr) return ProfileReady::Failed;
  load->join = {join, gateway};
  if (load->answered) return ProfileReady::Yes;
  const bool waits = ticks_between(load->since, needs_.next) < kept_ticks;
  return waits ? ProfileReady::NotYet : ProfileReady::Failed;
}

PlayerProfile ProfileLoads::take(const JoinRecord& join) {
  if (!needs_.outputs.load_profile) return needs_.records.read(std::nullopt);
  const auto load = loads_.extract(profile_owner(join.account.player_id, join.client_id));
  PERIGEE_ASSERT(!load.empty() && load.mapped().answered,
                 "a player joins when its profile is here");
  return needs_.records.read(load.mapped().profile);
}

void ProfileLoads::on_loaded(std::uint64_t owner, const std::optional<StoredProfile>& profile) {
  const auto found = loads_.find(owner);
  if (found == loads_.end() || found->second.answered) return;
  if (const auto join = found->second.join) {
    found->second.answered = true;
    found->second.profile = profile;
    return needs_.join(join->first, join->second);
  }
  loads_.erase(found);
  for (Player& player : needs_.players) {
    if (unread(player) && owner_of(player) == owner) needs_.records.set(player, profile);
  }
}

void ProfileLoads::after_tick() {
  std::erase_if(loads_, [&](const auto& each) {
    return ticks_between(each.second.since, needs_.next) > kept_ticks;
  });
  if (!needs_.outputs.load_profile || needs_.next.count % look_ticks != 0) return;
  for (const Player& player : needs_.players) {
    if (!unread(player) || needs_.records.has_open(owner_of(player))) continue;
    if (!loads_.contains(owner_of(player))) start(owner_of(player), player.issue);
  }
}

}  // namespace perigee::worker
