/// All bots of this process on one event loop: log-ins, sockets, impaired links, frames and
/// progress.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bot.hpp"
#include "figures.hpp"
#include "flight_recordings.hpp"
#include "log_ins.hpp"
#include "outcome_log.hpp"
#include "perigee/bots/schedule.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/stall_watch.hpp"
#include "perigee/host/udp_socket.hpp"

namespace perigee::bots {

struct CrowdOptions {
  LogInOptions log_in;
  std::optional<LinkPair> link;          ///< none: the real network
  std::optional<Techniques> techniques;  ///< none: the game's defaults
  std::uint32_t seconds = 60;            ///< of play, after the last log-in
  std::uint64_t seed = 1;
  double voyage_m = 0;  ///< see Brain
  Temper temper = Temper::Mild;
  Micros gap_us = GapLog::felt_us;  ///< longer gaps without a snapshot are listed
  std::optional<Flights> flights;   ///< none: no recordings
  OutcomeLog* outcomes = nullptr;   ///< log of the bots' outcomes; outlives the crowd
};

class Crowd {
 public:
  static constexpr Micros frame_us = 16'667;
  static constexpr Micros hitch_us_max = 100'000;  ///< later frames are skipped, as in a game
  static constexpr std::size_t turn_entries_max = 2'048;
  /// From the last input to the disconnect: the rewind window, and the longest path to the server.
  static constexpr Micros rest_us = 1'000'000;

  Crowd(host::Loop& loop, const world::GameModule& game, const CrowdOptions& options);
  ~Crowd();
  /// Stops all bots, then disconnects all and stops the loop. Called at the end of the time, or
  /// when interrupted.
  void finish();
  Figures figures();
  /// See gap_csv().
  std::string gaps() const { return gap_csv(bots_, stalls_); }

 private:
  struct Endpoint {
    std::optional<host::UdpSocket> socket;
    LinkSimulator up, down;
    Micros down_us = 0;  ///< when the last datagram reached the link
    Address gateway;
  };
  void admitted(std::uint32_t number, const std::string& token, const std::string& gateway);
  void refused(std::uint32_t number, const std::string& reason);
  void settled();
  /// Ends early once every bot was refused or has lost its connection.
  void finish_if_hopeless();
  void run_due();
  void await_next();
  void frame(std::uint32_t number, Micros due_us);
  void send(std::uint32_t number);
  void on_datagrams(std::uint32_t number, std::span<const host::Datagram> datagrams);
  void hold_back(Due way, std::uint32_t number, LinkSimulator& link, Micros at_us,
                 const Address& peer, std::span<const std::byte> bytes);
  void each_second();
  void leave();
  void log(const std::string& text);
  void log_avatar(std::uint32_t number);
  void log_once(const std::string& sentence);

  host::Loop& loop_;
  CrowdOptions options_;
  std::vector<std::unique_ptr<Bot>> bots_;
  std::vector<Endpoint> endpoints_;
  Schedule schedule_;
  Samples samples_;
  host::StallWatch stalls_{20'000};  ///< shorter stalls are normal scheduling
  std::set<std::string> logged_;
  Micros began_us_;
  std::uint32_t settled_ = 0;      ///< log-ins that ended, with either result
  std::optional<Micros> ends_us_;  ///< known once all log-ins have ended
  bool finished_ = false;
  Micros finished_us_ = 0;
  std::uint64_t held_back_lost_ = 0;
  std::uint64_t bytes_logged_ = 0;
  bool terminal_;
  host::Timer due_;
  host::Timer goodbye_;
  host::Timer second_;
  std::optional<LogIns> log_ins_;
};

}  // namespace perigee::bots
