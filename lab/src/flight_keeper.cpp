#include "perigee/lab/flight_keeper.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace perigee::lab {
namespace {

/// By then the worker has finalized the ticks that the client had predicted.
constexpr Micros settled_us = 500'000;

}  // namespace

std::optional<Flight> FlightKeeper::flight(const VirtualPlayer& player) const {
  const char* commit = std::getenv("PERIGEE_COMMIT");
  const std::string_view build = commit != nullptr ? commit : "unknown";
  const client::Correction& last = player.client->last_correction();
  const auto client = player.client->recording(last, build);
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (!processes_.runs(i)) continue;
    const auto other =
        processes_[i].core->recording({player.client_id, last.at, last.meters}, build);
    if (client && other) return Flight{*client, *other, last.meters};
  }
  return std::nullopt;
}

void FlightKeeper::on_correction(const VirtualPlayer& player) {
  const client::Correction& last = player.client->last_correction();
  if (last.meters <= worst_m_) return;
  worst_m_ = last.meters;
  queue_.after(settled_us, [this, &player, of = last] {
    if (of.meters < worst_m_) return;  // there was a worse one meanwhile
    auto flown = flight(player);
    if (!flown) return;
    flown->client.header.tick = flown->worker.header.tick = of.at;
    flown->client.header.meters = flown->worker.header.meters = flown->meters = of.meters;
    flown->client.header.cause = of.cause;
    worst_ = std::move(flown);
  });
}

void FlightKeeper::forget() {
  worst_.reset();
  worst_m_ = 0;
}

}  // namespace perigee::lab
