/// A whole server inside another program, such as a player's game or an editor: one worker, one
/// gateway, no services. Sans I/O: the owner has the socket and the clock.
///
/// In each turn, the owner calls receive() for everything that arrived, then advance(now), and
/// sleeps until next_deadline_us().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "perigee/transport/connect_token.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::embed {

struct Settings {
  /// The address that clients connect to; it is in their tokens.
  Address address;
  std::uint32_t players_max = 16;
  /// The game's world, metres; within 500 km of the origin.
  Vec3 world_low{-8000, -2000, -8000};
  Vec3 world_high{8000, 2000, 8000};
  Tick first_tick;  ///< of the world
  worker::Settings worker;
};

class Server {
 public:
  /// After a stall it catches up by at most this many ticks per advance().
  static constexpr int ticks_per_advance_max = 8;

  using Send = std::function<void(const Address& to, std::span<const std::byte> datagram)>;
  /// `game` must outlive this object. `unix_s` is the time at `now_us`, which must not go back.
  /// `random` must be unpredictable: the key that encrypts invitations is drawn from it. Call
  /// transport::init_crypto() first.
  Server(const world::GameModule& game, const Settings& settings, Micros now_us,
         std::uint64_t unix_s, const transport::RandomBytes& random, Send send);
  ~Server();

  /// A token for one player, valid for 30 s. Names need not be unique.
  transport::ConnectToken invite(std::string_view name);
  /// One datagram, decrypted in place.
  void receive(Micros now_us, const Address& from, std::span<std::byte> datagram);
  /// Runs everything that is due: ticks, keep-alives, joins.
  void advance(Micros now_us);
  /// When advance() must be called next.
  Micros next_deadline_us() const;
  /// Disconnects all players.
  void stop(Micros now_us);

  std::uint32_t players() const;
  /// Ticks skipped because of stalls longer than OwnMap::ticks_owed_max. Clients have lost their
  /// sessions by then, and return to their avatars.
  std::uint64_t ticks_skipped() const;
  /// Invalid values of the game, for the log: see worker::Core.
  world::GameFaults::Unsent take_game_faults();
  const worker::Core& worker() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::embed
