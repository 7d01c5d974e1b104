#include "perigee/lab/urgent_reports.hpp"

#include <utility>

namespace perigee::lab {
namespace {

constexpr Micros report_delay_us = 2'000;
constexpr Micros probe_us = 100'000;  // until a process that does not answer is declared dead

}  // namespace

UrgentReports::UrgentReports(Needs needs) : needs_(std::move(needs)) {}

void UrgentReports::on_start(std::size_t index) {
  if (requested_.size() <= index) requested_.resize(index + 1);
  requested_[index] = false;
}

void UrgentReports::request(std::size_t index) {
  if (requested_[index]) return;
  requested_[index] = true;
  needs_.queue.after(report_delay_us,
                     [this, index, incarnation = needs_.processes[index].incarnation] {
                       send(index, incarnation);
                     });
}

void UrgentReports::send(std::size_t index, std::uint64_t incarnation) {
  requested_[index] = false;
  if (!needs_.processes.runs(index, incarnation) || needs_.processes.stands_still(index)) return;
  if (!needs_.directory.receives(static_cast<Party>(index))) return;
  const auto slot = WorkerSlot::at(index);
  directory::Core& core = needs_.directory.core();
  const std::uint64_t version = core.map().version;
  if (!needs_.directory.beat(index, incarnation, needs_.queue.now_us())) return;
  const WorkerReport report = needs_.processes[index].core->report(std::nullopt);
  core.report(needs_.queue.now_us(), slot.number, report);
  for (const WorkerIncarnation& suspect : core.suspects(slot.number, report)) {
    const bool gone = !needs_.processes.runs(suspect.slot.index()) &&
                      needs_.directory.receives(suspect.slot.number);
    needs_.queue.after(gone ? report_delay_us : probe_us, [this, suspect] { judge(suspect); });
  }
  if (core.map().version != version) needs_.map_changed();
}

void UrgentReports::judge(const WorkerIncarnation& suspect) {
  if (needs_.directory.away()) return;
  const std::size_t index = suspect.slot.index();
  const bool answers = needs_.processes.runs(index) && !needs_.processes.stands_still(index) &&
                       needs_.directory.receives(suspect.slot.number) &&
                       2 * needs_.net.at(the_directory, suspect.slot.number).slow_us < probe_us;
  if (answers || !needs_.directory.core().declare_dead(needs_.queue.now_us(), suspect)) return;
  needs_.map_changed();
}

}  // namespace perigee::lab
