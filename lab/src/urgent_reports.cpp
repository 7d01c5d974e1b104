#include "perigee/lab/urgent_reports.hpp"

#include <utility>

namespace perigee::lab {
namespace {

constexpr Micros report_delay_us = 2'000;
constexpr Micros probe_us = 100'000;  // until a process that does not answer is declared dead

}  // namespace

UrgentReports::UrgentReports(Needs needs)
    : needs_(std::move(needs)),
      queue_(needs_.queue),
      directory_(needs_.directory),
      processes_(needs_.processes) {}

void UrgentReports::on_start(std::size_t index) {
  if (requested_.size() <= index) requested_.resize(index + 1);
  requested_[index] = false;
}

void UrgentReports::request(std::size_t index) {
  if (requested_[index]) return;
  requested_[index] = true;
  queue_.after(report_delay_us, [this, index, incarnation = processes_[index].incarnation] {
    send(index, incarnation);
  });
}

void UrgentReports::send(std::size_t index, std::uint64_t incarnation) {
  requested_[index] = false;
  if (!processes_.runs(index, incarnation) || processes_.stands_still(index)) return;
  if (!directory_.receives(static_cast<Party>(index))) return;
  const auto slot = WorkerSlot::at(index);
  directory::Core& core = directory_.core();
  const std::uint64_t version = core.map().version;
  if (!directory_.beat(index, incarnation, queue_.now_us())) return;
  const WorkerReport report = processes_[index].core->report(std::nullopt);
  core.report(queue_.now_us(), slot.number, report);
  for (const WorkerIncarnation& suspect : core.suspects(slot.number, report)) {
    const bool gone =
        !processes_.runs(suspect.slot.index()) && directory_.receives(suspect.slot.number);
    queue_.after(gone ? report_delay_us : probe_us, [this, suspect] { judge(suspect); });
  }
  if (core.map().version != version) needs_.map_changed();
}

void UrgentReports::judge(const WorkerIncarnation& suspect) {
  if (directory_.away()) return;
  const std::size_t index = suspect.slot.index();
  const bool answers = processes_.runs(index) && !processes_.stands_still(index) &&
                       directory_.receives(suspect.slot.number) &&
                       2 * needs_.net.at(the_directory, suspect.slot.number).slow_us < probe_us;
  if (answers || !directory_.core().declare_dead(queue_.now_us(), suspect)) return;
  needs_.map_changed();
}

}  // namespace perigee::lab
