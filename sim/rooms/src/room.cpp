#include "perigee/rooms/room.hpp"

#include <algorithm>
#include <utility>

#include "perigee/transport/connect_token.hpp"

namespace perigee::rooms {
namespace {

/// A player that has lost its connection keeps its avatar beside the one that takes its place.
constexpr std::uint32_t players_spare = 2;
/// Enough for three seconds of a player with an interrupted path; 1.3 MB.
constexpr std::size_t gap_steps_min = 192;
constexpr Micros second_us = 1'000'000;

bool passed(Micros since_us, Micros now_us, std::uint32_t seconds) {
  return seconds != 0 && now_us - since_us >= Micros{seconds} * second_us;
}

}  // namespace

worker::Settings small_worker(worker::Settings settings, std::uint32_t players_max) {
  settings.players_max = players_max + players_spare;
  settings.gap_steps_max = std::max(gap_steps_min, std::size_t{8} * settings.players_max);
  settings.journal_entries_max = 256;
  settings.projectiles_max = 256;
  settings.recorders = 0;
  settings.recorder.reset();
  return settings;
}

Room::Room(Setup setup)
    : id_(setup.id),
      plan_(std::move(setup.plan)),
      began_unix_s_(setup.unix_s),
      began_us_(setup.now_us),
      quiet_since_us_(setup.now_us),
      worker_(setup.settings, setup.game, setup.slot, std::move(setup.send)) {}

void Room::note_clients(Micros now_us, std::uint32_t clients) {
  clients_ = clients;
  if (clients == 0) return;
  played_ = true;
  quiet_since_us_ = now_us;
}

EndReason Room::due(Micros now_us) const {
  if (worker_.journal().world_ended()) return EndReason::Finished;
  if (passed(began_us_, now_us, plan_.life_s)) return EndReason::TooOld;
  if (clients_ > 0) return EndReason::None;
  const bool awaited = std::any_of(members_.begin(), members_.end(), [&](const Member& member) {
    return member.invited_until_us > now_us;
  });
  if (awaited) return EndReason::None;
  if (!passed(quiet_since_us_, now_us, played_ ? plan_.empty_s : plan_.unused_s)) {
    return EndReason::None;
  }
  return played_ ? EndReason::Empty : EndReason::Unused;
}

void Room::invite(Micros now_us, const Seat& seat, std::uint64_t issue) {
  const Micros until_us = now_us + static_cast<Micros>(transport::token_life_s) * second_us;
  const auto known = index_of(seat.client_id);
  Member& member = known ? members_[*known] : members_.emplace_back();
  member = {seat, issue, until_us, std::max(member.tokens_until_us, until_us)};
}

std::vector<Room::Seat> Room::seats(Micros now_us, std::vector<Seat> connected) {
  const auto has = [&](std::uint64_t client_id) {
    return std::any_of(connected.begin(), connected.end(),
                       [&](const Seat& seat) { return seat.client_id == client_id; });
  };
  worker_.for_each_player([&](const worker::Player& player) {
    if (player.npc() || has(player.client_id)) return;
    connected.push_back({player.client_id, player.account.player_id});
  });
  std::erase_if(members_, [&](const Member& member) {
    return member.tokens_until_us <= now_us && !has(member.seat.client_id);
  });
  for (const Member& member : members_) {
    if (member.invited_until_us <= now_us || has(member.seat.client_id)) continue;
    connected.push_back(member.seat);
  }
  return connected;
}

/// A client that was away for longer than its avatar may find that others have its seat.
bool Room::admit(Micros now_us, std::uint64_t client_id, std::vector<Seat> connected) {
  const auto taken = seats(now_us, std::move(connected));
  const auto index = index_of(client_id);
  if (!index) return false;
  const bool seated = std::any_of(taken.begin(), taken.end(),
                                  [&](const Seat& seat) { return seat.client_id == client_id; });
  if (!seated && taken.size() >= plan_.players_max) return false;
  members_[*index].invited_until_us = 0;
  return true;
}

std::uint64_t Room::member_of(std::uint64_t player_id) const {
  for (const Member& member : members_) {
    if (player_id != 0 && member.seat.player_id == player_id) return member.seat.client_id;
  }
  return 0;
}

void Room::note_token(std::uint64_t client_id, Micros until_us) {
  if (const auto index = index_of(client_id)) members_[*index].tokens_until_us = until_us;
}

void Room::forget(std::uint64_t client_id, std::uint64_t issue) {
  std::erase_if(members_, [&](const Member& member) {
    return member.seat.client_id == client_id && member.issue <= issue;
  });
}

std::optional<std::size_t> Room::index_of(std::uint64_t client_id) const {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].seat.client_id == client_id) return i;
  }
  return std::nullopt;
}

void Room::end_period() {
  mean_tick_us_ = spent_ticks_ > 0 ? spent_us_ / spent_ticks_ : 0;
  spent_us_ = spent_ticks_ = 0;
}

RoomFigures Room::figures() const {
  return {.id = id_,
          .plan = plan_,
          .state = played_ ? RoomState::Playing : RoomState::Waiting,
          .game_reason = worker_.journal().world_ended().value_or(0),
          .began_unix_s = began_unix_s_,
          .players = clients_,
          .entities = worker_.summary().entities,
          .tick_p50_us = ticks_.quantile_us(0.5),
          .tick_p99_us = ticks_.quantile_us(0.99)};
}

}  // namespace perigee::rooms
