#include "perigee/directory/members.hpp"

namespace perigee::directory {

std::string_view describe(Refusal refusal) {
  switch (refusal) {
    case Refusal::BadName:
      return "a member's name must be 1 to 64 letters, digits, dots, dashes or underscores";
    case Refusal::BadAddress:
      return "an address is missing or has port 0; set --advertise";
    case Refusal::PublicFabric:
      return "the fabric belongs on a private network: set --advertise to a private or loopback "
             "address";
    case Refusal::OtherGame:
      return "the living workers run another game or game version (another schema_hash()): give "
             "this worker the same --game, of the same version, or stop those first";
    case Refusal::OtherFabric:
      return "living members speak another version of the fabric";
    case Refusal::OtherWorkers:
      return "the living workers speak another version of the protocol between workers";
    case Refusal::NameTaken:
      return "a living member at another address has this name; set another --sim-name or "
             "--gateway-name, or wait 5 s if that member has died";
    case Refusal::AddressTaken:
      return "a living member with another name has this fabric address; set another --advertise "
             "or "
             "--port-base, or wait 5 s if that member has died";
    case Refusal::Full:
      return "all slots are taken by members that live or died within the last hour; reuse their "
             "names";
    case Refusal::NoHandles:
      return "all blocks of entity handles have been used, and none is known to be free again: "
             "wait until all regions have owners that answer, and a minute more; or stop all "
             "workers and begin a new world with perigee-directory --new-world";
  }
  return "refused";
}

}  // namespace perigee::directory
