// The cost of the virtual cluster's ticks, and the rate of its world time.
#include <algorithm>

#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

void VirtualCluster::bear_cost(std::size_t index) {
  Worker& worker = *workers_[index];
  const Micros cost_us = options_.tick_cost(*worker.core);
  const double share = options_.processor_share ? options_.processor_share(index) : 1;
  worker.tick_us = static_cast<Micros>(static_cast<double>(cost_us) / share);
  worker.busy_until_us = queue_.now_us() + worker.tick_us;
  if (worker.spent_ticks++ == 0) worker.counted_from_us = queue_.now_us();
  worker.spent_us += cost_us;
  worker::TickBudget::Spent spent_us{};
  spent_us[static_cast<std::size_t>(worker::TickPhase::Publish)] = cost_us;
  worker.budget.on_tick(spent_us, 1'000'000 / default_tick_rate_hz);
  worker.core->give_way(worker.budget.least_stretch());
}

Micros VirtualCluster::late_us(std::size_t index) const {
  const Micros due_us = tick_start_us(directory_->map().time, workers_[index]->core->next_tick());
  return std::max<Micros>(queue_.now_us() - due_us, 0);
}

void VirtualCluster::order_rate(std::optional<std::uint32_t> percent) {
  const auto done = directory_->set_rate(queue_.now_us(), percent);
  PERIGEE_ASSERT(done.ok(), "the rate must be allowed");
  spread_map(options_.map_late_us_max);
}

}  // namespace perigee::lab
