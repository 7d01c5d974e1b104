#include "exported.hpp"

namespace perigee::console {

void Exported::show(const WebServer::Counts& web, const Relay::Counts& relay, std::size_t relayed) {
  process_.follow(process_metric.requests, web.requests);
  process_.follow(process_metric.dropped, web.dropped);
  process_.follow(process_metric.stuck, web.stuck);
  process_.follow(process_metric.malformed_web, web.malformed);
  process_.follow(process_metric.malformed_relay, relay.malformed);
  process_.follow(process_metric.refused_relay, relay.refused);
  process_.follow(process_metric.foreign_relay, relay.foreign);
  process_.follow(process_metric.up, relay.up);
  process_.follow(process_metric.down, relay.down);
  process_.flush();
  process_.set(process_metric.sockets, web.sockets);
  process_.set(process_metric.relayed, static_cast<double>(relayed));
}

}  // namespace perigee::console
