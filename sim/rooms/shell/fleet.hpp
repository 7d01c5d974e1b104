/// The fleet that a process of rooms may belong to. A process without one is a fleet of itself:
/// every question has an answer at once.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "agones.hpp"
#include "perigee/base/address.hpp"
#include "perigee/host/admin_server.hpp"

namespace perigee::rooms {

class Fleet {
 public:
  /// None: the process belongs to no fleet.
  Fleet(host::Loop& loop, std::optional<AgonesOptions> agones);

  bool present() const { return agones_.has_value(); }
  /// Runs the loop until the sidecar has named the players' address. None: a signal, or the fleet,
  /// has told the process to stop meanwhile.
  std::optional<Address> wait_for_address(host::AdminServer& admin);
  /// Called when the fleet removes the process.
  void on_leave(std::function<void()> leave) { leave_ = std::move(leave); }
  void show(const FleetFigures& figures) {
    if (agones_) agones_->show(figures);
  }
  /// After FleetFigures::ended: the process may end.
  bool done() const { return !agones_ || agones_->done(); }

 private:
  host::Loop& loop_;
  std::string dialled_;
  bool waiting_ = false;
  std::function<void()> leave_;
  std::optional<Agones> agones_;
};

}  // namespace perigee::rooms
