/// The gateway of a virtual cluster: the real core, its turns, and its calls to the session
/// service.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "perigee/gateway/core.hpp"
#include "perigee/lab/cluster_clock.hpp"
#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/fabric_seals.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/lab/session_host.hpp"
#include "perigee/lab/virtual_net.hpp"
#include "perigee/lab/virtual_parts.hpp"

namespace perigee::lab {

class GatewayHost final : private gateway::Outputs {
 public:
  using Send = std::function<void(const Address& to, std::span<const std::byte>)>;
  struct Needs {
    EventQueue& queue;
    RandomStream& random;
    DirectoryHost& directory;
    SessionHost& sessions;
    const transport::Key& key;
    ServerStages& stages;  ///< measured for each block of an avatar's owner
    std::uint32_t players = 1;
    Send to_client;
    Send to_fabric;
    FabricSeals* seals = nullptr;  ///< null: the fabric is plain
  };
  explicit GatewayHost(Needs needs);

  /// Starts a process, admitted by the directory. It knows no session.
  void start();
  void stop() { core_.reset(); }
  bool runs() const { return core_ != nullptr; }
  /// Only while the gateway runs.
  const gateway::Core& core() const { return *core_; }
  /// Advances and flushes the core, now and every 500 µs while it runs.
  void turn();

  // Ignored while the gateway does not run.
  void on_map(const ClusterMap& map);
  void on_fabric(const Address& from, std::span<const std::byte> data);
  /// Decrypts the datagram in place.
  void on_client(const Address& from, std::span<std::byte> data);
  void order(std::uint64_t client_id, std::uint64_t order, const TechniqueOrder& techniques);

 private:
  void to_client(const Address& to, std::span<const std::byte> bytes) override;
  void to_fabric(const Address& to, std::span<const std::byte> bytes) override;
  void claim(const transport::ClaimRequest& request) override;
  void want_resume_token(std::uint64_t client_id) override;
  void released(std::uint64_t client_id, std::uint64_t issue, gateway::Release how) override;
  void on_own_block(Tick tick, Micros received_us, Micros sent_us) override;
  void on_techniques(std::uint64_t client_id, std::uint64_t order,
                     const Techniques& techniques) override;

  Needs needs_;
  ClusterClock clock_;
  std::uint64_t incarnation_ = 0;
  std::unique_ptr<gateway::Core> core_;  ///< none while no process runs
};

}  // namespace perigee::lab
