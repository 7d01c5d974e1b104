/// A whole server inside another program, such as a player's game or an editor: one worker, one
/// door, no services. Sans I/O: the owner has the socket and the clock. (mission K2b)
///
/// Per turn of the owner: receive() everything that came, advance(now), sleep until
/// next_deadline_us().
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
  /// Where players reach it: it stands in their tokens.
  Address address;
  std::uint32_t players_max = 16;
  Vec3 world_low{-8000, -2000, -8000};  ///< metres
  Vec3 world_high{8000, 2000, 8000};
  Tick first_tick;  ///< of the world
  worker::Settings worker;
};

class Server {
 public:
  /// After a stall it catches up, so many ticks in one advance() at the most.
  static constexpr int ticks_per_advance_max = 8;
  /// After a longer stall, 5 s, world time goes on from now: the ticks in between never come, and
  /// clients, which have lost their sessions by then, come back to their avatars. More: players see
  /// a longer piece of the world in fast motion.
  static constexpr std::int32_t ticks_owed_max = 300;

  using Send = std::function<void(const Address& to, std::span<const std::byte> datagram)>;
  /// `game` outlives it. `unix_s` belongs to `now_us`, which must not go back. `random` must be
  /// unpredictable: the key that invitations are sealed with is drawn from it. Call
  /// transport::init_crypto() before.
  Server(const world::GameModule& game, const Settings& settings, Micros now_us,
         std::uint64_t unix_s, const transport::RandomBytes& random, Send send);
  ~Server();

  /// For one player, who has 30 s to come with it. Names are not unique.
  transport::ConnectToken invite(std::string_view name);
  /// One datagram, decrypted in place.
  void receive(Micros now_us, const Address& from, std::span<std::byte> datagram);
  /// Runs what is due: ticks, keep-alives, joins.
  void advance(Micros now_us);
  /// When advance() has something to do next.
  Micros next_deadline_us() const;
  /// Says goodbye to everybody.
  void stop(Micros now_us);

  std::uint32_t players() const;
  /// So many ticks would have run, had it not stood still for longer than ticks_owed_max.
  std::uint64_t ticks_skipped() const;
  /// Refused values of the game, for the log: see worker::Core.
  world::GameFaults::Untold take_game_faults();
  const worker::Core& worker() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace perigee::embed
