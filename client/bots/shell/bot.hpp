/// One headless player: the client library, a brain, and its statistics since its warm-up.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/base/link_simulator.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/bots/gap_log.hpp"
#include "perigee/bots/shown_errors.hpp"
#include "perigee/client/client.hpp"

namespace perigee::bots {

enum class Phase : std::uint8_t {
  Waiting,     ///< waits for its log-in
  Refused,     ///< refused at the log-in
  Connecting,  ///< has a token
  Playing,
  Lost,  ///< the connection ended, or was never established
};

class Bot {
 public:
  static constexpr Micros warm_up_us = 3'000'000;  ///< play that is not measured

  Bot(const world::GameModule& game, const client::Settings& settings, std::uint64_t seed,
      double voyage_m, Temper temper, Micros gap_us);

  /// False: not a token.
  bool begin(Micros now_us, std::span<const std::byte> token);
  void refuse() { phase_ = Phase::Refused; }
  void receive(Micros at_us, const Address& from, std::span<std::byte> datagram);
  /// One frame; then call poll_send() until it returns none.
  void frame(Micros now_us);
  std::optional<transport::Client::Outgoing> poll_send() { return client_.poll_send(); }
  void disconnect(Micros now_us) { client_.disconnect(now_us); }

  Phase phase() const { return phase_; }
  /// Plays, or may still come to play.
  bool hopeful() const { return phase_ != Phase::Refused && phase_ != Phase::Lost; }
  bool joined() const { return playing_since_us_.has_value(); }
  /// Measured time of play; 0 during the warm-up.
  double measured_s(Micros now_us) const;
  /// Actions in the measured time.
  Deeds measured_deeds() const;
  const client::Client& client() const { return client_; }
  std::uint64_t bytes_received() const { return bytes_received_; }
  /// Gaps between two snapshots of the server, by their kernel time stamps.
  const GapLog& gaps() const { return gaps_; }
  /// Number of reconnections after its gateway fell silent, and how many of them gave it another
  /// avatar.
  std::uint32_t resumes() const;
  std::uint32_t avatars_changed() const { return avatars_changed_; }
  const ShownErrors& shown_errors() const { return shown_errors_; }
  /// Also counts the time until now: a long gap may be in progress.
  void end_gaps(Micros now_us);
  /// At end_gaps() its connection was alive, but no snapshot had arrived for silent_us_min.
  bool was_silent() const { return was_silent_; }
  static constexpr Micros silent_us_min = 2'000'000;

 private:
  client::Client client_;
  Brain brain_;
  Phase phase_ = Phase::Waiting;
  Micros last_us_ = 0;
  std::optional<Micros> playing_since_us_;
  std::optional<Micros> measured_since_us_;
  Micros ended_us_ = 0;
  Deeds warm_up_;
  std::uint64_t bytes_received_ = 0;
  GapLog gaps_;
  bool was_silent_ = false;
  ShownErrors shown_errors_;
  Handle avatar_ = no_entity;
  std::uint32_t avatars_changed_ = 0;
};

}  // namespace perigee::bots
