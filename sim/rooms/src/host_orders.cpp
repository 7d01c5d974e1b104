// The orders of operators and matchmakers: rooms begin, rooms end, players are invited.
#include <algorithm>
#include <utility>

#include "fabric_addresses.hpp"
#include "perigee/rooms/host.hpp"
#include "perigee/transport/player_token.hpp"

namespace perigee::rooms {

const world::GameModule* Host::game_of(std::string_view stage) const {
  if (stage.empty()) return needs_.stages.front().game.get();
  const auto found = std::find_if(needs_.stages.begin(), needs_.stages.end(),
                                  [&](const plugin::Stage& each) { return each.name == stage; });
  return found == needs_.stages.end() ? nullptr : found->game.get();
}

std::optional<Refusal> Host::refusal(Micros now_us, const RoomPlan& plan) const {
  if (refusing_) return Refusal::Stopping;
  if (plan.key.size() > room_text_bytes_max || plan.label.size() > room_text_bytes_max) {
    return Refusal::TooLong;
  }
  if (game_of(plan.stage) == nullptr) return Refusal::NoSuchStage;
  if (plan.players_max > settings_.players_max) return Refusal::PlayersMax;
  if (free_slots_.empty()) return Refusal::RoomsFull;
  if (overload_.overloaded(now_us)) return Refusal::Overloaded;
  return std::nullopt;
}

std::variant<RoomFigures, Refusal> Host::create(Micros now_us, RoomPlan plan) {
  if (!plan.key.empty()) {
    const auto same = [&](const auto& of) { return of.key == plan.key; };
    for (const auto& room : rooms_) {
      if (same(room->plan())) return room->figures();
    }
    for (const Ending& ending : ending_) {
      if (same(ending.figures.plan)) return ending.figures;
    }
    for (const RoomFigures& ended : ended_) {
      if (same(ended.plan)) return ended;
    }
  }
  keep_time(now_us);  // the new room begins now: the others must not owe the ticks of a stall
  if (rooms_.empty()) overload_ = {};
  if (const auto refused = refusal(now_us, plan)) return *refused;
  if (plan.players_max == 0) plan.players_max = settings_.players_max;
  const WorkerSlot slot = free_slots_.front();
  free_slots_.pop_front();
  last_region_ = last_region_.next();
  const world::GameModule& game = *game_of(plan.stage);
  const auto settings = small_worker(settings_.worker, plan.players_max);
  auto room = std::make_unique<Room>(
      Room::Setup{.id = RoomId(run_, last_region_),
                  .plan = std::move(plan),
                  .game = game,
                  .slot = slot,
                  .settings = settings,
                  .unix_s = unix_s(now_us),
                  .now_us = now_us,
                  .send = [this, slot](const Address&, std::span<const std::byte> bytes) {
                    if (by_slot_[slot.index()] != nullptr) parcels_.add(true, slot, bytes);
                  }});
  by_slot_[slot.index()] = room.get();
  connect_records(*room);
  map_.add(slot, worker_fabric(slot), last_region_, settings_.world_low, settings_.world_high);
  needs_.outputs.on_tick_begins(room->id());
  room->worker().on_map(map_.map_of(slot), tick_at(map_.map().time, now_us) + 1);
  rooms_.push_back(std::move(room));
  door_.on_map(now_us, map_.map());
  RoomFigures began = rooms_.back()->figures();
  needs_.outputs.on_began(began);
  return began;
}

std::variant<RoomFigures, Refusal> Host::end(Micros now_us, RoomId id) {
  const auto room = std::find_if(rooms_.begin(), rooms_.end(),
                                 [&](const auto& each) { return each->id() == id; });
  if (room != rooms_.end()) {
    return finish(now_us, static_cast<std::size_t>(room - rooms_.begin()), EndReason::Asked);
  }
  if (const auto ended = figures(id)) return *ended;
  return Refusal::NoSuchRoom;
}

/// The gateway disconnects clients without a region.
RoomFigures Host::finish(Micros now_us, std::size_t index, EndReason reason) {
  std::unique_ptr<Room> room = std::move(rooms_[index]);
  rooms_.erase(rooms_.begin() + static_cast<std::ptrdiff_t>(index));
  RoomFigures figures = room->figures();
  figures.state = RoomState::Ending;
  figures.players = 0;
  figures.end_reason = reason;
  map_.remove(room->slot());
  by_slot_[room->slot().index()] = nullptr;  // from now on it sends nothing
  door_.on_map(now_us, map_.map());
  records_.stop_reading(room->id());
  let_players_leave(*room);
  ending_.push_back({std::move(room), figures, now_us + stored_us_max});
  return end_if_stored(now_us, ending_.size() - 1);
}

void Host::stop(Micros now_us) {
  refusing_ = true;
  while (!rooms_.empty()) finish(now_us, rooms_.size() - 1, EndReason::Stopping);
  door_.disconnect_all(now_us);
}

Room* Host::room_of(std::uint64_t client_id) const {
  const auto found = std::find_if(rooms_.begin(), rooms_.end(),
                                  [&](const auto& room) { return room->has_member(client_id); });
  return found == rooms_.end() ? nullptr : found->get();
}

/// The gateway has no place for more clients than these.
std::size_t Host::seats_of_all(Micros now_us) {
  std::vector<std::vector<Room::Seat>> connected(by_slot_.size());
  door_.for_each_region_of_player([&](const gateway::Session& session, RegionId region) {
    if (const Room* room = find(RoomId(run_, region))) {
      connected[room->slot().index()].push_back(
          {session.client.client_id, session.client.account.player_id});
    }
  });
  std::size_t seats = 0;
  for (const auto& room : rooms_) {
    seats += room->seats(now_us, std::move(connected[room->slot().index()])).size();
  }
  return seats;
}

std::vector<Room::Seat> Host::connected_in(RegionId region) const {
  std::vector<Room::Seat> seats;
  door_.for_each_region_of_player([&](const gateway::Session& session, RegionId of) {
    if (of != region) return;
    seats.push_back({session.client.client_id, session.client.account.player_id});
  });
  return seats;
}

std::variant<transport::ConnectToken, Refusal> Host::invite(Micros now_us, RoomId id,
                                                            const Invitation& invitation) {
  if (invitation.name.size() > player_name_bytes_max ||
      invitation.claims.size() > player_claims_bytes_max) {
    return Refusal::TooLong;
  }
  Room* room = find(id);
  if (room == nullptr) return figures(id) ? Refusal::RoomEnded : Refusal::NoSuchRoom;
  const auto seats = room->seats(now_us, connected_in(id.region()));
  const auto own = std::find_if(seats.begin(), seats.end(), [&](const Room::Seat& seat) {
    return invitation.player_id != 0 && seat.player_id == invitation.player_id;
  });
  std::uint64_t client_id =
      own != seats.end() ? own->client_id : room->member_of(invitation.player_id);
  if (own == seats.end()) {
    if (seats.size() >= room->plan().players_max) return Refusal::RoomFull;
    if (seats_of_all(now_us) >= settings_.clients_max) return Refusal::ClientsFull;
  }
  while (client_id == 0) needs_.random(std::as_writable_bytes(std::span(&client_id, 1)));
  now_us_ = now_us;
  PlayerAccount account{.player_id = invitation.player_id, .name = {}, .claims = {}};
  for (const char c : invitation.name) account.name.push_back(c);
  for (const char c : invitation.claims) account.claims.push_back(c);
  const auto made = token(id.region(), client_id, account, transport::token_life_s);
  room->invite(now_us, {client_id, invitation.player_id}, issue_);
  return made;
}

std::optional<Refusal> Host::remove_player(Micros now_us, RoomId id, std::uint64_t player_id) {
  Room* room = find(id);
  if (room == nullptr) return figures(id) ? Refusal::RoomEnded : Refusal::NoSuchRoom;
  const std::uint64_t client_id = room->member_of(player_id);
  if (client_id == 0) return Refusal::NoSuchPlayer;
  room->forget(client_id, issue_);
  door_.kick_client(now_us, client_id);
  return std::nullopt;
}

transport::ConnectToken Host::token(RegionId region, std::uint64_t client_id,
                                    const PlayerAccount& of, std::uint64_t life_s) {
  // The profile in the store is that of the newest session, also of former runs and other
  // processes.
  constexpr int tokens_per_s_bits = 20;
  issue_ = std::max(issue_ + 1, unix_s(now_us_) << tokens_per_s_bits);
  transport::PlayerPass pass{.wire_version = wire_version,
                             .schema_hash = schema_hash_,
                             .home_region = region,
                             .player_name = of.name,
                             .issue = issue_,
                             .player_id = of.player_id,
                             .player_claims = of.claims};
  return transport::make_player_token({.client_id = client_id,
                                       .gateway = settings_.address,
                                       .create_time_s = unix_s(now_us_),
                                       .life_s = life_s,
                                       .pass = pass},
                                      key_, needs_.random);
}

/// The gateway itself remembers used tokens; no other gateway has the key.
void Host::answer_claims(Micros now_us) {
  for (const transport::ClaimRequest& claim : std::exchange(claims_, {})) {
    Room* room = room_of(claim.client_id);
    const bool admitted =
        room != nullptr && room->admit(now_us, claim.client_id, connected_in(room->id().region()));
    door_.on_claim(now_us, claim.claim_id,
                   admitted ? transport::ClaimAnswer::Granted : transport::ClaimAnswer::Refused);
  }
}

/// A client that reconnects comes back to its room, under its name.
void Host::answer_resumes(Micros now_us) {
  for (const std::uint64_t client_id : std::exchange(resumes_, {})) {
    std::optional<transport::ConnectToken> made;
    door_.for_each_region_of_player([&](const gateway::Session& session, RegionId region) {
      if (made || session.client.client_id != client_id) return;
      made = token(region, client_id, session.client.account, resume_token_life_s);
      if (Room* room = find(RoomId(run_, region))) {
        room->note_token(client_id, now_us + Micros{resume_token_life_s} * 1'000'000);
      }
    });
    if (made) door_.on_resume_token(now_us, client_id, *made);
  }
}

}  // namespace perigee::rooms
