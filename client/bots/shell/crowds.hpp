/// All players of this process: a thread for each crowd, log-ins, the progress line, and the sum of
/// the results. The threads share nothing; they talk by calls posted to each other's loops.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "crowd.hpp"
#include "log_ins.hpp"
#include "outcome_log.hpp"
#include "perigee/host/stall_watch.hpp"

namespace perigee::bots {

struct CrowdsOptions {
  LogInOptions log_in;
  PlayOptions play;
  std::uint32_t threads = 1;       ///< at most one per player is used
  std::optional<Flights> flights;  ///< none: no recordings
  OutcomeLog* outcomes = nullptr;  ///< log of the bots' outcomes; outlives the crowds
};

class Crowds {
 public:
  Crowds(host::Loop& loop, const world::GameModule& game, CrowdsOptions options);
  /// Ends the threads, wherever they are.
  ~Crowds();
  /// Stops all players, then disconnects all and stops the loop. Called at the end of the time, or
  /// when interrupted.
  void finish();
  /// After the loop has stopped: ends the threads, and sums up.
  Figures figures();
  /// See gap_csv(). After figures().
  std::string gaps() const;

 private:
  struct Worker {
    host::Loop loop;
    std::optional<Crowd> crowd;
    std::thread thread;
  };
  Crowd::Reports reports_to_here();
  void settled();
  void each_second();
  void on_progress(const Progress& one);
  void say_once(const std::string& sentence);
  void print_line(const std::string& text);
  void end_threads();
  template <class Call>
  void post_to_all(Call call);
  Worker& worker_of(std::uint32_t player);

  host::Loop& loop_;
  CrowdsOptions options_;
  std::vector<std::unique_ptr<Worker>> workers_;
  host::StallWatch stalls_{20'000};  ///< shorter stalls are normal scheduling
  std::set<std::string> said_;
  Micros began_us_;
  std::uint32_t settled_ = 0;    ///< log-ins that ended, with either result
  std::size_t hopeless_ = 0;     ///< crowds
  std::size_t left_ = 0;         ///< crowds
  std::size_t answers_due_ = 0;  ///< to each_second()
  Progress sum_, printed_;
  bool finished_ = false;
  Micros finished_us_ = 0;
  bool terminal_;
  host::Timer end_;
  host::Timer second_;
  std::optional<LogIns> log_ins_;
};

}  // namespace perigee::bots
