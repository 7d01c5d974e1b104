/// Converts a worker's report from and to its protobuf message.
#pragma once

#include "perigee/base/worker_report.hpp"

namespace perigee::directory::v1 {
class WorkerReport;
}

namespace perigee::host {

void write_report(const WorkerReport& report, directory::v1::WorkerReport& message);
/// Accepts any message; plausible() checks the values.
WorkerReport read_report(const directory::v1::WorkerReport& message);

}  // namespace perigee::host
