/// A worker's report and its protobuf form.
#pragma once

#include "perigee/netcode/worker_report.hpp"

namespace perigee::directory::v1 {
class WorkerReport;
}

namespace perigee::host {

void write_report(const WorkerReport& report, directory::v1::WorkerReport& message);
/// Whatever the message says, plausible or not.
WorkerReport read_report(const directory::v1::WorkerReport& message);

}  // namespace perigee::host
