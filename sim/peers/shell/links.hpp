/// Links between workers over TCP: the core with sockets and clock. Everything runs on the loop's
/// thread.
#pragma once

#include <optional>

#include "perigee/host/loop.hpp"
#include "perigee/host/stream_sockets.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::peers {

class Links final : private Sockets {
 public:
  static constexpr Micros advance_us = 50'000;

  Links(host::Loop& loop, const Keys& keys, Core::Events events);
  /// Listens; the error names the remedy.
  Result<Ok> open(const Address& local);

  void on_map(const ClusterMap& map, WorkerSlot self);
  void send(WorkerSlot to, std::span<const std::byte> message);
  void hold() { core_.hold(); }
  void release();
  const Core& core() const { return core_; }
  Address local() const { return sockets_->local(); }

 private:
  ConnectionId dial(const Address& to) override { return sockets_->dial(to); }
  void write(ConnectionId to, std::span<const std::byte> bytes) override {
    sockets_->write(to, bytes);
  }
  std::size_t unsent_bytes(ConnectionId of) const override { return sockets_->unsent_bytes(of); }
  void close(ConnectionId which) override { sockets_->close(which); }

  host::Loop& loop_;
  Core core_;
  std::optional<host::StreamSockets> sockets_;
  host::Timer timer_;
};

}  // namespace perigee::peers
