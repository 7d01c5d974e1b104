/// The players of one thread on its event loop: sockets, impaired links and frames. Everything here
/// belongs to that thread, from the start of the loop to its end; only `Reports` leave it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "figures.hpp"
#include "flight_recordings.hpp"
#include "perigee/bots/process.hpp"
#include "perigee/bots/schedule.hpp"
#include "perigee/bots/share.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/udp_socket.hpp"
#include "progress.hpp"

namespace perigee::bots {

/// How all players play. Full bots have the numbers from 0 on, thin players the following ones.
struct PlayOptions {
  std::uint32_t bots = 20;
  std::uint32_t thin = 0;
  std::optional<LinkPair> link;          ///< none: the real network
  std::optional<Techniques> techniques;  ///< none: the game's defaults
  std::uint32_t seconds = 60;            ///< of play, after the last log-in
  std::uint64_t seed = 1;
  double voyage_m = 0;  ///< see Brain
  Temper temper = Temper::Mild;
  Micros gap_us = GapLog::felt_us;            ///< longer gaps without a snapshot are listed
  std::optional<double> recorded_beyond_m{};  ///< corrections with recordings; none: no recordings
  PilotOf pilot;                              ///< of full bots; none: a Brain
  std::uint32_t players() const { return bots + thin; }
};

class Crowd {
 public:
  static constexpr Micros frame_us = 16'667;
  static constexpr Micros hitch_us_max = 100'000;  ///< later frames are skipped, as in a game
  static constexpr std::size_t turn_entries_max = 2'048;
  /// From the last input to the disconnect: the rewind window, and the longest path to the server.
  static constexpr Micros rest_us = 1'000'000;
  /// More players than this share the wake-ups of their thread, which are at least so far apart.
  static constexpr std::uint32_t sparse_players_max = 32;
  static constexpr Micros wake_us_min = 1'000;

  /// Called on the thread of the crowd.
  struct Reports {
    std::function<void(std::string sentence)> say;
    /// Empty: outcomes are not wanted.
    std::function<void(std::uint32_t player, std::span<const OutcomeEvent>)> outcomes;
    /// No player plays, or may still come to play. At most once.
    std::function<void()> hopeless;
    /// All players have disconnected, and the loop stops.
    std::function<void()> left;
  };

  Crowd(host::Loop& loop, const world::GameModule& game, const PlayOptions& options, Share share,
        Reports reports);
  ~Crowd();

  void admitted(std::uint32_t player, const std::string& token, const std::string& gateway);
  void refused(std::uint32_t player, const std::string& reason);
  void log_ins_over();
  /// Stops all players, then disconnects them and stops the loop.
  void finish();
  /// Once a second: takes samples.
  Progress each_second();
  std::optional<WorstCorrection> worst_correction();

  const Player& player(std::uint32_t number) const { return *players_[share_.place(number)]; }
  std::span<const Bot* const> bots() const { return bots_; }
  std::span<const ThinBot* const> thin() const { return thin_; }
  const Samples& samples() const { return samples_; }
  std::uint64_t held_back_lost() const { return held_back_lost_; }
  std::uint64_t frames_skipped() const { return frames_skipped_; }

 private:
  struct Endpoint {
    std::optional<host::UdpSocket> socket;
    LinkSimulator up, down;
    Micros down_us = 0;  ///< when the last datagram reached the link
  };
  void add_player(const world::GameModule& game, std::uint32_t number);
  void look_for_hope();
  void run_due();
  void await_next();
  void frame(std::uint32_t place, Micros due_us);
  void send(std::uint32_t place);
  void on_datagrams(std::uint32_t place, std::span<const host::Datagram> datagrams);
  void hold_back(Due way, std::uint32_t place, LinkSimulator& link, Micros at_us,
                 const Address& peer, std::span<const std::byte> bytes);
  void leave();
  void say_avatar(std::uint32_t number);

  host::Loop& loop_;
  PlayOptions options_;
  Share share_;
  Reports reports_;
  std::vector<std::unique_ptr<Player>> players_;  ///< by place in the share
  std::vector<const Bot*> bots_;
  std::vector<const ThinBot*> thin_;
  std::vector<Endpoint> endpoints_;
  Schedule schedule_;
  Samples samples_;
  CorrectionWatch corrections_;
  Micros began_us_;
  Micros woken_us_ = 0;
  std::optional<Micros> armed_us_;  ///< deadline of due_
  bool log_ins_over_ = false;
  bool hopeless_ = false;
  bool finished_ = false;
  std::uint64_t held_back_lost_ = 0;
  std::uint64_t frames_skipped_ = 0;
  host::Timer due_;
  host::Timer goodbye_;
};

}  // namespace perigee::bots
