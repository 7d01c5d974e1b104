/// The store in etcd. Keys below `root`: `keys/…` for the callers' keys; `store_id`, drawn once;
/// `leader`, bound to the leader's lease; `members/NAME`, the marker of that member's newest
/// commit.
///
/// Each commit writes its number into the marker and compares the marker's revision, in the same
/// transaction: if the reply is lost, the marker tells whether the commit happened. If it did not,
/// writing the marker ensures that it never will.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "etcd_wire.hpp"
#include "perigee/coordination/etcd.hpp"

namespace perigee::coordination {

class EtcdStore final : public Store {
 public:
  explicit EtcdStore(const EtcdOptions& options);
  ~EtcdStore() override;

  void poll(Micros now_us) override;
  void wake_by(std::function<void()> wake) override { inbox_.wake_by(std::move(wake)); }
  Result<Ok> ready() const override;
  std::optional<std::uint64_t> store_id() const override;
  void read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) override;
  void commit(Txn txn, std::function<void(const Outcome&)> done) override;
  WatchId watch(const std::string& prefix, Revision after, WatchEvents events) override;
  void unwatch(WatchId id) override;
  void campaign(LeadershipEvents events) override;
  void resign() override;

 private:
  /// Identifies the store's history.
  struct Identity {
    std::uint64_t cluster = 0;
    std::string drawn;
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  struct Reading {
    pb::RangeRequest request;
    Snapshot snapshot;
    std::function<void(Result<Snapshot>)> done;
  };
  struct Pending {
    Txn txn;
    std::function<void(const Outcome&)> done;
    bool guarded = false;
    std::optional<Revision> term;
    Micros asked_us = 0;
  };
  enum class Flight : std::uint8_t {
    Idle,     ///< the first commit waits
    Sent,     ///< awaiting its reply
    InDoubt,  ///< its reply was lost
    Settling  ///< the marker is being checked
  };
  struct Lease {
    std::int64_t id = 0;  ///< 0: none
    Micros until_us = 0;
    Micros beat_at_us = 0;
  };
  struct Watching {
    std::string prefix;
    Revision after = 0;
    WatchEvents events;
    std::unique_ptr<Subscription> subscription;
    Micros again_at_us = 0;
  };

  // etcd_store.cpp: reachability and identity of the store.
  std::string key_below(const char* place, const std::string& name = {}) const;
  Entry entry_of(const pb::KeyValue& kv) const;
  void failed(const std::string& endpoint, const grpc::Status& status);
  void enrol();
  void pulse();
  void on_pulse(const pb::TxnResponse& response, Revision known);
  void end_history(const std::string& why);
  void read_page(const std::shared_ptr<Reading>& reading);

  // etcd_commits.cpp
  std::string marker(const char* fate) const;
  void advance_commits();
  void expire_commits();
  void send();
  void on_sent(const grpc::Status& status, const pb::TxnResponse& response);
  Outcome refusal(const pb::TxnResponse& response) const;
  void settle();
  void on_settled(const pb::TxnResponse& response);
  void finish(const Outcome& outcome);

  // etcd_leadership.cpp
  std::string candidate() const;
  void advance_leadership();
  void expire_lease();
  void ask_for_lease();
  void keep_lease();
  void bid();
  void on_leader(const pb::KeyValue* leader, Revision revision);
  void win(Revision term);
  void lose(const std::string& why);
  void revoke(std::int64_t lease);

  // etcd_watches.cpp
  void advance_watches();
  void subscribe(WatchId id, Watching& watching);
  void on_changes(WatchId id, const pb::WatchResponse& response);
  void end_watch(WatchId id, const std::string& why);

  const EtcdOptions options_;
  const std::string marker_key_;
  const std::string leader_key_;
  const std::string store_id_key_;
  Inbox inbox_;
  EtcdWire wire_;
  Micros now_us_ = 0;

  std::optional<std::string> away_;       // the reason
  std::optional<std::string> displaced_;  // the reason; permanent
  bool enrolled_ = false;
  std::optional<Identity> identity_;
  std::uint32_t history_ = 0;  // replies to requests of an earlier history are ignored
  bool went_back_ = false;
  Revision seen_ = 0;
  bool pulse_under_way_ = false;
  Micros pulse_at_us_ = 0;

  std::deque<Pending> commits_;
  Flight flight_ = Flight::Idle;
  std::uint64_t number_ = 0;  // of the newest commit sent
  Revision marker_revision_ = 0;
  Micros settle_at_us_ = 0;

  bool campaigns_ = false;
  LeadershipEvents leadership_;
  std::uint32_t campaign_ = 0;  // replies to requests of an earlier campaign are ignored
  Lease lease_;
  bool leases_under_way_ = false;
  bool bid_under_way_ = false;
  std::uint32_t revokes_under_way_ = 0;
  Micros lease_again_at_us_ = 0;
  std::optional<Revision> term_;

  WatchId newest_watch_ = 0;
  std::map<WatchId, Watching> watches_;
};

std::string hex(std::uint64_t number);

// Builders of etcd requests.
pb::RangeRequest range_of(const std::string& key);
pb::RangeRequest range_below(const std::string& prefix);
void compare_created(pb::TxnRequest& txn, const std::string& key, Revision revision);
void compare_changed(pb::TxnRequest& txn, const std::string& key, Revision revision);
void put(pb::RequestOp& op, const std::string& key, const std::string& value,
         std::int64_t lease = 0);
/// The result of a transaction's operation `index`, a range over one key.
const pb::KeyValue* found(const pb::TxnResponse& response, int index);

}  // namespace perigee::coordination
