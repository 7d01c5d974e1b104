/// One headless player, full or thin: its phase, its gaps, and its statistics since its warm-up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "perigee/bots/gap_log.hpp"
#include "perigee/client/telemetry_log.hpp"
#include "perigee/transport/client.hpp"

namespace perigee::bots {

enum class Phase : std::uint8_t {
  Waiting,     ///< waits for its log-in
  Refused,     ///< refused at the log-in
  Connecting,  ///< has a token
  Playing,
  Lost,  ///< the connection ended, or was never established
};

class Player {
 public:
  static constexpr Micros warm_up_us = 3'000'000;  ///< play that is not measured

  explicit Player(Micros gap_us) : gaps_(gap_us) {}
  virtual ~Player() = default;

  /// False: not a token.
  bool begin(Micros now_us, std::span<const std::byte> token);
  void refuse() { phase_ = Phase::Refused; }
  void receive(Micros at_us, const Address& from, std::span<std::byte> datagram);
  /// One frame; then call poll_send() until it returns none.
  void frame(Micros now_us);
  virtual std::optional<transport::Client::Outgoing> poll_send() = 0;
  virtual void disconnect(Micros now_us) = 0;

  virtual const transport::Client& transport() const = 0;
  virtual const client::TelemetryLog& telemetry() const = 0;
  virtual std::uint64_t inputs_sent() const = 0;

  Phase phase() const { return phase_; }
  /// Waits for the gateway, or plays.
  bool connected() const { return phase_ == Phase::Connecting || phase_ == Phase::Playing; }
  /// Plays, or may still come to play.
  bool hopeful() const { return phase_ != Phase::Refused && phase_ != Phase::Lost; }
  bool joined() const { return playing_since_us_.has_value(); }
  /// Measured time of play; 0 during the warm-up.
  double measured_s(Micros now_us) const;
  std::uint64_t bytes_received() const { return bytes_received_; }
  /// Gaps between two snapshots of the server, by their kernel time stamps.
  const GapLog& gaps() const { return gaps_; }
  /// Number of reconnections after its gateway fell silent, and how many of them gave it another
  /// avatar.
  std::uint32_t resumes() const;
  std::uint32_t avatars_changed() const { return avatars_changed_; }
  /// Also counts the time until now: a long gap may be in progress.
  void end_gaps(Micros now_us);
  /// At end_gaps() its connection was alive, but no snapshot had arrived for silent_us_min.
  bool was_silent() const { return was_silent_; }
  static constexpr Micros silent_us_min = 2'000'000;

 protected:
  bool measures() const { return measured_since_us_.has_value(); }

 private:
  virtual bool connect(Micros now_us, std::span<const std::byte> token) = 0;
  virtual void take(Micros now_us, const Address& from, std::span<std::byte> datagram) = 0;
  virtual void advance(Micros now_us) = 0;
  virtual std::uint64_t snapshots() const = 0;
  virtual bool plays() const = 0;
  virtual Handle avatar() const = 0;
  /// The warm-up has ended.
  virtual void restart_totals() = 0;

  Phase phase_ = Phase::Waiting;
  Micros last_us_ = 0;
  std::optional<Micros> playing_since_us_;
  std::optional<Micros> measured_since_us_;
  Micros ended_us_ = 0;
  std::uint64_t bytes_received_ = 0;
  GapLog gaps_;
  bool was_silent_ = false;
  Handle avatar_ = no_entity;
  std::uint32_t avatars_changed_ = 0;
};

}  // namespace perigee::bots
