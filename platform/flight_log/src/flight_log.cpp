#include "perigee/flight_log/flight_log.hpp"

#include "perigee/host/log.hpp"
#include "perigee/host/print.hpp"

namespace perigee::flight_log {

Result<FlightLog> FlightLog::open(const std::string& folder, std::uint32_t files_max,
                                  std::uint32_t mebibytes_max) {
  auto shelf = host::FileShelf::open({.folder = folder,
                                      .ending = std::string(ending),
                                      .files_max = files_max,
                                      .bytes_max = std::uint64_t{mebibytes_max} << 20});
  if (!shelf) return Error{"flight recordings: " + shelf.error().message};
  return FlightLog(std::move(*shelf));
}

void FlightLog::write(Micros now_us, const replay::Recording& recording) {
  const replay::FlightHeader& header = recording.header;
  last_us_ = now_us;
  std::string name;
  host::print(name, "flight-%llx-%u-", static_cast<unsigned long long>(header.avatar),
              header.tick.count);
  name += header.side == replay::Side::Client ? "client" : "worker";
  const auto put = shelf_.put(name, replay::write_recording(recording));
  if (put.ok()) {
    host::log_info("flight recorded", {{"name", name}, {"meters", header.meters}});
  } else {
    host::log_warning("flight not recorded", {{"why", put.error().message}, {"lost", lost()}});
  }
}

std::string build_name() { return PERIGEE_VERSION; }

}  // namespace perigee::flight_log
