/// The messages between the processes of a virtual cluster: datagrams, and ordered streams between
/// workers. The net delays, drops or holds them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/fabric_seals.hpp"
#include "perigee/lab/peer_links.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/lab/virtual_net.hpp"
#include "perigee/lab/worker_processes.hpp"

namespace perigee::lab {

class Fabric {
 public:
  struct Needs {
    EventQueue& queue;
    RandomStream& random;
    const Net& net;
    WorkerProcesses& processes;
    const DirectoryHost& directory;  ///< world time
    std::function<void(const Address& from, const Bytes&)> to_gateway;
    /// Called for each message between workers, if set. Returns the additional delay of the
    /// message. None: the message is lost.
    const std::function<std::optional<Micros>()>& on_way_to_peer;
    FabricSeals* seals = nullptr;  ///< null: datagrams are plain
  };
  explicit Fabric(Needs needs);

  /// A datagram, `extra_us` from now.
  void send(const Address& from, const Address& to, std::span<const std::byte> bytes,
            Micros extra_us);
  /// A message of a worker to another worker. Messages of one tick wait for send_waiting(), unless
  /// a test delays messages.
  void send_to_peer(std::size_t index, WorkerSlot to, std::span<const std::byte> bytes);
  /// Sends the messages of a tick, to at most `workers_max` other workers.
  void send_waiting(std::size_t index, std::size_t workers_max);

  // Events of a process, or of the net between two workers.
  void on_end(std::size_t index);
  void on_standstill(std::size_t index);
  void on_cut(Party a, Party b) { links_.on_cut(a, b); }
  void on_mended(Party a, Party b) { links_.on_mended(a, b); }

 private:
  void send_together(std::size_t index, WorkerSlot to, std::vector<Bytes> messages);
  void arrive(const Address& from, const Address& to, Bytes data);
  bool open(Party at, const Address& from, Bytes& data);
  std::optional<Micros> weather(Party a, Party b, bool in_order);

  EventQueue& queue_;
  RandomStream& random_;
  const Net& net_;
  WorkerProcesses& processes_;
  const DirectoryHost& directory_;
  std::function<void(const Address& from, const Bytes&)> to_gateway_;
  const std::function<std::optional<Micros>()>& on_way_to_peer_;
  FabricSeals* seals_;
  PeerLinks links_;
  /// Messages of the running tick, by sender and receiver.
  std::map<std::size_t, std::map<WorkerSlot, std::vector<Bytes>>> waiting_;
};

}  // namespace perigee::lab
