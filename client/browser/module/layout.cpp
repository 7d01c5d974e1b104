// Writes src/layout.ts: constants of perigee_client.h, and where its structs have their fields in
// WebAssembly. build.sh runs it.
#include <cstddef>
#include <cstdio>

#include "perigee/client/perigee_client.h"

namespace {

#define NUMBER(name, value) std::printf("export const " name " = %d;\n", static_cast<int>(value))
#define STRUCT(name, type) \
  std::printf("export const " name " = {\n  bytes: %d,\n", static_cast<int>(sizeof(type)))
#define FIELD(name, type, member) \
  std::printf("  " name ": %d,\n", static_cast<int>(offsetof(type, member)))
#define ENTRY(name, value) std::printf("  " name ": %d,\n", static_cast<int>(value))

void begin(const char* name) { std::printf("export const %s = {\n", name); }
void end() { std::printf("} as const;\n"); }

void numbers() {
  NUMBER("abi", PERIGEE_CLIENT_ABI);
  NUMBER("datagramBytesMax", PERIGEE_CLIENT_DATAGRAM_BYTES_MAX);
  NUMBER("messageBytesMax", PERIGEE_CLIENT_MESSAGE_BYTES_MAX);

  begin("results");
  ENTRY("badArgument", PERIGEE_CLIENT_BAD_ARGUMENT);
  ENTRY("badToken", PERIGEE_CLIENT_BAD_TOKEN);
  ENTRY("bufferTooSmall", PERIGEE_CLIENT_BUFFER_TOO_SMALL);
  ENTRY("notPlaying", PERIGEE_CLIENT_NOT_PLAYING);
  ENTRY("internal", PERIGEE_CLIENT_INTERNAL);
  ENTRY("tooMany", PERIGEE_CLIENT_TOO_MANY);
  end();

  begin("states");
  ENTRY("'token-expired'", PERIGEE_CLIENT_TOKEN_EXPIRED);
  ENTRY("'token-invalid'", PERIGEE_CLIENT_TOKEN_INVALID);
  ENTRY("'timed-out'", PERIGEE_CLIENT_TIMED_OUT);
  ENTRY("'response-timed-out'", PERIGEE_CLIENT_RESPONSE_TIMED_OUT);
  ENTRY("'request-timed-out'", PERIGEE_CLIENT_REQUEST_TIMED_OUT);
  ENTRY("denied", PERIGEE_CLIENT_DENIED);
  ENTRY("disconnected", PERIGEE_CLIENT_DISCONNECTED);
  ENTRY("connecting", PERIGEE_CLIENT_CONNECTING);
  ENTRY("joining", PERIGEE_CLIENT_JOINING);
  ENTRY("playing", PERIGEE_CLIENT_PLAYING);
  ENTRY("reconnecting", PERIGEE_CLIENT_RECONNECTING);
  end();

  std::printf("/** Bits of `held` and `pressed` of an input. */\n");
  begin("buttons");
  ENTRY("jump", PERIGEE_CLIENT_JUMP);
  ENTRY("run", PERIGEE_CLIENT_RUN);
  ENTRY("jetpack", PERIGEE_CLIENT_JETPACK);
  ENTRY("dampers", PERIGEE_CLIENT_DAMPERS);
  ENTRY("fire", PERIGEE_CLIENT_FIRE);
  ENTRY("alternate", PERIGEE_CLIENT_ALTERNATE);
  ENTRY("dig", PERIGEE_CLIENT_DIG);
  ENTRY("fill", PERIGEE_CLIENT_FILL);
  end();

  std::printf("/** Bits of an entity's `flags`. */\n");
  begin("flags");
  ENTRY("own", PERIGEE_CLIENT_OWN);
  ENTRY("smoothing", PERIGEE_CLIENT_SMOOTHING);
  ENTRY("extrapolated", PERIGEE_CLIENT_EXTRAPOLATED);
  end();

  begin("cueStates");
  ENTRY("played", PERIGEE_CLIENT_CUE_PLAYED);
  ENTRY("confirmed", PERIGEE_CLIENT_CUE_CONFIRMED);
  ENTRY("cancelled", PERIGEE_CLIENT_CUE_CANCELLED);
  end();

  begin("missings");
  ENTRY("held", PERIGEE_CLIENT_MISSING_HELD);
  ENTRY("kept", PERIGEE_CLIENT_MISSING_KEPT);
  ENTRY("momentary", PERIGEE_CLIENT_MISSING_MOMENTARY);
  end();
}

void structs() {
  STRUCT("address", perigee_client_address);
  FIELD("family", perigee_client_address, family);
  FIELD("ip", perigee_client_address, ip);
  FIELD("port", perigee_client_address, port);
  end();

  STRUCT("input", perigee_client_input);
  FIELD("structBytes", perigee_client_input, struct_bytes);
  FIELD("right", perigee_client_input, right);
  FIELD("up", perigee_client_input, up);
  FIELD("forward", perigee_client_input, forward);
  FIELD("yawRad", perigee_client_input, yaw_rad);
  FIELD("pitchRad", perigee_client_input, pitch_rad);
  FIELD("held", perigee_client_input, held_buttons);
  FIELD("pressed", perigee_client_input, pressed_buttons);
  FIELD("useHandle", perigee_client_input, use_handle);
  end();

  STRUCT("inputField", perigee_client_input_field);
  FIELD("name", perigee_client_input_field, name);
  FIELD("low", perigee_client_input_field, low);
  FIELD("high", perigee_client_input_field, high);
  FIELD("initial", perigee_client_input_field, initial);
  FIELD("offset", perigee_client_input_field, offset);
  FIELD("fieldBytes", perigee_client_input_field, bytes);
  FIELD("missing", perigee_client_input_field, missing);
  end();

  STRUCT("entity", perigee_client_entity);
  FIELD("handle", perigee_client_entity, handle);
  FIELD("parent", perigee_client_entity, parent);
  FIELD("type", perigee_client_entity, type);
  FIELD("flags", perigee_client_entity, flags);
  FIELD("localPositionM", perigee_client_entity, local_position_m);
  FIELD("localRotation", perigee_client_entity, local_rotation);
  FIELD("worldPositionM", perigee_client_entity, world_position_m);
  FIELD("worldRotation", perigee_client_entity, world_rotation);
  FIELD("smoothingM", perigee_client_entity, smoothing_m);
  end();

  STRUCT("cue", perigee_client_cue);
  FIELD("tick", perigee_client_cue, tick);
  FIELD("index", perigee_client_cue, index);
  FIELD("effect", perigee_client_cue, effect);
  FIELD("subject", perigee_client_cue, subject);
  FIELD("state", perigee_client_cue, state);
  FIELD("detail", perigee_client_cue, detail);
  end();

  STRUCT("heardCue", perigee_client_heard_cue);
  FIELD("tick", perigee_client_heard_cue, tick);
  FIELD("handle", perigee_client_heard_cue, handle);
  FIELD("effect", perigee_client_heard_cue, effect);
  FIELD("subject", perigee_client_heard_cue, subject);
  FIELD("detail", perigee_client_heard_cue, detail);
  FIELD("worldPositionM", perigee_client_heard_cue, world_position_m);
  end();

  STRUCT("ground", perigee_client_ground);
  FIELD("structBytes", perigee_client_ground, struct_bytes);
  FIELD("size", perigee_client_ground, size);
  FIELD("cellM", perigee_client_ground, cell_m);
  FIELD("version", perigee_client_ground, version);
  end();

  STRUCT("time", perigee_client_time);
  FIELD("structBytes", perigee_client_time, struct_bytes);
  FIELD("known", perigee_client_time, known);
  FIELD("predictedTick", perigee_client_time, predicted_tick);
  FIELD("viewOriginTick", perigee_client_time, view_origin_tick);
  FIELD("viewTicks", perigee_client_time, view_ticks);
  FIELD("viewDelayS", perigee_client_time, view_delay_s);
  FIELD("rate", perigee_client_time, rate);
  end();

  STRUCT("telemetry", perigee_client_telemetry);
  FIELD("structBytes", perigee_client_telemetry, struct_bytes);
  FIELD("rttUs", perigee_client_telemetry, rtt_us);
  FIELD("fullLoopUs", perigee_client_telemetry, full_loop_us);
  FIELD("jitterUs", perigee_client_telemetry, jitter_us);
  FIELD("leadUs", perigee_client_telemetry, lead_us);
  FIELD("packets", perigee_client_telemetry, packets);
  FIELD("packetsLost", perigee_client_telemetry, packets_lost);
  FIELD("bytesReceived", perigee_client_telemetry, bytes);
  FIELD("corrections", perigee_client_telemetry, corrections);
  FIELD("largestCorrectionM", perigee_client_telemetry, largest_correction_m);
  end();

  STRUCT("netSample", perigee_client_net_sample);
  FIELD("endUs", perigee_client_net_sample, end_us);
  FIELD("rttUs", perigee_client_net_sample, rtt_us);
  FIELD("jitterUs", perigee_client_net_sample, jitter_us);
  FIELD("leadUs", perigee_client_net_sample, lead_us);
  FIELD("packetsReceived", perigee_client_net_sample, packets_received);
  FIELD("packetsLost", perigee_client_net_sample, packets_lost);
  FIELD("bytesReceived", perigee_client_net_sample, bytes_received);
  FIELD("packetsSent", perigee_client_net_sample, packets_sent);
  FIELD("bytesSent", perigee_client_net_sample, bytes_sent);
  FIELD("corrections", perigee_client_net_sample, corrections);
  FIELD("largestCorrectionM", perigee_client_net_sample, largest_correction_m);
  end();
}

}  // namespace

int main() {
  std::printf("// Written by module/layout.cpp from perigee_client.h; do not change it here.\n");
  numbers();
  structs();
  return 0;
}
