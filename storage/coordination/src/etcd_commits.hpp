/// The commits of a member, one after the other.
///
/// Each commit writes its number into the member's marker and compares the marker's revision, in
/// the same transaction: if the reply is lost, the marker tells whether the commit happened. If the
/// commit did not happen, writing the marker ensures that it never will.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "etcd_leadership.hpp"
#include "etcd_requests.hpp"

namespace perigee::coordination {

class EtcdCommits {
 public:
  struct Needs {
    const EtcdOptions& options;
    const EtcdKeys& keys;
    EtcdWire& wire;
    Inbox& inbox;
    const Micros& now_us;
    EtcdLeadership& leadership;
    /// The reason, if another process has taken over this member's name for good.
    const std::optional<std::string>& displaced;
    /// The newest revision that the member has seen.
    Revision& seen;
    std::function<Result<Ok>()> ready;
    std::function<void(const std::string& endpoint, const grpc::Status&)> failed;
  };
  explicit EtcdCommits(Needs needs) : needs_(std::move(needs)) {}

  void commit(Txn txn, std::function<void(const Outcome&)> done);
  void advance();

  /// `<instance> <number of the commit> <fate>`
  std::string marker(const char* fate) const;
  /// The marker was written at this revision: commits may be sent.
  void begin_history(Revision marker_revision) { marker_revision_ = marker_revision; }
  /// Commits queued before the first poll count as queued at that poll.
  void begin_time(Micros now_us);
  /// The present commits fail. Those made in the callbacks wait for the next history.
  void end_history(const Error& why);
  /// The number of histories that have ended.
  std::uint32_t history() const { return history_; }

 private:
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

  void expire();
  void send();
  void on_sent(const grpc::Status& status, const pb::TxnResponse& response);
  Outcome refusal(const pb::TxnResponse& response) const;
  void settle();
  void on_settled(const pb::TxnResponse& response);
  void finish(const Outcome& outcome);

  const Needs needs_;
  std::deque<Pending> commits_;
  std::uint32_t history_ = 0;  // replies to requests of an earlier history are ignored
  Flight flight_ = Flight::Idle;
  std::uint64_t number_ = 0;  // of the newest commit sent
  Revision marker_revision_ = 0;
  Micros settle_at_us_ = 0;
};

}  // namespace perigee::coordination
