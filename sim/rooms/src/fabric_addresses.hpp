/// Addresses of a fabric that never leaves the process. The port names the worker.
#pragma once

#include "perigee/base/address.hpp"
#include "perigee/base/ids.hpp"

namespace perigee::rooms {

inline constexpr GatewaySlot door_slot{0};
inline constexpr Address door_fabric = Address::v4(127, 0, 0, 1, 1);
inline constexpr std::uint16_t first_worker_port = 2;
constexpr Address worker_fabric(WorkerSlot slot) {
  return Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(first_worker_port + slot.number));
}
constexpr WorkerSlot worker_at(const Address& fabric) {
  return WorkerSlot::at(fabric.port - first_worker_port);
}

}  // namespace perigee::rooms
