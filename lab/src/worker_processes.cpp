#include "perigee/lab/worker_processes.hpp"

#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {

std::size_t WorkerProcesses::add() {
  const std::size_t index = all_.size();
  all_.push_back(std::make_unique<WorkerProcess>());
  all_.back()->fabric = worker_fabric(static_cast<std::uint32_t>(index));
  return index;
}

bool WorkerProcesses::know_each_other(std::size_t a, std::size_t b) const {
  const WorkerProcess& one = *all_[a];
  const WorkerProcess& other = *all_[b];
  const auto knows = [](const WorkerProcess& who, const WorkerProcess& whom) {
    const auto found = who.knows.find(whom.slot);
    return found != who.knows.end() && found->second == whom.knows.at(whom.slot);
  };
  const bool both =
      one.core && other.core && one.knows.contains(one.slot) && other.knows.contains(other.slot);
  return both && knows(one, other) && knows(other, one);
}

bool WorkerProcesses::survives(std::size_t index, const std::function<void(worker::Core&)>& work) {
  try {
    work(*all_[index]->core);
    return true;
  } catch (const ProcessCrash&) {
    end(index);
    return false;
  }
}

void WorkerProcesses::end(std::size_t index) {
  WorkerProcess& process = *all_[index];
  if (process.core && before_end) before_end(*process.core);
  process.core.reset();
  process.dies_sending.reset();
  if (after_end) after_end(index);
}

}  // namespace perigee::lab
