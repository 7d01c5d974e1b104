#include "perigee/lab/directory_host.hpp"

#include "perigee/base/hash.hpp"

namespace perigee::lab {

DirectoryHost::DirectoryHost(Needs needs)
    : queue_(needs.queue),
      net_(needs.net),
      settings_(needs.settings),
      core_(std::make_unique<directory::Core>(
          settings_, static_cast<std::uint32_t>(mix64(needs.seed) | 1U), queue_.now_us())) {}

void DirectoryHost::change_map(const std::function<void(ClusterMap&)>& change) {
  changed_map_ = map();
  change(*changed_map_);
  ++changed_map_->version;
}

void DirectoryHost::start_again() {
  away_ = false;
  restart();
}

void DirectoryHost::restart() {
  core_ = std::make_unique<directory::Core>(settings_, core_->saved(), queue_.now_us());
}

bool DirectoryHost::beat(std::size_t worker, std::uint64_t incarnation, Micros now_us) {
  const auto slot = WorkerSlot::at(worker);
  return core_->heartbeat(now_us, directory::MemberKind::Worker, slot.number,
                          core_->worker_name(slot), core_->map().cluster_id, incarnation);
}

}  // namespace perigee::lab
