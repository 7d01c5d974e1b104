/// The event loop of a process (libuv): timers, signals, calls from other threads. One thread.
#pragma once

#include <csignal>
#include <functional>
#include <memory>
#include <utility>

#include "perigee/base/tick.hpp"

struct uv_loop_s;

namespace perigee::host {

/// Two clocks read at the same moment: kernel stamps use the wall clock, everything else the
/// monotonic clock.
struct ClockPair {
  Micros monotonic_us = 0;  ///< CLOCK_MONOTONIC
  Micros wall_us = 0;       ///< CLOCK_REALTIME, since 1970
};

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// CLOCK_MONOTONIC, read now. Any thread.
  static Micros clock_us();
  /// CLOCK_REALTIME, read now. Any thread.
  static Micros wall_us();
  static ClockPair clocks();
  /// Processor time of the calling thread.
  static Micros thread_cpu_us();

  /// Runs until stop(). SIGTERM and SIGINT call the signal handler (default: stop); a second one
  /// always stops. SIGPIPE is ignored.
  void run();
  /// Loop thread only; from other threads post() it.
  void stop();
  bool stopping() const;
  void on_signal(std::function<void(int signal)> handler);
  /// SIGHUP: reload settings that may change at run time. Without a handler SIGHUP ends the
  /// process.
  void on_hangup(std::function<void()> handler);
  /// Runs `call` on the loop's thread, in the order of posting. Any thread. Calls still pending
  /// when the loop ends are dropped.
  void post(std::function<void()> call);
  /// Runs at the end of every turn, before the loop sleeps, to flush the turn's output.
  void at_turn_end(std::function<void()> hook);

  /// Instead of sleeping, polls for events until `budget_us` have passed since the last
  /// note_activity(). 0 (the default): sleeps at once. Occupies a processor but saves the latency
  /// of waking up.
  void stay_awake(Micros budget_us);
  /// Something arrived, so more may follow.
  void note_activity();
  /// Time spent polling so far.
  Micros awake_us() const;

  uv_loop_s* native();

 private:
  friend class TurnOutput;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Output that is sent at the end of the turn in which it was queued, after the loop's hooks. A
/// loop with thousands of sockets spends time only on those that have output.
class TurnOutput {
 public:
  TurnOutput(Loop& loop, std::function<void()> send) : loop_(loop), send_(std::move(send)) {}
  ~TurnOutput();
  TurnOutput(const TurnOutput&) = delete;
  TurnOutput& operator=(const TurnOutput&) = delete;

  /// Calls `send` once, at the end of this turn.
  void queue();

 private:
  friend class Loop;
  Loop& loop_;
  std::function<void()> send_;
  bool queued_ = false;
};

/// A timer with microsecond deadlines (timerfd; libuv's own knows milliseconds only).
class Timer {
 public:
  Timer(Loop& loop, std::function<void()> due);
  ~Timer();
  Timer(Timer&&) noexcept;
  Timer& operator=(Timer&&) noexcept;

  /// Fires once at `deadline_us` of Loop::clock_us(); at once if that has passed.
  void at(Micros deadline_us);
  /// Fires every `period_us`, first after one period. Missed periods are not caught up.
  void every(Micros period_us);
  void stop();

 private:
  struct Impl;
  Impl* impl_;  ///< freed by the loop once its handle is closed
};

}  // namespace perigee::host
