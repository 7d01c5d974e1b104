// A group as another worker takes it: entities with their past, and the players among them with
// every input that may still count. The sender forgets all of it; who takes it goes on from the
// same tick, and runs again what was still open. (S9 across workers)
#include <algorithm>

#include "observer_state.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/world/group.hpp"
#include "player_codec.hpp"

namespace perigee::worker {
namespace {

constexpr std::uint16_t format = 1;

template <class Number>
void put(std::vector<std::byte>& out, Number value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

}  // namespace

bool Core::can_give(Handle of) const {
  const world::Group group = world_->group_of(of);
  return !group.members.empty() && group.foreign.empty();
}

std::vector<std::byte> Core::give(Handle of) {
  PERIGEE_ASSERT(can_give(of), "what is bound to another worker's goes to that worker");
  const world::Group group = world_->group_of(of);
  const auto past = world::to_bytes(world_->extract(group.members));
  std::vector<SessionId> crew;
  for (const auto& [session, player] : players_) {
    const auto& members = group.members;
    if (std::find(members.begin(), members.end(), player->avatar) != members.end()) {
      crew.push_back(session);
    }
  }
  std::vector<std::byte> out;
  put(out, format);
  put(out, static_cast<std::uint32_t>(past.size()));
  out.insert(out.end(), past.begin(), past.end());
  put(out, static_cast<std::uint16_t>(crew.size()));
  const auto shapes = shapes_of(game_);
  for (const SessionId session : crew) append(out, *players_.at(session), next_, shapes);
  for (const SessionId session : crew) {
    players_.erase(session);
    if (const auto seen = observers_.find(session); seen != observers_.end()) {
      seen->second->observer.avatar = no_entity;
    }
  }
  world_->release(group.members);
  return out;
}

bool Core::take(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  std::uint16_t version = 0;
  std::uint32_t size = 0;
  std::span<const std::byte> world_bytes;
  std::uint16_t crew = 0;
  if (!reader.number(version) || version != format || !reader.number(size) ||
      !reader.view(world_bytes, size) || !reader.number(crew)) {
    return false;
  }
  const auto past = world::group_from_bytes(world_bytes, game_.types());
  if (!past || past->now != next_ || players_.size() + crew > settings_.players_max) {
    return false;
  }
  const auto shapes = shapes_of(game_);
  std::vector<std::unique_ptr<Player>> players;
  for (std::uint16_t i = 0; i < crew; ++i) {
    auto player = read_player(reader, next_, settings_.inputs, shapes);
    if (player == nullptr || players_.contains(player->session)) return false;
    const auto avatar =
        std::find_if(past->entities.begin(), past->entities.end(),
                     [&](const auto& each) { return each.entity.handle == player->avatar; });
    if (avatar == past->entities.end()) return false;
    player->params = &game_.types()[avatar->entity.type].actor;
    player->recorded = next_;
    if (!play_again(*player, next_, game_)) return false;
    players.push_back(std::move(player));
  }
  if (!reader.at_end() || !world_->insert(*past)) return false;
  for (auto& player : players) {
    if (settings_.recorder) {
      player->recorder =
          std::make_unique<replay::FlightRecorder>(game_.types(), *settings_.recorder);
    }
    observer(player->session).observer.avatar = player->avatar;
    const SessionId session = player->session;
    players_.emplace(session, std::move(player));
  }
  return true;
}

}  // namespace perigee::worker
