#include "outcome_log.hpp"

#include "perigee/host/loop.hpp"
#include "perigee/host/print.hpp"

namespace perigee::bots {

Error OutcomeLog::error() const {
  return Error{"cannot write " + name_ + "; set another --outcome-log"};
}

Result<OutcomeLog> OutcomeLog::open(const std::string& file) {
  OutcomeLog log(file);
  log.file_ << "received_unix_s,bot,tick,index,kind,actor,target,amount\n" << std::flush;
  if (!log.file_) return log.error();
  return log;
}

// Writes whole lines at once, because another process may read along.
void OutcomeLog::add(std::uint32_t bot, std::span<const OutcomeEvent> reported) {
  if (reported.empty()) return;
  std::string lines;
  const double now_s = static_cast<double>(host::Loop::wall_us()) * 1e-6;
  for (const OutcomeEvent& event : reported) {
    host::print(lines, "%.3f,%u,%u,%u,%u,%u,%u,%d\n", now_s, bot, event.tick.count,
                unsigned{event.index}, unsigned{event.kind}, event.actor, event.target,
                event.amount);
  }
  file_ << lines << std::flush;
}

Result<Ok> OutcomeLog::complete() const {
  if (!file_) return error();
  return Ok{};
}

}  // namespace perigee::bots
