// Messages between the virtual cluster's processes, and the network between them.
#include "perigee/lab/peer_links.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {
namespace {

constexpr Micros resend_us = 200'000;  // of lost data on ordered streams

Party party_of(const Address& fabric) {
  if (fabric == gateway_fabric) return the_gateway;
  Party worker = 0;
  while (worker_fabric(worker) != fabric) ++worker;
  return worker;
}

}  // namespace

void VirtualCluster::link_workers() {
  net_ = std::make_unique<Net>();
  links_ = std::make_unique<PeerLinks>(
      queue_, *net_,
      PeerLinks::Workers{
          .hear =
              [this](Party from, Party to, const Bytes& word) {
                if (!workers_[to]->core) return;
                survives(to, [&](worker::Core& core) { core.on_peer(WorkerSlot::at(from), word); });
              },
          .lost =
              [this](Party at, Party with) {
                if (workers_[at]->core) {
                  workers_[at]->core->on_link_lost(WorkerSlot::at(with));
                }
              },
          .stands_still_until_us =
              [this](Party who) { return workers_[who]->stands_still_until_us; },
          .incarnation = [this](Party who) { return workers_[who]->incarnation; },
          .know_each_other = [this](Party a, Party b) { return know_each_other(a, b); }});
}

/// Additional delay of a message; none: it is lost.
std::optional<Micros> VirtualCluster::weather(Party a, Party b, bool in_order) {
  const Weather& weather = net_->at(a, b);
  if (weather.slow_us == 0 && weather.lost == 0) return 0;
  Random random(random_.next());
  const bool lost = random.unit() < weather.lost;
  if (lost && !in_order) return std::nullopt;
  const auto late_us = static_cast<Micros>(random.unit() * static_cast<double>(weather.slow_us));
  return late_us + (lost ? resend_us : 0);
}

/// Messages of one tick to the same worker are sent together; tests that delay messages get them
/// one by one.
void VirtualCluster::say(std::size_t index, WorkerSlot to, std::span<const std::byte> bytes) {
  Worker& worker = *workers_[index];
  const bool waits = worker.in_tick && !on_way_to_peer;
  waits ? worker.said[to].push_back(copy_of(bytes)) : say_together(index, to, {copy_of(bytes)});
}

void VirtualCluster::say_together(std::size_t index, WorkerSlot to, std::vector<Bytes> words) {
  const auto later_us = on_way_to_peer ? on_way_to_peer() : std::optional<Micros>(0);
  if (!later_us) return;
  const auto from = static_cast<Party>(index);
  links_->say(
      from, to.number, std::move(words),
      fabric_delay_us + workers_[index]->tick_us + *later_us + *weather(from, to.number, true),
      !on_way_to_peer);
}

/// Sends the tick's messages, to at most `workers_max` other workers.
void VirtualCluster::release_words(std::size_t index, std::size_t workers_max) {
  std::size_t reported = 0;
  for (auto& [to, words] : std::exchange(workers_[index]->said, {})) {
    if (reported++ < workers_max) say_together(index, to, std::move(words));
  }
}

void VirtualCluster::to_fabric(const Address& from, const Address& to,
                               std::span<const std::byte> bytes, Micros extra_us) {
  const Party a = party_of(from);
  const Party b = party_of(to);
  if (net_->cut(a, b)) return;
  const auto later_us = weather(a, b, false);
  if (!later_us) return;
  queue_.after(fabric_delay_us + extra_us + *later_us,
               [this, from, to, data = copy_of(bytes)] { on_fabric(from, to, data); });
}

void VirtualCluster::on_fabric(const Address& from, const Address& to,
                               const std::vector<std::byte>& data) {
  if (to == gateway_fabric) {
    if (!gateway_ || (on_way_to_gateway && !on_way_to_gateway(data))) return;
    gateway_->on_fabric_datagram(queue_.now_us(), from, data);
    gateway_->flush();
    return;
  }
  Worker& worker = *workers_[party_of(to)];
  if (!worker.core || worker.held) return;
  if (stands_still(worker)) {
    return queue_.at(worker.stands_still_until_us + 1,
                     [this, from, to, data] { on_fabric(from, to, data); });
  }
  worker.core->on_fabric(fine_tick_at(directory_->map().time, clock_us(worker)), from, data);
}

}  // namespace perigee::lab
