/// Links between workers over TCP with TLS: the core with sockets and clock. Everything runs on the
/// loop's thread.
#pragma once

#include "perigee/host/loop.hpp"
#include "perigee/host/tls_streams.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::peers {

class Links final : private Sockets {
 public:
  static constexpr Micros advance_us = 50'000;

  struct Options {
    /// Both ends show the certificate of a member. Outlives the links. Null: without TLS, and then
    /// on loopback only, unless the operator declares the network to be private (`insecure`).
    const host::TlsServer* tls = nullptr;
    bool insecure = false;
  };
  Links(host::Loop& loop, const Options& options, Core::Events events);
  /// Listens; the error names the remedy.
  Result<Ok> open(const Address& local);

  void on_map(const ClusterMap& map, WorkerSlot self);
  void send(WorkerSlot to, std::span<const std::byte> message);
  void hold() { core_.hold(); }
  void release();
  const Core& core() const { return core_; }
  Address local() const { return streams_.local(); }

 private:
  ConnectionId dial(const Address& to) override { return streams_.dial(to); }
  void write(ConnectionId to, std::span<const std::byte> bytes) override {
    streams_.write(to, bytes);
  }
  std::size_t unsent_bytes(ConnectionId of) const override { return streams_.unsent_bytes(of); }
  void close(ConnectionId which) override { streams_.close(which); }

  const Options options_;
  Core core_;
  host::TlsStreams streams_;
  host::Timer timer_;
};

}  // namespace perigee::peers
