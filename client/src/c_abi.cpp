// Implements perigee_client.h with Client: checks arguments, copies results, and lets no exception
// pass.
#include "perigee/client/c_abi.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "c_client.hpp"
#include "c_values.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/world/schema.hpp"

using namespace perigee;
using namespace perigee::client::c_values;
using perigee::client::guarded;

namespace {

static_assert(PERIGEE_CLIENT_DATAGRAM_BYTES_MAX == transport::datagram_bytes_max);
static_assert(PERIGEE_CLIENT_MESSAGE_BYTES_MAX == message_bytes_max);
static_assert(PERIGEE_CLIENT_TOKEN_EXPIRED == static_cast<int>(transport::ClientState::Expired));
static_assert(PERIGEE_CLIENT_DENIED == static_cast<int>(transport::ClientState::Denied));
static_assert(PERIGEE_CLIENT_FIRE == button_fire && PERIGEE_CLIENT_ALTERNATE == button_alternate &&
              PERIGEE_CLIENT_JUMP == button_jump && PERIGEE_CLIENT_DAMPERS == button_dampers &&
              PERIGEE_CLIENT_CUE_CANCELLED == static_cast<int>(client::CueState::Cancelled) &&
              PERIGEE_CLIENT_DIG == button_dig && PERIGEE_CLIENT_FILL == button_fill);

/// As much of it as the caller's struct has room for.
int copy_state(const std::optional<world::GameState>& state, void* to, std::size_t bytes) {
  if (!state) return 0;
  std::memcpy(to, state->bytes.data(), bytes);
  return 1;
}

}  // namespace

perigee_client* client::create_handle(const world::GameModule& game, std::uint32_t abi) noexcept {
  return without_exceptions(static_cast<perigee_client*>(nullptr), [&]() -> perigee_client* {
    if (abi != PERIGEE_CLIENT_ABI || !transport::init_crypto()) return nullptr;
    return std::make_unique<perigee_client>(game).release();
  });
}

extern "C" {

uint32_t perigee_client_abi(void) { return PERIGEE_CLIENT_ABI; }
uint32_t perigee_client_wire_version(void) { return wire_version; }
void perigee_client_destroy(perigee_client* client) { delete client; }

size_t perigee_client_struct_bytes(const char* name) {
  return name == nullptr ? 0 : struct_bytes(name);
}

uint64_t perigee_client_schema_hash(const perigee_client* client) {
  return client == nullptr ? 0 : world::agreed_schema(client->game);
}

int perigee_client_begin(perigee_client* client, int64_t now_us, const uint8_t* token,
                         size_t token_bytes) {
  if (client == nullptr || token == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  return guarded([&] {
    const auto bytes = std::as_bytes(std::span(token, token_bytes));
    return client->inner.begin(now_us, bytes) ? PERIGEE_CLIENT_OK : PERIGEE_CLIENT_BAD_TOKEN;
  });
}

int perigee_client_receive(perigee_client* client, int64_t now_us,
                           const perigee_client_address* from, uint8_t* datagram,
                           size_t datagram_bytes) {
  const auto address = read(from);
  if (client == nullptr || !address || datagram == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  return guarded([&] {
    client->inner.receive(now_us, *address,
                          std::as_writable_bytes(std::span(datagram, datagram_bytes)));
    return PERIGEE_CLIENT_OK;
  });
}

int perigee_client_advance(perigee_client* client, int64_t now_us,
                           const perigee_client_input* input) {
  if (client == nullptr || !usable(input)) return PERIGEE_CLIENT_BAD_ARGUMENT;
  return guarded([&] {
    PlayerInput& next = client->sample.next;
    next.right = axis(input->right);
    next.up = axis(input->up);
    next.forward = axis(input->forward);
    next.yaw = static_cast<std::uint16_t>(turns(input->yaw_rad));
    next.pitch =
        static_cast<std::int16_t>(turns(std::clamp<double>(input->pitch_rad, -pi / 2, pi / 2)));
    next.held = static_cast<std::uint16_t>(input->held_buttons);
    const auto pressed = static_cast<std::uint16_t>(input->pressed_buttons);
    // Of more than eight presses between two ticks the later ones are lost.
    if ((pressed != 0 || input->use_handle != no_entity) && !next.samples.full()) {
      const bool use = input->use_handle != no_entity;
      next.samples.push_back(
          {0, pressed, use ? ActionKind::Use : ActionKind::None, input->use_handle});
    }
    client->inner.advance(now_us, client->sample);
    if (!client->inner.playing()) client->sample.drop_presses(next.tick);
    return PERIGEE_CLIENT_OK;
  });
}

int perigee_client_input_fields(const perigee_client* client, perigee_client_input_field* fields,
                                size_t field_bytes, size_t capacity) {
  if (client == nullptr || field_bytes < input_field_bytes_1 ||
      (fields == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return write_all(client->game.input_layout().fields(), fields, field_bytes, capacity);
}

int perigee_client_set_input(perigee_client* client, const char* name, int64_t value) {
  if (client == nullptr || name == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  const InputLayout& layout = client->game.input_layout();
  const InputField* field = layout.find(name);
  const bool set = field != nullptr && layout.set(client->sample.next.own, *field, value);
  return set ? PERIGEE_CLIENT_OK : PERIGEE_CLIENT_BAD_ARGUMENT;
}

int perigee_client_get_input(const perigee_client* client, const char* name, int64_t* value) {
  if (client == nullptr || name == nullptr || value == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  const InputField* field = client->game.input_layout().find(name);
  if (field == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  *value = field->stored(client->sample.next.own);
  return PERIGEE_CLIENT_OK;
}

size_t perigee_client_own_input_bytes(const perigee_client* client) {
  return client == nullptr ? 0 : client->game.input_layout().bytes();
}

int perigee_client_set_own_input(perigee_client* client, const void* fields, size_t fields_bytes) {
  if (client == nullptr || fields == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  const auto own = client->game.input_layout().from_struct(
      std::span(static_cast<const std::byte*>(fields), fields_bytes));
  if (!own) return PERIGEE_CLIENT_BAD_ARGUMENT;
  client->sample.next.own = *own;
  return PERIGEE_CLIENT_OK;
}

int perigee_client_poll_send(perigee_client* client, perigee_client_address* to, uint8_t* datagram,
                             size_t capacity_bytes, size_t* datagram_bytes) {
  if (client == nullptr || to == nullptr || datagram == nullptr || datagram_bytes == nullptr) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  if (capacity_bytes < PERIGEE_CLIENT_DATAGRAM_BYTES_MAX) return PERIGEE_CLIENT_BUFFER_TOO_SMALL;
  return guarded([&] {
    const auto outgoing = client->inner.poll_send();
    if (!outgoing) return 0;
    *to = write(outgoing->to);
    std::memcpy(datagram, outgoing->datagram.data(), outgoing->datagram.size());
    *datagram_bytes = outgoing->datagram.size();
    return 1;
  });
}

int perigee_client_disconnect(perigee_client* client, int64_t now_us) {
  if (client == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  return guarded([&] {
    client->inner.disconnect(now_us);
    return PERIGEE_CLIENT_OK;
  });
}

int perigee_client_get_state(const perigee_client* client) {
  if (client == nullptr) return PERIGEE_CLIENT_DISCONNECTED;
  const client::Client& inner = client->inner;
  const int transport = static_cast<int>(inner.transport_state());
  if (transport <= 0) return transport;
  if (inner.reconnecting()) return PERIGEE_CLIENT_RECONNECTING;
  if (!inner.connected()) return PERIGEE_CLIENT_CONNECTING;
  return inner.playing() ? PERIGEE_CLIENT_PLAYING : PERIGEE_CLIENT_JOINING;
}

int perigee_client_scene(perigee_client* client, int64_t now_us, perigee_client_entity* entities,
                         size_t entity_bytes, size_t capacity) {
  if (client == nullptr || entity_bytes < entity_bytes_1 || (entities == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return guarded(
      [&] { return write_all(client->inner.scene(now_us), entities, entity_bytes, capacity); });
}

const char* perigee_client_type_name(const perigee_client* client, uint32_t type) {
  if (client == nullptr || type >= client->type_names.size()) return nullptr;
  return client->type_names[type].c_str();
}

int perigee_client_cues(const perigee_client* client, perigee_client_cue* cues, size_t cue_bytes,
                        size_t capacity) {
  if (client == nullptr || cue_bytes < cue_bytes_1 || (cues == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return write_all(client->inner.cues(), cues, cue_bytes, capacity);
}

int perigee_client_heard(const perigee_client* client, perigee_client_heard_cue* cues,
                         size_t cue_bytes, size_t capacity) {
  if (client == nullptr || cue_bytes < heard_cue_bytes_1 || (cues == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return write_all(client->inner.heard(), cues, cue_bytes, capacity);
}

int perigee_client_outcomes(const perigee_client* client, perigee_client_outcome* outcomes,
                            size_t outcome_bytes, size_t capacity) {
  if (client == nullptr || outcome_bytes < outcome_bytes_1 ||
      (outcomes == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return write_all(client->inner.outcomes(), outcomes, outcome_bytes, capacity);
}

int perigee_client_projectiles(perigee_client* client, int64_t now_us,
                               perigee_client_projectile* projectiles, size_t projectile_bytes,
                               size_t capacity) {
  if (client == nullptr || projectile_bytes < projectile_bytes_1 ||
      (projectiles == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return guarded([&] {
    return write_all(client->inner.projectiles(now_us), projectiles, projectile_bytes, capacity);
  });
}

size_t perigee_client_game_state_bytes(const perigee_client* client) {
  return client == nullptr ? 0 : client->game.state_codec().bytes;
}

size_t perigee_client_type_state_bytes(const perigee_client* client, uint32_t type) {
  if (client == nullptr || type >= client->game.types().size()) return 0;
  const auto* codec = client->inner.state_codec_of(static_cast<world::TypeId>(type));
  return codec == nullptr ? 0 : codec->bytes;
}

size_t perigee_client_world_state_bytes(const perigee_client* client) {
  if (client == nullptr) return 0;
  const world::EntityType* row = world::find_world_row(client->game.types());
  return row == nullptr ? 0 : row->state->bytes;
}

int perigee_client_game_state(const perigee_client* client, uint32_t handle, void* state,
                              size_t state_bytes) {
  if (client == nullptr || state == nullptr || state_bytes > world::GameState::bytes_max) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return copy_state(client->inner.game_state(handle), state, state_bytes);
}

int perigee_client_world_state(const perigee_client* client, void* state, size_t state_bytes) {
  if (client == nullptr || state == nullptr || state_bytes > world::GameState::bytes_max) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return copy_state(client->inner.world_state(), state, state_bytes);
}

int perigee_client_player_name(const perigee_client* client, uint32_t handle, char* name,
                               size_t capacity) {
  if (client == nullptr || name == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  const std::string_view known = client->inner.player_name(handle);
  if (known.size() >= capacity) return PERIGEE_CLIENT_BUFFER_TOO_SMALL;
  *std::copy(known.begin(), known.end(), name) = 0;
  return static_cast<int>(known.size());
}

int perigee_client_send_message(perigee_client* client, const uint8_t* message,
                                size_t message_bytes) {
  if (client == nullptr || message == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  return guarded([&]() -> int {
    switch (client->inner.send_message(std::as_bytes(std::span(message, message_bytes)))) {
      case client::MessageRefusal::None:
        return PERIGEE_CLIENT_OK;
      case client::MessageRefusal::Size:
        return PERIGEE_CLIENT_BAD_ARGUMENT;
      case client::MessageRefusal::Full:
        return PERIGEE_CLIENT_TOO_MANY;
    }
    return PERIGEE_CLIENT_INTERNAL;
  });
}

int perigee_client_messages(perigee_client* client, uint8_t* message, size_t capacity_bytes,
                            size_t* message_bytes) {
  if (client == nullptr || message == nullptr || message_bytes == nullptr) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  if (capacity_bytes < PERIGEE_CLIENT_MESSAGE_BYTES_MAX) return PERIGEE_CLIENT_BUFFER_TOO_SMALL;
  return guarded([&] {
    const auto next = client->inner.take_message();
    if (!next) return 0;
    std::memcpy(message, next->data(), next->size());
    *message_bytes = next->size();
    return 1;
  });
}

int perigee_client_get_ground(const perigee_client* client, uint32_t handle,
                              perigee_client_ground* ground) {
  const world::VoxelPatch* patch =
      client == nullptr ? nullptr : client->inner.entities().voxels(handle);
  if (patch == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  const world::VoxelPlan& plan = patch->plan();
  perigee_client_ground value{};
  value.size[0] = plan.size.x, value.size[1] = plan.size.y, value.size[2] = plan.size.z;
  value.cell_m = plan.cell_m;
  value.version = client->inner.ground_version(handle);
  return deliver(value, ground, ground_bytes_1) ? PERIGEE_CLIENT_OK : PERIGEE_CLIENT_BAD_ARGUMENT;
}

int perigee_client_cells(const perigee_client* client, uint32_t handle, const int32_t low[3],
                         const int32_t size[3], uint8_t* solid, size_t capacity) {
  if (client == nullptr || low == nullptr || size == nullptr || solid == nullptr ||
      client->inner.entities().voxels(handle) == nullptr) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  constexpr int32_t side_max = world::VoxelPlan::side_max;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] < 0 || size[axis] > side_max || low[axis] < -side_max || low[axis] > side_max) {
      return PERIGEE_CLIENT_BAD_ARGUMENT;
    }
  }
  const auto cells = static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
                     static_cast<std::size_t>(size[2]);
  if (capacity < cells) return PERIGEE_CLIENT_BUFFER_TOO_SMALL;
  for (int32_t y = 0; y < size[1]; ++y) {
    for (int32_t z = 0; z < size[2]; ++z) {
      for (int32_t x = 0; x < size[0]; ++x) {
        *solid++ = client->inner.solid(handle, {low[0] + x, low[1] + y, low[2] + z}) ? 1 : 0;
      }
    }
  }
  return PERIGEE_CLIENT_OK;
}

int perigee_client_get_time(const perigee_client* client, perigee_client_time* time) {
  if (client == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  perigee_client_time value{};
  if (const TimeMap& map = client->inner.time(); map.ready()) {
    value.known = 1;
    value.predicted_tick = client->inner.prediction().next().count;
    value.view_origin_tick = map.origin().count;
    value.view_ticks = map.view_ticks();
    value.view_delay_s = map.view_delay_ticks() / map.rate() * seconds_per_tick;
    value.rate = map.rate();
  }
  return deliver(value, time, time_bytes_1) ? PERIGEE_CLIENT_OK : PERIGEE_CLIENT_BAD_ARGUMENT;
}

int perigee_client_get_telemetry(const perigee_client* client,
                                 perigee_client_telemetry* telemetry) {
  if (client == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  const client::TelemetryLog& log = client->inner.telemetry();
  perigee_client_telemetry value{};
  value.rtt_us = log.rtt_us();
  value.full_loop_us = log.full_loop_rtt_us();
  value.jitter_us = log.jitter_us();
  value.lead_us = log.lead_us();
  value.packets = log.totals().packets;
  value.packets_lost = log.totals().packets_lost;
  value.bytes = log.totals().bytes;
  value.corrections = log.totals().corrections;
  value.largest_correction_m = log.totals().largest_correction_m;
  return deliver(value, telemetry, telemetry_bytes_1) ? PERIGEE_CLIENT_OK
                                                      : PERIGEE_CLIENT_BAD_ARGUMENT;
}

int perigee_client_net_graph(const perigee_client* client, perigee_client_net_sample* samples,
                             size_t sample_bytes, size_t capacity) {
  if (client == nullptr || sample_bytes < net_sample_bytes_1 ||
      (samples == nullptr && capacity > 0)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  const client::NetGraph& graph = client->inner.telemetry().net_graph();
  const NewestSamples newest{graph, graph.size() - std::min(graph.size(), capacity)};
  write_all(newest, samples, sample_bytes, capacity);
  return static_cast<int>(graph.size());
}

int perigee_client_link(perigee_client* client, int64_t now_us, const char* conditions) {
  if (client == nullptr || conditions == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  return guarded([&] {
    std::optional<LinkPair> link;
    if (std::string_view(conditions) != "none") {
      auto read = read_link(conditions);
      if (!read) return PERIGEE_CLIENT_BAD_ARGUMENT;
      link = std::move(*read);
    }
    client->inner.use_link(now_us, link, static_cast<std::uint64_t>(now_us));
    return PERIGEE_CLIENT_OK;
  });
}

int perigee_client_use(perigee_client* client, const char* techniques) {
  if (client == nullptr || techniques == nullptr) return PERIGEE_CLIENT_BAD_ARGUMENT;
  return guarded([&] {
    const auto wanted = with(client->inner.techniques(), techniques);
    if (!wanted) return PERIGEE_CLIENT_BAD_ARGUMENT;
    client->inner.use(*wanted);
    return PERIGEE_CLIENT_OK;
  });
}

int perigee_client_inject_desync(perigee_client* client, double x_m, double y_m, double z_m) {
  if (client == nullptr || !std::isfinite(x_m) || !std::isfinite(y_m) || !std::isfinite(z_m)) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  if (!client->inner.playing()) return PERIGEE_CLIENT_NOT_PLAYING;
  return guarded([&] {
    client->inner.prediction().inject_desync({x_m, y_m, z_m});
    return PERIGEE_CLIENT_OK;
  });
}

// All functions of the interface are in this object: a linker that takes one of a static library
// takes them all.
int perigee_client_record(perigee_client* client, int seconds) {
  return perigee::client::record(client, seconds);
}

int perigee_client_recording(const perigee_client* client, uint8_t* recording,
                             size_t capacity_bytes, size_t* recording_bytes) {
  return perigee::client::take_recording(client, recording, capacity_bytes, recording_bytes);
}

int perigee_client_report_flight(const perigee_client* client, const uint8_t* half,
                                 size_t half_bytes, const uint8_t* other, size_t other_bytes,
                                 int reruns, char* json, size_t capacity_bytes,
                                 size_t* json_bytes) {
  return perigee::client::report_flight(client, half, half_bytes, other, other_bytes, reruns, json,
                                        capacity_bytes, json_bytes);
}

}  // extern "C"
