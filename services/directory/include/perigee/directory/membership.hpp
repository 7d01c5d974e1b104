/// Members of the cluster: their slots and processes, their heartbeats and silence. It knows which
/// members are alive; which worker takes over from another is decided elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/result.hpp"
#include "perigee/directory/build_rules.hpp"
#include "perigee/directory/members.hpp"

namespace perigee::directory {

class Membership {
 public:
  struct Needs {
    const ClusterMap& map;
    // Of `map`. Another component writes a worker's standby; the rest is written here alone.
    std::vector<WorkerEntry>& workers;
    std::vector<GatewayEntry>& gateways;
    std::uint64_t& version;
    // As in CoreSettings.
    Micros silence_us_max = 0;
    Micros slot_rest_us = 0;
  };
  /// Names the process of a member, by what it was granted with its slot.
  struct Process {
    MemberKind kind{};
    std::uint32_t slot = 0;
    std::string_view name;
    std::uint32_t cluster_id = 0;  ///< of the map
    std::uint64_t instance = 0;
  };
  enum class Received : std::uint8_t {
    Refused,  ///< it must register again
    Alive,
    Returned,  ///< it had been declared dead, and is alive again
  };
  using Admitted = std::variant<std::size_t, Refusal>;

  Membership(Needs needs, std::vector<Member> workers, std::vector<Member> gateways)
      : needs_(needs), workers_(std::move(workers)), gateways_(std::move(gateways)) {}
  /// Members that were alive when they were saved get the full silence timeout.
  void note_restored(Micros now_us);

  /// The slot for a worker of this name: its former slot, otherwise that of a name that timed out,
  /// otherwise a new one. None: the map is full.
  std::optional<std::size_t> worker_slot(Micros now_us, std::string_view name) const;
  /// Whether a worker that registers for `slot` continues its present incarnation. If so, the
  /// worker is alive from now on.
  bool goes_on(Micros now_us, std::size_t slot, const WorkerIntroduction& introduction);
  /// `wanted`: its entry, without slot.
  Admitted admit(Micros now_us, const WorkerIntroduction& introduction, const WorkerEntry& wanted);
  Admission admit(Micros now_us, const GatewayIntroduction& introduction);
  /// False: the process is unknown or was replaced.
  bool known(const Process& process) const;
  Received heartbeat(Micros now_us, const Process& process);
  /// A known process has sent its last message. Does not end its incarnation.
  void note_farewell(Micros now_us, const Process& process);

  bool silent(Micros now_us, WorkerSlot slot) const;
  /// Gateways that were silent for too long are dead.
  void end_silent_gateways(Micros now_us);
  void end_gateway(GatewaySlot slot);
  /// The worker is dead. Its process may be heard again.
  void end_worker(WorkerSlot slot);
  /// Its process must register again to go on.
  void end_incarnation(WorkerSlot slot) { workers_[slot.index()].incarnation_over = true; }
  void set_draining(WorkerSlot slot, bool draining);
  /// This process stood still for `stalled_us`: that time does not count as any member's silence.
  void forgive_stall(Micros now_us, Micros stalled_us);

  const std::vector<Member>& workers() const { return workers_; }
  const std::vector<Member>& gateways() const { return gateways_; }
  const Member& worker(WorkerSlot slot) const { return workers_.at(slot.index()); }
  const Member& gateway(GatewaySlot slot) const { return gateways_.at(slot.index()); }
  BuildRules builds() const;
  std::uint32_t living_workers() const;
  Result<WorkerSlot> living_worker(std::string_view name) const;
  /// Whether a living worker besides this one is not draining.
  bool others_stay(WorkerSlot than) const;
  /// Whether another worker was heard after this one. If none was, the directory itself may have
  /// been cut off.
  bool others_received_after(WorkerSlot slot) const;
  /// Heard so lately that it has not died of the same cause as a worker that ends now.
  bool received_lately(Micros now_us, WorkerSlot slot) const;
  /// The worker was silent for so long that its slot may have been reused. If it returns, its old
  /// state does not count.
  bool given_up(Micros now_us, WorkerSlot slot) const;
  /// Gateways declared dead.
  std::uint64_t gateway_deaths() const { return gateway_deaths_; }
  /// Since when this directory has had workers.
  const std::optional<Micros>& first_worker_us() const { return first_worker_us_; }

 private:
  template <class Entry>
  std::optional<std::size_t> slot_for(Micros now_us, const std::vector<Member>& members,
                                      const std::vector<Entry>& entries, std::string_view name,
                                      std::size_t members_max) const;
  template <class Entry>
  Admitted admit(Micros now_us, std::vector<Member>& members, std::vector<Entry>& entries,
                 const std::string& name, Entry wanted, std::size_t members_max);
  bool given_up(Micros now_us, bool alive, const Member& member) const;
  bool revive(Micros now_us, WorkerSlot slot);
  std::vector<Member>& members(MemberKind kind) {
    return kind == MemberKind::Worker ? workers_ : gateways_;
  }
  bool& alive(MemberKind kind, std::uint32_t slot);

  Needs needs_;
  std::vector<Member> workers_;
  std::vector<Member> gateways_;
  std::optional<Micros> first_worker_us_;
  std::uint64_t gateway_deaths_ = 0;
};

}  // namespace perigee::directory
