/// The moments at which a worker reports to the directory: once a second, at its own moment of that
/// second, and whenever a report is wanted at once.
#pragma once

#include <functional>
#include <utility>

#include "perigee/host/loop.hpp"

namespace perigee::worker {

class ReportTimers {
 public:
  /// `until_us`: time to the next regular report.
  ReportTimers(host::Loop& loop, std::function<Micros()> until_us,
               std::function<void(bool at_once)> report)
      : until_us_(std::move(until_us)),
        report_(std::move(report)),
        regular_(loop,
                 [this] {
                   report_(false);
                   schedule();
                 }),
        soon_(loop, [this] { report_(true); }) {}

  void schedule() { regular_.at(host::Loop::clock_us() + until_us_()); }
  /// Deferred until the present call has returned to the loop.
  void report_soon() { soon_.at(host::Loop::clock_us()); }

 private:
  const std::function<Micros()> until_us_;
  const std::function<void(bool)> report_;
  host::Timer regular_, soon_;
};

}  // namespace perigee::worker
