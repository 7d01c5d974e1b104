// The game's side of perigee_client.h: outcomes, states and names.
#include <cstring>

#include "c_client.hpp"
#include "c_values.hpp"

using namespace perigee;
using namespace perigee::client::c_values;

int perigee_client_outcomes(const perigee_client* client, perigee_client_outcome* outcomes,
                            size_t outcome_bytes, size_t capacity) {
  if (client == nullptr || outcome_bytes < outcome_bytes_1 ||
      (outcomes == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return write_all(client->inner.outcomes(), outcomes, outcome_bytes, capacity);
}

int perigee_client_game_state(const perigee_client* client, uint32_t handle, void* state,
                              size_t state_bytes) {
  if (client == nullptr || state == nullptr || state_bytes > world::GameState::bytes_max) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  const auto known = client->inner.game_state(handle);
  if (!known) return 0;
  std::memcpy(state, known->bytes.data(), state_bytes);
  return 1;
}

int perigee_client_player_name(const perigee_client* client, uint32_t handle, char* name,
                               size_t capacity) {
  if (client == nullptr || name == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  const std::string_view known = client->inner.player_name(handle);
  if (known.size() >= capacity) return PERIGEE_CLIENT_BUFFER_TOO_SMALL;
  std::memcpy(name, known.data(), known.size());
  name[known.size()] = 0;
  return static_cast<int>(known.size());
}
