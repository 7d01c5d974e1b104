/// Conversion of values between perigee_client.h and the library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "perigee/client/client.hpp"
#include "perigee/client/perigee_client.h"

namespace perigee::client::c_values {

inline std::int8_t axis(float share) {
  return static_cast<std::int8_t>(std::lround(std::clamp(share, -1.0F, 1.0F) * 127));
}

/// In 1/65536 turns; whole turns are dropped.
inline std::int64_t turns(double rad) {
  return std::llround(std::remainder(rad / (2 * pi), 1.0) * 65536);
}

/// Fills the fields that both caller and library know; the rest of the caller's struct is 0.
template <class Struct>
bool deliver(Struct value, Struct* out, std::size_t least_bytes) {
  if (out == nullptr || out->struct_bytes < least_bytes) return false;
  value.struct_bytes = out->struct_bytes;
  const std::size_t given_bytes = out->struct_bytes;
  std::memset(static_cast<void*>(out), 0, given_bytes);
  std::memcpy(out, &value, std::min(given_bytes, sizeof value));
  return true;
}

/// Sizes of the first version of each struct: no caller was compiled with less.
inline constexpr std::size_t input_bytes_1 = sizeof(perigee_client_input);
inline constexpr std::size_t input_field_bytes_1 = sizeof(perigee_client_input_field);
inline constexpr std::size_t entity_bytes_1 = 128;
inline constexpr std::size_t cue_bytes_1 = sizeof(perigee_client_cue);
inline constexpr std::size_t heard_cue_bytes_1 = sizeof(perigee_client_heard_cue);
inline constexpr std::size_t outcome_bytes_1 = sizeof(perigee_client_outcome);
inline constexpr std::size_t projectile_bytes_1 = sizeof(perigee_client_projectile);
inline constexpr std::size_t ground_bytes_1 = sizeof(perigee_client_ground);
inline constexpr std::size_t time_bytes_1 = 32;
inline constexpr std::size_t telemetry_bytes_1 = sizeof(perigee_client_telemetry);
inline constexpr std::size_t net_sample_bytes_1 = sizeof(perigee_client_net_sample);
static_assert(input_bytes_1 == 36 && sizeof(perigee_client_entity) == 152 && cue_bytes_1 == 24 &&
                  heard_cue_bytes_1 == 48 && outcome_bytes_1 == 24 && projectile_bytes_1 == 48 &&
                  ground_bytes_1 == 32 && sizeof(perigee_client_time) == 40 &&
                  telemetry_bytes_1 == 80 && net_sample_bytes_1 == 64 && input_field_bytes_1 == 72,
              "a field was added: keep version 1's size as a number, and read fields that a caller "
              "lacks as 0");

struct NamedSize {
  std::string_view name;
  std::size_t bytes;
};
inline constexpr std::array struct_sizes = {
    NamedSize{"address", sizeof(perigee_client_address)},
    NamedSize{"input", sizeof(perigee_client_input)},
    NamedSize{"input_field", sizeof(perigee_client_input_field)},
    NamedSize{"entity", sizeof(perigee_client_entity)},
    NamedSize{"cue", sizeof(perigee_client_cue)},
    NamedSize{"heard_cue", sizeof(perigee_client_heard_cue)},
    NamedSize{"outcome", sizeof(perigee_client_outcome)},
    NamedSize{"projectile", sizeof(perigee_client_projectile)},
    NamedSize{"ground", sizeof(perigee_client_ground)},
    NamedSize{"time", sizeof(perigee_client_time)},
    NamedSize{"telemetry", sizeof(perigee_client_telemetry)},
    NamedSize{"net_sample", sizeof(perigee_client_net_sample)},
};

inline std::size_t struct_bytes(std::string_view name) {
  for (const NamedSize& each : struct_sizes) {
    if (each.name == name) return each.bytes;
  }
  return 0;
}

inline bool usable(const perigee_client_input* input) {
  if (input == nullptr || input->struct_bytes < input_bytes_1) return false;
  for (const float value :
       {input->right, input->up, input->forward, input->yaw_rad, input->pitch_rad}) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

inline std::optional<Address> read(const perigee_client_address* from) {
  if (from == nullptr || (from->family != 4 && from->family != 6)) return std::nullopt;
  const bool v4 = from->family == 4;
  Address address{v4 ? Address::Family::IPv4 : Address::Family::IPv6, from->port, {}};
  std::copy_n(from->ip, v4 ? 4 : 16, address.ip.begin());
  return address;
}

inline perigee_client_address write(const Address& address) {
  perigee_client_address out{};
  out.family = address.family == Address::Family::IPv4 ? 4 : 6;
  std::copy(address.ip.begin(), address.ip.end(), out.ip);
  out.port = address.port;
  return out;
}

inline void write(const Pose& pose, double* position_m, double* rotation) {
  position_m[0] = pose.position.x, position_m[1] = pose.position.y;
  position_m[2] = pose.position.z;
  rotation[0] = pose.rotation.x, rotation[1] = pose.rotation.y;
  rotation[2] = pose.rotation.z, rotation[3] = pose.rotation.w;
}

inline perigee_client_entity write(const SceneEntity& entity) {
  perigee_client_entity out{};
  out.handle = entity.handle;
  out.parent = entity.parent;
  out.type = entity.type;
  out.flags = (entity.own ? PERIGEE_CLIENT_OWN : 0) |
              (entity.smoothing ? PERIGEE_CLIENT_SMOOTHING : 0) |
              (entity.extrapolated ? PERIGEE_CLIENT_EXTRAPOLATED : 0);
  write(entity.local, out.local_position_m, out.local_rotation);
  write(entity.world, out.world_position_m, out.world_rotation);
  out.smoothing_m[0] = entity.smoothing_offset.x, out.smoothing_m[1] = entity.smoothing_offset.y;
  out.smoothing_m[2] = entity.smoothing_offset.z;
  return out;
}

inline perigee_client_input_field write(const InputField& field) {
  perigee_client_input_field out{};
  static_assert(sizeof out.name > InputLayout::name_bytes_max);
  std::copy(field.name.begin(), field.name.end(), out.name);
  out.low = field.low;
  out.high = field.high;
  out.initial = field.initial;
  out.offset = field.offset;
  out.bytes = field.size;
  out.missing = static_cast<std::uint32_t>(field.missing);
  return out;
}

inline perigee_client_cue write(const CueNews& cue) {
  perigee_client_cue out{};
  out.tick = cue.tick.count;
  out.index = cue.index;
  out.effect = cue.effect;
  out.subject = cue.subject;
  out.state = static_cast<std::uint32_t>(cue.state);
  out.detail = cue.detail;
  return out;
}

inline perigee_client_heard_cue write(const HeardCue& cue) {
  perigee_client_heard_cue out{};
  out.tick = cue.tick.count;
  out.handle = cue.entity;
  out.effect = cue.effect;
  out.subject = cue.subject;
  out.detail = cue.detail;
  out.world_position_m[0] = cue.place.x;
  out.world_position_m[1] = cue.place.y;
  out.world_position_m[2] = cue.place.z;
  return out;
}

inline perigee_client_outcome write(const OutcomeEvent& outcome) {
  perigee_client_outcome out{};
  out.tick = outcome.tick.count;
  out.index = outcome.index;
  out.kind = outcome.kind;
  out.actor = outcome.actor;
  out.target = outcome.target;
  out.amount = outcome.amount;
  return out;
}

inline perigee_client_projectile write(const DrawnProjectile& projectile) {
  perigee_client_projectile out{};
  out.actor = projectile.actor;
  out.tick = projectile.tick.count;
  out.index = projectile.index;
  out.kind = projectile.kind;
  out.flags = projectile.own ? PERIGEE_CLIENT_OWN : 0;
  out.world_position_m[0] = projectile.position.x;
  out.world_position_m[1] = projectile.position.y;
  out.world_position_m[2] = projectile.position.z;
  return out;
}

inline perigee_client_net_sample write(const NetSample& sample) {
  perigee_client_net_sample out{};
  out.end_us = sample.end_us;
  out.rtt_us = sample.rtt_us;
  out.jitter_us = sample.jitter_us;
  out.lead_us = sample.lead_us;
  out.packets_received = sample.packets_received;
  out.packets_lost = sample.packets_lost;
  out.bytes_received = sample.bytes_received;
  out.packets_sent = sample.packets_sent;
  out.bytes_sent = sample.bytes_sent;
  out.corrections = sample.corrections;
  out.largest_correction_m = sample.correction_m_max;
  return out;
}

/// The newest of the finished samples, for write_all().
struct NewestSamples {
  const NetGraph& graph;
  std::size_t first;
  std::size_t size() const { return graph.size() - first; }
  const NetSample& operator[](std::size_t index) const { return graph[first + index]; }
};

/// Writes as many items as fit, each with the size that the caller's header gives it.
template <class Struct, class Items>
int write_all(const Items& items, Struct* to, std::size_t each_bytes, std::size_t capacity) {
  auto* out = reinterpret_cast<std::byte*>(to);
  for (std::size_t i = 0; i < std::min(items.size(), capacity); ++i, out += each_bytes) {
    const Struct item = write(items[i]);
    std::memset(out, 0, each_bytes);
    std::memcpy(out, &item, std::min(each_bytes, sizeof item));
  }
  return static_cast<int>(items.size());
}

}  // namespace perigee::client::c_values
