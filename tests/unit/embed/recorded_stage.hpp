/// A world with two players, on virtual time: a real gateway and worker, Bea, who stands, and Ada,
/// whose datagrams take 40 ms and pass a seam where payloads are recorded, replaced or dropped.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "perigee/client/client.hpp"
#include "perigee/embed/server.hpp"
#include "perigee/transport/packets.hpp"
#include "perigee/transport/player_token.hpp"
#include "perigee/world/schema.hpp"
#include "recorded_game.hpp"
#include "recorded_session.hpp"

namespace perigee::recorded {

/// Runs there and back, jumps, and looks about: a function of the tick alone.
struct Runner final : client::InputSampler {
  PlayerInput sample(Tick tick) override;
};
struct Stander final : client::InputSampler {
  PlayerInput sample(Tick tick) override { return {.tick = tick}; }
};

class Stage {
 public:
  static constexpr Micros step_us = 2'000;
  static constexpr Micros link_us = 40'000;
  static constexpr std::uint64_t ada_id = 77;
  static constexpr std::string_view message = "laps, please";

  /// `wire`: the version in Ada's token, as the log-in of such a client would put it there.
  explicit Stage(std::uint16_t wire);

  using OnPayload = std::function<bool(std::uint64_t sequence, std::span<const std::byte> payload)>;
  /// For each payload that leaves Ada, or that the server sends to Ada; false drops it.
  OnPayload up, down;

  const transport::ConnectToken& token() const { return token_; }
  Micros at_us() const { return now_us_ - begin_us; }
  Micros now_us() const { return now_us_; }
  /// One step of the server, of Bea and of the links.
  void step();
  /// Datagrams of Ada's, into the link.
  void send(std::span<const std::byte> datagram);
  /// A payload as the server would seal it, into the link.
  void send_to_ada(const Sent& payload);
  /// The next datagram that has arrived at Ada; none: no more.
  std::optional<std::vector<std::byte>> arrived();

  const worker::Player* ada() const { return server_->worker().player_of(ada_id); }
  const worker::Core& worker() const { return server_->worker(); }
  const client::Client& bea() const { return *bea_; }
  /// Messages of the game to all players, at Bea.
  std::size_t messages_at_bea() const { return messages_at_bea_; }
  static const Address& address();
  const LapGame& game() const { return game_; }

 private:
  static constexpr Micros begin_us = 7'000'000;
  static constexpr std::uint64_t unix_s = 1'800'000'000;
  struct Flying {
    Micros due_us = 0;
    std::vector<std::byte> datagram;
  };
  void from_server(const Address& to, std::span<const std::byte> datagram);
  /// The payload of a datagram, if that is one; asks `seam` whether it passes.
  bool passes(std::span<const std::byte> datagram, transport::Receiver receiver,
              const transport::Key& key, const OnPayload& seam) const;

  LapGame game_;
  Random random_{11};
  Micros now_us_ = begin_us;
  std::optional<transport::Key> server_key_;
  std::unique_ptr<embed::Server> server_;
  transport::ConnectToken token_{};
  transport::PublicToken keys_;
  std::deque<Flying> to_server_, to_ada_;
  std::unique_ptr<client::Client> bea_;
  Stander stander_;
  std::deque<std::vector<std::byte>> bea_inbox_;
  std::size_t messages_at_bea_ = 0;
};

}  // namespace perigee::recorded
