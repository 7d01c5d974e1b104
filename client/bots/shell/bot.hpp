/// A full player: the client library, and a brain or a pilot of the game.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "perigee/bots/brain.hpp"
#include "perigee/bots/shown_errors.hpp"
#include "perigee/client/client.hpp"
#include "player.hpp"

namespace perigee::bots {

struct PlayOptions;

/// A pilot of the game. The only deed that is known of it is that it moves.
class CountedPilot final : public client::InputSampler {
 public:
  CountedPilot(const client::Client& client, std::unique_ptr<client::InputSampler> pilot)
      : client_(client), pilot_(std::move(pilot)) {}
  PlayerInput sample(Tick tick) override;
  const Deeds& deeds() const { return deeds_; }

 private:
  const client::Client& client_;
  std::unique_ptr<client::InputSampler> pilot_;
  Deeds deeds_;
};

class Bot final : public Player {
 public:
  Bot(const world::GameModule& game, const client::Settings& settings, std::uint64_t seed,
      const PlayOptions& options);

  std::optional<transport::Client::Outgoing> poll_send() override { return client_.poll_send(); }
  void disconnect(Micros now_us) override { client_.disconnect(now_us); }
  const transport::Client& transport() const override { return client_.transport(); }
  const client::TelemetryLog& telemetry() const override { return client_.telemetry(); }
  std::uint64_t inputs_sent() const override { return client_.inputs_sent(); }

  /// Actions in the measured time.
  Deeds measured_deeds() const;
  const client::Client& client() const { return client_; }
  const ShownErrors& shown_errors() const { return shown_errors_; }

 private:
  const Deeds& deeds() const { return pilot_ ? pilot_->deeds() : brain_.deeds(); }
  bool connect(Micros now_us, std::span<const std::byte> token) override {
    return client_.begin(now_us, token);
  }
  void take(Micros now_us, const Address& from, std::span<std::byte> datagram) override {
    client_.receive(now_us, from, datagram);
  }
  void advance(Micros now_us) override;
  std::uint64_t snapshots() const override { return client_.snapshots(); }
  bool plays() const override { return client_.playing(); }
  Handle avatar() const override { return client_.prediction().avatar(); }
  void restart_totals() override;

  client::Client client_;
  std::optional<CountedPilot> pilot_;  ///< none: the brain plays
  Brain brain_;
  Deeds warm_up_;
  ShownErrors shown_errors_;
};

}  // namespace perigee::bots
