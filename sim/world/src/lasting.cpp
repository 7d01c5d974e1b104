#include "perigee/world/lasting.hpp"

namespace perigee::world {

std::string_view to_sentence(KeepRefusal refusal) {
  switch (refusal) {
    case KeepRefusal::None:
      return "done";
    case KeepRefusal::NoPlayer:
      return "no player: the actor has left, is another worker's, or is an NPC";
    case KeepRefusal::Size:
      return "too long: a profile has at most 65,536 bytes, a result 1 to 256";
    case KeepRefusal::Full:
      return "too many records wait for the world store: try again in a later tick";
    case KeepRefusal::NoStore:
      return "the worker has no world store: set sim.world_store";
    case KeepRefusal::NotRead:
      return "the profile has not been read since the world restarted: try again in a later tick";
    case KeepRefusal::OtherGame:
      return "the stored profile is of a version that upgrade_profile() does not know";
    case KeepRefusal::Superseded:
      return "a newer session of the account is in the world, and has the profile";
    case KeepRefusal::Rehearsal:
      return "this commit only computes a refund";
  }
  return {};
}

}  // namespace perigee::world
