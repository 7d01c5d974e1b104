#include "perigee/client/net_graph.hpp"

#include <algorithm>

namespace perigee::client {

void NetGraph::on_received(std::size_t bytes) {
  ++open_.packets_received;
  open_.bytes_received += static_cast<std::uint32_t>(bytes);
}

void NetGraph::on_sent(std::size_t bytes) {
  ++open_.packets_sent;
  open_.bytes_sent += static_cast<std::uint32_t>(bytes);
}

void NetGraph::on_correction(double meters) {
  ++open_.corrections;
  open_.correction_m_max = std::max(open_.correction_m_max, meters);
}

void NetGraph::advance(Micros now_us, const Gauges& gauges) {
  constexpr Micros graph_us = sample_us * static_cast<Micros>(samples_max);
  if (open_.end_us == 0) open_.end_us = now_us + sample_us;
  if (now_us - open_.end_us > graph_us) open_.end_us = now_us - graph_us;  // the rest would be lost
  while (open_.end_us <= now_us) {
    NetSample& sample = samples_[next_] = open_;
    sample.rtt_us = gauges.rtt_us;
    sample.jitter_us = gauges.jitter_us;
    sample.lead_us = gauges.lead_us;
    next_ = (next_ + 1) % samples_max;
    size_ = std::min(size_ + 1, samples_max);
    open_ = {.end_us = open_.end_us + sample_us};
  }
}

}  // namespace perigee::client
