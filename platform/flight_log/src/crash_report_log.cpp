#include "perigee/flight_log/crash_report_log.hpp"

#include "perigee/host/log.hpp"
#include "perigee/host/print.hpp"

namespace perigee::flight_log {

void CrashReportLog::write(const replay::CrashReport& report) {
  const auto failed = [](const Error& why) {
    host::log_warning("crash report of a worker's players not written", {{"why", why.message}});
  };
  if (!shelf_) {
    auto shelf = host::FileShelf::open(
        {.folder = folder_, .ending = ".report", .files_max = files_max, .bytes_max = bytes_max});
    if (!shelf) return failed(shelf.error());
    shelf_ = std::move(*shelf);
  }
  std::string name;
  host::print(name, "worker-%u-incarnation-%u-tick-%u", unsigned{report.slot.number},
              report.incarnation.number, report.tick.count);
  const auto put = shelf_->put(name, replay::write_crash_report(report));
  if (!put) return failed(put.error());
  host::log_warning("crash report of a worker's players written",
                    {{"name", name},
                     {"players", static_cast<std::uint64_t>(report.players.size())},
                     {"played_on", report.fate != replay::Fate::LeftBehind}});
}

}  // namespace perigee::flight_log
