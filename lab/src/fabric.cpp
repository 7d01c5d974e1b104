#include "perigee/lab/fabric.hpp"

#include <utility>

#include "perigee/base/hash.hpp"

namespace perigee::lab {
namespace {

constexpr Micros resend_us = 200'000;  // of lost data on ordered streams

Party party_of(const Address& fabric) {
  return fabric == gateway_fabric ? the_gateway : worker_at(fabric);
}

PeerLinks::Workers ends_of_links(WorkerProcesses& processes) {
  return {.receive =
              [&processes](Party from, Party to, const Bytes& message) {
                if (!processes.runs(to)) return;
                processes.survives(
                    to, [&](worker::Core& core) { core.on_peer(WorkerSlot::at(from), message); });
              },
          .lost =
              [&processes](Party at, Party with) {
                if (processes.runs(at)) processes[at].core->on_link_lost(WorkerSlot::at(with));
              },
          .stands_still_until_us =
              [&processes](Party who) { return processes[who].stands_still_until_us; },
          .incarnation = [&processes](Party who) { return processes[who].incarnation; },
          .know_each_other = [&processes](Party a,
                                          Party b) { return processes.know_each_other(a, b); }};
}

}  // namespace

Fabric::Fabric(Needs needs)
    : queue_(needs.queue),
      random_(needs.random),
      net_(needs.net),
      processes_(needs.processes),
      directory_(needs.directory),
      to_gateway_(std::move(needs.to_gateway)),
      on_way_to_peer_(needs.on_way_to_peer),
      seals_(needs.seals),
      links_(needs.queue, needs.net, ends_of_links(needs.processes)) {}

/// Additional delay of a message; none: it is lost.
std::optional<Micros> Fabric::weather(Party a, Party b, bool in_order) {
  const Weather& weather = net_.at(a, b);
  if (weather.slow_us == 0 && weather.lost == 0) return 0;
  Random random(random_.next());
  const bool lost = random.unit() < weather.lost;
  if (lost && !in_order) return std::nullopt;
  const auto late_us = static_cast<Micros>(random.unit() * static_cast<double>(weather.slow_us));
  return late_us + (lost ? resend_us : 0);
}

void Fabric::send_to_peer(std::size_t index, WorkerSlot to, std::span<const std::byte> bytes) {
  if (processes_[index].in_tick && !on_way_to_peer_) {
    waiting_[index][to].push_back(copy_of(bytes));
  } else {
    send_together(index, to, {copy_of(bytes)});
  }
}

void Fabric::send_together(std::size_t index, WorkerSlot to, std::vector<Bytes> messages) {
  const auto later_us = on_way_to_peer_ ? on_way_to_peer_() : std::optional<Micros>(0);
  if (!later_us) return;
  const auto from = static_cast<Party>(index);
  const Micros transit_us =
      fabric_delay_us + processes_[index].tick_us + *later_us + *weather(from, to.number, true);
  links_.send(from, to.number, std::move(messages), transit_us, !on_way_to_peer_);
}

void Fabric::send_waiting(std::size_t index, std::size_t workers_max) {
  std::size_t reported = 0;
  for (auto& [to, messages] : std::exchange(waiting_[index], {})) {
    if (reported++ < workers_max) send_together(index, to, std::move(messages));
  }
}

void Fabric::send(const Address& from, const Address& to, std::span<const std::byte> bytes,
                  Micros extra_us) {
  const Party a = party_of(from);
  const Party b = party_of(to);
  if (net_.cut(a, b)) return;
  const auto later_us = weather(a, b, false);
  if (!later_us) return;
  Bytes data = seals_ != nullptr ? seals_->seal(a, to, bytes) : copy_of(bytes);
  if (data.empty()) return;
  queue_.after(fabric_delay_us + extra_us + *later_us,
               [this, from, to, data = std::move(data)] { arrive(from, to, data); });
}

void Fabric::arrive(const Address& from, const Address& to, Bytes data) {
  const Party index = party_of(to);
  if (to == gateway_fabric) {
    if (open(index, from, data)) to_gateway_(from, data);
    return;
  }
  WorkerProcess& process = processes_[index];
  if (!process.core || process.held) return;
  if (processes_.stands_still(index)) {
    return queue_.at(process.stands_still_until_us + 1,
                     [this, from, to, data] { arrive(from, to, data); });
  }
  if (!open(index, from, data)) return;
  process.core->on_fabric(fine_tick_at(directory_.time(), processes_.clock_us(index)), from, data);
}

/// Whether the receiver accepts the datagram, which is plain then.
bool Fabric::open(Party at, const Address& from, Bytes& data) {
  if (seals_ == nullptr) return true;
  const auto opened = seals_->open(at, from, data);
  if (opened) data = copy_of(*opened);
  return opened.has_value();
}

void Fabric::on_end(std::size_t index) {
  waiting_.erase(index);
  links_.on_death(static_cast<Party>(index), static_cast<std::uint32_t>(processes_.size()));
}

void Fabric::on_standstill(std::size_t index) {
  links_.on_standstill(static_cast<Party>(index), static_cast<std::uint32_t>(processes_.size()));
}

}  // namespace perigee::lab
