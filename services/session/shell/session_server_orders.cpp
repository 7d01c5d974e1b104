// Orders of techniques: informs gateways and waits for the clients' answers.
#include <chrono>

#include "perigee/host/loop.hpp"
#include "session_server.hpp"

namespace perigee::session {
namespace {

constexpr auto patience = std::chrono::seconds(3);

}  // namespace

std::variant<std::vector<TechniquesInUse>, OrderRefused> SessionServer::order(
    const SessionName& name, const std::string& settings) {
  std::unique_lock lock(mutex_);
  const auto opened = open_order(name, settings);
  if (const auto* refused = std::get_if<OrderRefused>(&opened)) {
    counts_.orders_refused.add(refused->reason);
    return *refused;
  }
  ++counts_.orders_given;
  const auto id = std::get<std::uint64_t>(opened);
  std::vector<GatewayOrder> gateway_orders;
  if (name.everybody) {
    gateway_orders.emplace_back(OrderedTechniques{0, id, settings});
  } else {
    for (const std::uint64_t client_id : orders_.clients(id)) {
      gateway_orders.emplace_back(OrderedTechniques{client_id, id, settings});
    }
  }
  send_to_gateways(std::move(gateway_orders));
  answered_.wait_for(lock, patience, [&] { return stopping_ || orders_.complete(id); });
  return orders_.close(id);
}

void SessionServer::report(std::uint64_t order, std::uint64_t client_id,
                           const std::string& techniques) {
  const std::lock_guard lock(mutex_);
  orders_.answered(order, client_id, techniques);
  answered_.notify_all();
}

}  // namespace perigee::session
