/// Three workers with a store, two gateways, a directory, a session service and players, in a
/// network of their own, each with a clock of its own; and the deeds that happen to them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "deeds.hpp"
#include "lives.hpp"
#include "network_cuts.hpp"
#include "own_network/own_network.hpp"
#include "process/cluster/fleet.hpp"
#include "process/cluster/run_queue_watch.hpp"
#include "process/journal_watch.hpp"
#include "process/stepped_clock.hpp"

namespace perigee::process_test {

class ASoakedCluster : private own_network::Stay, public AFleet {
 protected:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned bots_there = 50;
  static constexpr int loopback_mtu = 65'536;

  ASoakedCluster();

  /// An error: this machine does not allow networks of a test's own, or cuts in them.
  Result<Ok> allowed() { return entered() ? network.begin() : entered(); }
  /// Starts all of them. Fatal failures if they do not all become ready.
  void begin();
  void begin_players();
  /// Lets time pass. Looks at the journal often enough that no row expires unseen, and reports
  /// processes that have ended by themselves and players that have lost their connection.
  void play(std::chrono::milliseconds time);
  void perform(const Deed& deed);
  /// Ends the players, and returns their figures.
  std::string end_players();
  void say(const std::string& text) const;
  double minutes() const {
    return std::chrono::duration<double>(Clock::now() - began_).count() / 60;
  }
  /// The text of that process's log so far.
  std::string log_of(const std::string& name) const;

  const fs::path logs;
  const fs::path outcome_log = folder / "outcomes.csv";
  const fs::path gap_log = folder / "gaps.csv";
  std::optional<JournalWatch> journal;
  std::vector<Life> past;  ///< of processes that have ended
  struct Process {
    std::string binary;
    std::vector<std::string> words;
    Child* child = nullptr;
    std::optional<Life> life;
    std::optional<SteppedClock> clock;
  };
  std::map<std::string, Process> running;
  NetworkCuts network;

 private:
  /// How long workers waited for a processor in the last seconds. A worker that stalls for 0.3 s is
  /// taken for dead, and its standby takes over: on a busy machine that happens without a deed.
  std::string starved() const;
  NetworkCuts::Ports ports_of_all() const;
  void let_histories_fill();
  void start_named(const std::string& name);
  void end(const std::string& name, int signal);
  void kill_for(const std::string& name, unsigned ms);
  void stand(const std::string& name, unsigned ms);
  void cut(const Deed& deed);
  void stand_disk(unsigned ms);
  void look_at_processes();
  void count_players();
  void look_at_players();
  void look_at_journal();
  void set_all_clocks(std::int64_t ahead_s);

  const Clock::time_point began_ = Clock::now();
  Clock::time_point looked_ = began_;   ///< at the journal
  Clock::time_point counted_ = began_;  ///< players of workers
  std::size_t told_ = 0;                ///< bytes of the players' log
  RunQueueWatch processors_;
};

}  // namespace perigee::process_test
