#include "perigee/lab/worker_ticks.hpp"

#include <algorithm>
#include <utility>

namespace perigee::lab {
namespace {

constexpr Micros catch_up_us = 500;  // interval of ticks of a worker that is behind

}  // namespace

WorkerTicks::WorkerTicks(Needs needs) : needs_(std::move(needs)) {}

void WorkerTicks::on_start(std::size_t index) {
  if (loads_.size() <= index) loads_.resize(index + 1);
  loads_[index].ticks = false;
  needs_.processes[index].tick_us = needs_.options.tick_cost_us;
}

void WorkerTicks::begin(std::size_t index) {
  if (!std::exchange(loads_[index].ticks, true)) await(index);
}

void WorkerTicks::await(std::size_t index) {
  const WorkerProcess& process = needs_.processes[index];
  const Micros due_us = tick_start_us(needs_.directory.time(), process.core->next_tick());
  needs_.queue.at(std::max(due_us - process.ahead_us, loads_[index].busy_until_us),
                  [this, index, incarnation = process.incarnation] { tick(index, incarnation); });
}

void WorkerTicks::tick(std::size_t index, std::uint64_t incarnation) {
  if (!needs_.processes.runs(index, incarnation)) return;
  WorkerProcess& process = needs_.processes[index];
  if (needs_.processes.stands_still(index)) {
    return needs_.queue.at(process.stands_still_until_us,
                           [this, index, incarnation] { tick(index, incarnation); });
  }
  Load& load = loads_[index];
  if (process.held) {
    load.ticks = false;
    return;
  }
  if (needs_.before_tick && !needs_.processes.survives(index, needs_.before_tick)) return;
  load.busy_until_us = needs_.queue.now_us() + catch_up_us;
  if (needs_.options.tick_cost) bear_cost(index);
  process.in_tick = true;
  const bool alive = needs_.processes.survives(index, [](worker::Core& core) { core.tick(); });
  process.in_tick = false;
  if (!alive) return;
  needs_.fabric.send_waiting(index, process.dies_sending.value_or(needs_.processes.size()));
  if (process.dies_sending) return needs_.processes.end(index);
  for (const float s : process.core->take_transits()) needs_.stages.fabric_us.push_back(s * 1e6);
  for (const float s : process.core->take_waits()) needs_.stages.input_wait_us.push_back(s * 1e6);
  needs_.after_tick(*process.core);
  await(index);
}

void WorkerTicks::bear_cost(std::size_t index) {
  WorkerProcess& process = needs_.processes[index];
  Load& load = loads_[index];
  const Micros cost_us = needs_.options.tick_cost(*process.core);
  const double share = needs_.options.processor_share ? needs_.options.processor_share(index) : 1;
  process.tick_us = static_cast<Micros>(static_cast<double>(cost_us) / share);
  load.busy_until_us = needs_.queue.now_us() + process.tick_us;
  if (load.spent_ticks++ == 0) load.counted_from_us = needs_.queue.now_us();
  load.spent_us += cost_us;
  worker::TickBudget::Spent spent_us{};
  spent_us[static_cast<std::size_t>(worker::TickPhase::Publish)] = cost_us;
  load.budget.on_tick(spent_us, 1'000'000 / default_tick_rate_hz);
  process.core->give_way(load.budget.least_stretch());
}

WorkerTicks::Spent WorkerTicks::take_spent(std::size_t index) {
  Load& load = loads_[index];
  if (!needs_.options.tick_cost || load.spent_ticks == 0) return {};
  const std::uint32_t ticks = std::exchange(load.spent_ticks, 0);
  const auto per_tick_ms = [ticks](Micros us) { return static_cast<double>(us) * 1e-3 / ticks; };
  return {.load_ms = per_tick_ms(std::exchange(load.spent_us, 0)),
          .pace_ms = per_tick_ms(needs_.queue.now_us() - load.counted_from_us)};
}

Micros WorkerTicks::late_us(std::size_t index) const {
  const Micros due_us =
      tick_start_us(needs_.directory.time(), needs_.processes[index].core->next_tick());
  return std::max<Micros>(needs_.queue.now_us() - due_us, 0);
}

}  // namespace perigee::lab
