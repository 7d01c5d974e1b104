/// The store in etcd: reachability, identity and reads. Commits, leadership and watches are
/// components of their own.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "etcd_commits.hpp"
#include "etcd_leadership.hpp"
#include "etcd_watches.hpp"

namespace perigee::coordination {

class EtcdStore final : public Store {
 public:
  EtcdStore(const EtcdOptions& options, const std::vector<EtcdWire::Place>& places);
  ~EtcdStore() override;

  void poll(Micros now_us) override;
  void wake_by(std::function<void()> wake) override { inbox_.wake_by(std::move(wake)); }
  Result<Ok> ready() const override;
  std::optional<std::uint64_t> store_id() const override;
  void read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) override;
  void commit(Txn txn, std::function<void(const Outcome&)> done) override {
    commits_.commit(std::move(txn), std::move(done));
  }
  WatchId watch(const std::string& prefix, Revision after, WatchEvents events) override {
    return watches_.watch(prefix, after, std::move(events));
  }
  void unwatch(WatchId id) override { watches_.unwatch(id); }
  void campaign(LeadershipEvents events) override { leadership_.campaign(std::move(events)); }
  void resign() override { leadership_.resign(); }

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

  void failed(const std::string& endpoint, const grpc::Status& status);
  void enrol();
  void pulse();
  void on_pulse(const pb::TxnResponse& response, Revision known);
  void end_history(const std::string& why);
  void read_page(const std::shared_ptr<Reading>& reading);

  const EtcdOptions options_;
  const EtcdKeys keys_;
  Inbox inbox_;
  EtcdWire wire_;
  Micros now_us_ = 0;

  std::optional<std::string> away_;       // the reason
  std::optional<std::string> displaced_;  // the reason; permanent
  bool enrolled_ = false;
  std::optional<Identity> identity_;
  bool went_back_ = false;
  Revision seen_ = 0;
  bool pulse_under_way_ = false;
  Micros pulse_at_us_ = 0;

  EtcdLeadership leadership_;
  EtcdCommits commits_;
  EtcdWatches watches_;
};

}  // namespace perigee::coordination
