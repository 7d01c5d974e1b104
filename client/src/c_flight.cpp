// Flight recordings for perigee_client.h.
#include <cstring>
#include <string>

#include "c_client.hpp"
#include "perigee/replay/flight_report.hpp"

using namespace perigee;

namespace {

constexpr int seconds_max = 40;
constexpr std::size_t bytes_per_tick = 583;  // 1 MiB in 30 s

/// 1, or BUFFER_TOO_SMALL. Sets `size` in both cases.
int copy_out(std::span<const std::byte> bytes, void* out, std::size_t capacity, std::size_t& size) {
  size = bytes.size();
  if (capacity < bytes.size()) return PERIGEE_CLIENT_BUFFER_TOO_SMALL;
  std::memcpy(out, bytes.data(), bytes.size());
  return 1;
}

/// The recordings as JSON; the error is a sentence.
Result<std::string> report(const world::GameModule& game, std::span<const std::byte> half,
                           std::span<const std::byte> other, bool reruns) {
  const auto one = replay::read_recording(half);
  if (!one) return one.error();
  const bool rules = one->header.game == game.name();
  const replay::ReportSettings settings{.rules = rules, .reruns = reruns};
  if (other.data() == nullptr) {
    const auto halves = replay::halves_of(*one);
    return halves ? replay::report_flight(game, *halves, settings) : halves.error();
  }
  const auto another = replay::read_recording(other);
  if (!another) return another.error();
  const auto halves = replay::halves_of(*one, *another);
  return halves ? replay::report_flight(game, *halves, settings) : halves.error();
}

}  // namespace

namespace perigee::client {

int record(perigee_client* client, int seconds) {
  if (client == nullptr || seconds < 0 || seconds > seconds_max) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return guarded([&] {
    if (seconds == 0) {
      client->inner.record({});
      return PERIGEE_CLIENT_OK;
    }
    const auto ticks = static_cast<std::uint32_t>(seconds) * 60;
    client->inner.record(replay::RecorderSettings{.ticks = ticks, .bytes = ticks * bytes_per_tick});
    return PERIGEE_CLIENT_OK;
  });
}

int take_recording(const perigee_client* client, uint8_t* recording, size_t capacity_bytes,
                   size_t* recording_bytes) {
  if (client == nullptr || recording == nullptr || recording_bytes == nullptr) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return guarded([&] {
    const std::string build = "client library, wire " + std::to_string(wire_version);
    const auto taken = client->inner.recording(client->inner.last_correction(), build);
    if (!taken) return 0;
    const auto bytes = replay::write_recording(*taken);
    return copy_out(bytes, recording, capacity_bytes, *recording_bytes);
  });
}

int report_flight(const perigee_client* client, const uint8_t* half, size_t half_bytes,
                  const uint8_t* other, size_t other_bytes, int reruns, char* json,
                  size_t capacity_bytes, size_t* json_bytes) {
  if (client == nullptr || half == nullptr || json == nullptr || json_bytes == nullptr) {
    return PERIGEE_CLIENT_BAD_ARGUMENT;
  }
  return guarded([&] {
    const auto text =
        report(client->game, std::as_bytes(std::span(half, half_bytes)),
               std::as_bytes(std::span(other, other == nullptr ? 0 : other_bytes)), reruns != 0);
    const std::string& shown = text ? *text : text.error().message;
    const int copied = copy_out(std::as_bytes(std::span(shown)), json, capacity_bytes, *json_bytes);
    return copied == 1 && !text ? 0 : copied;
  });
}

}  // namespace perigee::client
