#include "perigee/rooms/room_plan.hpp"

#include <array>

namespace perigee::rooms {

std::string_view to_text(RoomState state) {
  static constexpr std::array<std::string_view, 4> texts{"waiting", "playing", "ending", "ended"};
  return texts.at(static_cast<std::size_t>(state));
}

std::string_view to_text(EndReason reason) {
  static constexpr std::array<std::string_view, 8> texts{
      "", "asked", "empty", "unused", "finished", "too_old", "stopping", "too_slow"};
  return texts.at(static_cast<std::size_t>(reason));
}

std::string_view to_sentence(Refusal refusal) {
  switch (refusal) {
    case Refusal::Stopping:
      return "the process is stopping; create rooms at another one";
    case Refusal::RoomsFull:
      return "rooms.max rooms are open; end one, raise the setting, or use another process";
    case Refusal::Overloaded:
      return "the ticks of the open rooms are late; create rooms at another process";
    case Refusal::NoSuchStage:
      return "the game has no stage of that name; ListRooms shows those of the open rooms, and "
             "perigee-rooms --help the setting `stage`";
    case Refusal::TooLong:
      return "a key and a label have at most 64 bytes, a name 32, claims 128";
    case Refusal::PlayersMax:
      return "players_max is above the setting rooms.players_max";
    case Refusal::NoSuchRoom:
      return "no such room; rooms are forgotten ten minutes after their end, and when the process "
             "ends";
    case Refusal::RoomEnded:
      return "the room has ended; create another one";
    case Refusal::RoomFull:
      return "players and open invitations fill the room; an invitation that is not used expires "
             "after 30 s";
    case Refusal::ClientsFull:
      return "players and open invitations of all rooms are rooms.clients_max; raise the setting, "
             "or "
             "use rooms of another process";
    case Refusal::NoSuchPlayer:
      return "the room has no player of that id; a player without an account cannot be named";
  }
  return "";
}

}  // namespace perigee::rooms
