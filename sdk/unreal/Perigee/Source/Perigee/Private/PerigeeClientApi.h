// The functions of perigee_client.h, found by name in a library that was loaded at run time. No
// part of it needs Unreal.
#pragma once

#include <perigee/client/perigee_client.h>

#include <cstddef>

struct FPerigeeClientApi {
#define PERIGEE_FUNCTION(Name) decltype(&perigee_client_##Name) Name = nullptr;
#define PERIGEE_FUNCTIONS             \
  PERIGEE_FUNCTION(abi)               \
  PERIGEE_FUNCTION(struct_bytes)      \
  PERIGEE_FUNCTION(create)            \
  PERIGEE_FUNCTION(destroy)           \
  PERIGEE_FUNCTION(wire_version)      \
  PERIGEE_FUNCTION(schema_hash)       \
  PERIGEE_FUNCTION(begin)             \
  PERIGEE_FUNCTION(receive)           \
  PERIGEE_FUNCTION(advance)           \
  PERIGEE_FUNCTION(set_input)         \
  PERIGEE_FUNCTION(own_input_bytes)   \
  PERIGEE_FUNCTION(set_own_input)     \
  PERIGEE_FUNCTION(poll_send)         \
  PERIGEE_FUNCTION(disconnect)        \
  PERIGEE_FUNCTION(get_state)         \
  PERIGEE_FUNCTION(scene)             \
  PERIGEE_FUNCTION(type_name)         \
  PERIGEE_FUNCTION(cues)              \
  PERIGEE_FUNCTION(heard)             \
  PERIGEE_FUNCTION(player_name)       \
  PERIGEE_FUNCTION(type_state_bytes)  \
  PERIGEE_FUNCTION(game_state)        \
  PERIGEE_FUNCTION(world_state_bytes) \
  PERIGEE_FUNCTION(world_state)       \
  PERIGEE_FUNCTION(send_message)      \
  PERIGEE_FUNCTION(messages)          \
  PERIGEE_FUNCTION(get_telemetry)
  PERIGEE_FUNCTIONS
#undef PERIGEE_FUNCTION

  /// `Find`: address of a function by its name. Returns what is wrong with the library; null:
  /// nothing.
  template <class FFind>
  const char* Load(FFind Find) {
#define PERIGEE_FUNCTION(Name)                                            \
  Name = reinterpret_cast<decltype(Name)>(Find("perigee_client_" #Name)); \
  if (Name == nullptr) return "it has no perigee_client_" #Name;
    PERIGEE_FUNCTIONS
#undef PERIGEE_FUNCTION
    if (abi() != PERIGEE_CLIENT_ABI) return "it has another ABI than the plugin";
    const bool bOlder = struct_bytes("input") < sizeof(perigee_client_input) ||
                        struct_bytes("entity") < sizeof(perigee_client_entity) ||
                        struct_bytes("cue") < sizeof(perigee_client_cue) ||
                        struct_bytes("heard_cue") < sizeof(perigee_client_heard_cue) ||
                        struct_bytes("telemetry") < sizeof(perigee_client_telemetry);
    return bOlder ? "it is older than the plugin" : nullptr;
  }
};
