/// Workers' links over a network of connections that tests can cut, block and fill up, on virtual
/// time.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perigee/base/bytes.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::peers {

inline constexpr Micros second_us = 1'000'000;

using Bytes = std::vector<std::byte>;

inline Bytes bytes_of(std::string_view text) {
  const auto view = as_bytes_of(text.data(), text.size());
  return {view.begin(), view.end()};
}
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline Address address_of(WorkerSlot slot) {
  return Address::v4(10, 0, 1, static_cast<std::uint8_t>(10 + slot.number), 40040);
}

/// A map with this many workers and a region each.
inline ClusterMap map_of(std::size_t workers) {
  ClusterMap map;
  map.cluster_id = 77;
  map.version = 1;
  for (const WorkerSlot slot : worker_slots(workers)) {
    map.workers.push_back(
        {.slot = slot, .fabric = address_of(slot), .alive = true, .incarnation = Incarnation{1}});
    map.regions.push_back({.region = RegionId{slot.number},
                           .epoch = Epoch{1},
                           .low = {1000.0 * slot.number, 0, 0},
                           .high = {1000.0 * (slot.number + 1), 1000, 1000},
                           .owner = slot});
  }
  return map;
}

class Network;

/// One side of the network: a worker, or (without a core) an attacker.
struct Host final : Sockets {
  Host(Network& owner, Address address) : network(owner), at(address) {}
  ConnectionId dial(const Address& to) override;
  void write(ConnectionId to, std::span<const std::byte> bytes) override;
  std::size_t unsent_bytes(ConnectionId of) const override;
  void close(ConnectionId which) override;

  Network& network;
  Address at;
  WorkerSlot slot;
  bool deaf = false;  ///< stopped, or unplugged: it neither receives, sends nor runs
  std::unique_ptr<Core> core;
  std::vector<std::string> messages;  ///< messages, "SLOT:text"
  std::vector<Count> lost;
  // Of an attacker:
  Bytes received;
  bool ended = false;
};

class Network {
 public:
  /// Changes bytes in transit; empty: lost.
  std::function<Bytes(const Host& from, Bytes)> on_way;
  bool stopped_up = false;  ///< written bytes do not arrive: they wait at their sender
  Micros now_us = 1'000'000;

  Host& add_worker(WorkerSlot slot) {
    Host& host = add(address_of(slot));
    host.slot = slot;
    host.core = std::make_unique<Core>(
        host, Core::Events{.message =
                               [&host](WorkerSlot from, auto word) {
                                 host.messages.push_back(std::to_string(from.number) + ":" +
                                                         text_of(word));
                               },
                           .linked = {},
                           .lost = [&host](WorkerSlot, Count why) { host.lost.push_back(why); }});
    return host;
  }
  Host& add_stranger() { return add(Address::v4(10, 9, 9, 9, 1)); }

  void map(const ClusterMap& map) {
    for (auto& host : hosts_) {
      if (host->core && !host->deaf) host->core->on_map(now_us, map, host->slot);
    }
  }
  void run(Micros us) {
    for (const Micros end_us = now_us + us; now_us < end_us; now_us += step_us) {
      settle();
      for (auto& host : hosts_) {
        if (host->core && !host->deaf) host->core->advance(now_us);
      }
    }
    settle();
  }
  /// All connections of the host end, as if its machine was lost.
  void cut(const Host& host) {
    std::vector<ConnectionId> ends;
    for (const auto& [id, end] : ends_) {
      if (end.host == &host && end.open) ends.push_back(id);
    }
    for (const ConnectionId id : ends) {
      hang_up(ends_.at(id).other);
      hang_up(id);
    }
  }
  std::size_t open_connections(const Host& of) const {
    std::size_t open = 0;
    for (const auto& [id, end] : ends_) open += end.host == &of && end.open;
    return open;
  }

 private:
  friend struct Host;
  static constexpr Micros step_us = 10'000;
  struct End {
    Host* host = nullptr;
    ConnectionId other = 0;
    bool open = true;
    std::size_t unsent_bytes = 0;
  };

  Host& add(Address at) { return *hosts_.emplace_back(std::make_unique<Host>(*this, at)); }
  /// The end is told that the connection is closed.
  void hang_up(ConnectionId id) {
    later([this, id] {
      End& end = ends_.at(id);
      if (!end.open || end.host->deaf) return;
      end.open = false;
      if (end.host->core) {
        end.host->core->on_closed(now_us, id);
      } else {
        end.host->ended = true;
      }
    });
  }
  void later(std::function<void()> event) { events_.push_back(std::move(event)); }
  void settle() {
    while (!events_.empty()) {
      const auto event = std::move(events_.front());
      events_.pop_front();
      event();
    }
  }
  void arrive(ConnectionId id, const Bytes& bytes) {
    End& end = ends_.at(id);
    if (!end.open || end.host->deaf) return;
    if (end.host->core) {
      end.host->core->on_bytes(now_us, id, bytes);
    } else {
      end.host->received.insert(end.host->received.end(), bytes.begin(), bytes.end());
    }
  }

  std::vector<std::unique_ptr<Host>> hosts_;
  std::map<ConnectionId, End> ends_;
  std::deque<std::function<void()>> events_;
  ConnectionId made_ = 0;
};

inline ConnectionId Host::dial(const Address& to) {
  const ConnectionId ours = ++network.made_;
  Host* called = nullptr;
  for (auto& host : network.hosts_) {
    if (host->core && host->at == to) called = host.get();
  }
  network.ends_[ours] = {.host = this};
  if (called == nullptr) {
    network.hang_up(ours);
    return ours;
  }
  const ConnectionId theirs = ++network.made_;
  network.ends_[ours].other = theirs;
  network.ends_[theirs] = {.host = called, .other = ours};
  network.later([this, called, ours, theirs] {
    if (called->deaf || deaf) return;
    called->core->on_accepted(network.now_us, theirs);
    if (core && network.ends_.at(ours).open) core->on_connected(network.now_us, ours);
  });
  return ours;
}

inline void Host::write(ConnectionId to, std::span<const std::byte> bytes) {
  Network::End& end = network.ends_.at(to);
  EXPECT_TRUE(end.open) << "write() to a closed connection";
  if (network.stopped_up) {
    end.unsent_bytes += bytes.size();
    return;
  }
  if (deaf) return;
  Bytes copy(bytes.begin(), bytes.end());
  if (network.on_way) copy = network.on_way(*this, std::move(copy));
  if (copy.empty()) return;
  network.later([this, other = end.other, copy] { network.arrive(other, copy); });
}

inline std::size_t Host::unsent_bytes(ConnectionId of) const {
  return network.ends_.at(of).unsent_bytes;
}

inline void Host::close(ConnectionId which) {
  Network::End& end = network.ends_.at(which);
  EXPECT_TRUE(std::exchange(end.open, false)) << "closed twice";
  if (!deaf && end.other != 0) network.hang_up(end.other);
}

}  // namespace perigee::peers
