/// A thin player: the parts of the client library that connect, play and acknowledge, and controls
/// that need no picture.
#pragma once

#include "perigee/bots/stroller.hpp"
#include "perigee/client/thin_client.hpp"
#include "player.hpp"

namespace perigee::bots {

class ThinBot final : public Player {
 public:
  ThinBot(const world::GameModule& game, const client::Settings& settings, std::uint64_t seed,
          Micros gap_us)
      : Player(gap_us), client_(game, settings), stroller_(client_.avatar(), seed) {}

  std::optional<transport::Client::Outgoing> poll_send() override { return client_.poll_send(); }
  void disconnect(Micros now_us) override { client_.disconnect(now_us); }
  const transport::Client& transport() const override { return client_.transport(); }
  const client::TelemetryLog& telemetry() const override { return client_.telemetry(); }
  std::uint64_t inputs_sent() const override { return client_.inputs_sent(); }
  client::ThinClient::Verdicts verdicts() const { return client_.verdicts(); }

 private:
  bool connect(Micros now_us, std::span<const std::byte> token) override {
    return client_.begin(now_us, token);
  }
  void take(Micros now_us, const Address& from, std::span<std::byte> datagram) override {
    client_.receive(now_us, from, datagram);
  }
  void advance(Micros now_us) override { client_.advance(now_us, stroller_); }
  std::uint64_t snapshots() const override { return client_.snapshots(); }
  bool plays() const override { return client_.playing(); }
  Handle avatar() const override { return client_.avatar().handle(); }
  void restart_totals() override { client_.restart_totals(); }

  client::ThinClient client_;
  Stroller stroller_;
};

}  // namespace perigee::bots
