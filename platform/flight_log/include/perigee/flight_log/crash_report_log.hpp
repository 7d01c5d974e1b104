/// Writes the crash reports of dead workers (their players' last inputs) into a folder that keeps
/// the newest few files. Writes at once: the successor may die a moment later.
#pragma once

#include <optional>
#include <string>

#include "perigee/host/file_shelf.hpp"
#include "perigee/replay/crash_report.hpp"

namespace perigee::flight_log {

class CrashReportLog {
 public:
  static constexpr std::uint32_t files_max = 16;
  static constexpr std::uint64_t bytes_max = 256U << 20;

  /// The folder is created with the first file.
  explicit CrashReportLog(std::string folder) : folder_(std::move(folder)) {}
  /// The file's name is worker-SLOT-incarnation-INCARNATION-tick-TICK.report. Failures are logged.
  void write(const replay::CrashReport& report);

 private:
  std::string folder_;
  std::optional<host::FileShelf> shelf_;
};

}  // namespace perigee::flight_log
