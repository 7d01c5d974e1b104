#include "fleet.hpp"

#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/host/process.hpp"

namespace perigee::rooms {

Fleet::Fleet(host::Loop& loop, std::optional<AgonesOptions> agones) : loop_(loop) {
  if (!agones) return;
  host::log_info("part of a fleet of Agones", {{"sidecar", agones->target}});
  agones_.emplace(loop, std::move(*agones),
                  Agones::Events{.found =
                                     [this](std::string dialled) {
                                       dialled_ = std::move(dialled);
                                       if (waiting_) loop_.stop();
                                     },
                                 .leave =
                                     [this] {
                                       host::log_info("the fleet removes this process");
                                       if (leave_) leave_();
                                     }});
}

std::optional<Address> Fleet::wait_for_address(host::AdminServer& admin) {
  bool stopped = false;
  const auto stop = [&] {
    stopped = true;
    loop_.stop();
  };
  admin.set_not_ready("waiting for the sidecar of Agones: it knows what players dial");
  loop_.on_signal([&](int) { stop(); });
  leave_ = stop;
  waiting_ = true;
  std::optional<Address> address;
  while (!address && !stopped) {
    loop_.run();
    if (stopped) break;
    const auto resolved = host::resolve(dialled_);
    if (!resolved) {
      host::log_warning("waiting for another address from the sidecar of Agones",
                        {{"address", dialled_}, {"why", resolved.error().message}});
    } else {
      address = *resolved;
    }
  }
  waiting_ = false;
  leave_ = {};
  loop_.on_signal({});
  return address;
}

}  // namespace perigee::rooms
