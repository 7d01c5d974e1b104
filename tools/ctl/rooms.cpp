// perigee-ctl rooms, room-create, room-end, room-remove: the rooms of a process of rooms.
#include "calls.hpp"
#include "rooms.grpc.pb.h"

namespace perigee::session {
namespace {

namespace games = rooms::v1;
using OfRooms = games::Rooms::Stub;

std::unique_ptr<OfRooms> stub_of(const std::string& target) {
  return games::Rooms::NewStub(dial(target));
}
Service service_at(const std::string& target) { return {"perigee-rooms", target}; }

int list_rooms(const std::string& target, bool all) {
  const auto stub = stub_of(target);
  games::ListRoomsRequest request;
  request.set_open_only(!all);
  std::size_t count = 0;
  print_head("%-20s  %-8s  %-8s  %7s  %8s  %8s  %-20s  %-16s  %s\n", "room", "state", "reason",
             "players", "entities", "p99 (ms)", "began", "stage", "label");
  do {
    games::ListRoomsReply reply;
    if (!call(*stub, &OfRooms::ListRooms, request, reply, service_at(target))) {
      return host::exit_failed;
    }
    for (const games::Room& room : reply.rooms()) {
      ++count;
      if (print_json(room)) continue;
      const std::string players =
          std::to_string(room.players()) + "/" + std::to_string(room.players_max());
      std::printf("%-20llu  %-8s  %-8s  %7s  %8u  %8.2f  %-20s  %-16s  %s\n",
                  static_cast<unsigned long long>(room.room()), room.state().c_str(),
                  room.end_reason().c_str(), players.c_str(), room.entities(), room.tick_p99_ms(),
                  time_of(room.began_unix_s()).c_str(), shown(room.stage()).c_str(),
                  shown(room.label()).c_str());
    }
    request.set_page_token(reply.next_page_token());
  } while (!request.page_token().empty());
  std::fprintf(stderr, "%zu rooms\n", count);
  return host::exit_ok;
}

}  // namespace

struct RoomOrders::Words {
  CLI::App *list, *create, *end, *remove;
  std::string target = "127.0.0.1:40081";
  std::uint64_t room = 0, player_id = 0;
  std::string key, stage, label;
  std::uint32_t players_max = 0, life_s = 0;
  bool all = false;
};

RoomOrders::RoomOrders(CLI::App& app) : words_(std::make_shared<Words>()) {
  Words& w = *words_;
  app.add_option("--rooms", w.target, "host:port of perigee-rooms' gRPC port")
      ->envname("PERIGEE_ROOMS")
      ->capture_default_str();
  w.list = app.add_subcommand("rooms", "list the rooms of a process, the newest first");
  w.list->add_flag("--all", w.all, "include rooms that ended within the last ten minutes");
  w.create = app.add_subcommand("room-create", "begin a room, and print its number");
  w.create->add_option("--stage", w.stage, "one of the game's worlds; default: the process's");
  w.create->add_option("--label", w.label, "for operators");
  w.create->add_option("--key", w.key, "a second order with the same key gets the same room");
  w.create->add_option("--players-max", w.players_max, "default: rooms.players_max");
  w.create->add_option("--life", w.life_s, "seconds after which it ends; default: no limit");
  w.end = app.add_subcommand("room-end", "end a room: its players are disconnected");
  w.end->add_option("room", w.room, "number of the room, as listed by rooms")->required();
  w.remove =
      app.add_subcommand("room-remove", "disconnect a player of a room, and void its tokens");
  w.remove->add_option("room", w.room, "number of the room, as listed by rooms")->required();
  w.remove->add_option("player", w.player_id, "id of the player's account")->required();
}

std::optional<int> RoomOrders::run() const {
  const Words& w = *words_;
  if (w.list->parsed()) return list_rooms(w.target, w.all);
  games::Room room;
  if (w.create->parsed()) {
    games::CreateRoomRequest request;
    request.set_stage(w.stage);
    request.set_label(w.label);
    request.set_key(w.key);
    request.set_players_max(w.players_max);
    request.set_life_s(w.life_s);
    const auto stub = stub_of(w.target);
    if (!call(*stub, &OfRooms::CreateRoom, request, room, service_at(w.target))) {
      return host::exit_failed;
    }
    if (print_json(room)) return host::exit_ok;
    std::printf("%llu\n", static_cast<unsigned long long>(room.room()));
    return host::exit_ok;
  }
  if (w.end->parsed()) {
    games::EndRoomRequest request;
    request.set_room(w.room);
    const auto stub = stub_of(w.target);
    if (!call(*stub, &OfRooms::EndRoom, request, room, service_at(w.target))) {
      return host::exit_failed;
    }
    if (print_json(room)) return host::exit_ok;
    std::printf("%s: %s\n", room.state().c_str(), room.end_reason().c_str());
    return host::exit_ok;
  }
  if (w.remove->parsed()) {
    games::RemovePlayerRequest request;
    request.set_room(w.room);
    request.set_player_id(w.player_id);
    games::RemovePlayerReply reply;
    const auto stub = stub_of(w.target);
    const bool done = call(*stub, &OfRooms::RemovePlayer, request, reply, service_at(w.target));
    if (done) print_json(reply);
    return done ? host::exit_ok : host::exit_failed;
  }
  return std::nullopt;
}

}  // namespace perigee::session
