/// A member's campaign for leadership in etcd: a lease, and the leader's key that is bound to it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "etcd_requests.hpp"

namespace perigee::coordination {

class EtcdLeadership {
 public:
  struct Needs {
    const EtcdOptions& options;
    const EtcdKeys& keys;
    EtcdWire& wire;
    const Micros& now_us;
    std::function<bool()> ready;
    /// etcd does not answer at present.
    std::function<bool()> away;
    std::function<void(const std::string& endpoint, const grpc::Status&)> failed;
    /// Asks the owner to read the leader's key at once.
    std::function<void()> read_leader_soon;
  };
  explicit EtcdLeadership(Needs needs) : needs_(std::move(needs)) {}

  void campaign(LeadershipEvents events);
  void resign();
  bool campaigns() const { return campaigns_; }
  /// None: another process leads, or none does.
  std::optional<Revision> term() const { return term_; }

  /// Ends the term when the lease has run out. Called before anything that would be done as the
  /// leader.
  void expire_lease();
  /// Asks for a lease, or renews it, when that is due.
  void advance();
  /// `leader`: its key at `revision`; null: there is no leader.
  void on_leader(const pb::KeyValue* leader, Revision revision);
  void lose(const std::string& why);
  /// Gives back the lease, and waits a moment for etcd to receive that.
  void leave();

 private:
  struct Lease {
    std::int64_t id = 0;  ///< 0: none
    Micros until_us = 0;
    Micros beat_at_us = 0;
  };

  std::string candidate() const;
  void ask_for_lease();
  void keep_lease();
  void bid();
  void win(Revision term);
  void revoke(std::int64_t lease);

  const Needs needs_;
  bool campaigns_ = false;
  LeadershipEvents events_;
  std::uint32_t campaign_ = 0;  // replies to requests of an earlier campaign are ignored
  Lease lease_;
  bool leases_under_way_ = false;
  bool bid_under_way_ = false;
  std::uint32_t revokes_under_way_ = 0;
  Micros lease_again_at_us_ = 0;
  std::optional<Revision> term_;
};

}  // namespace perigee::coordination
