#include "etcd_commits.hpp"

#include <algorithm>

namespace perigee::coordination {
namespace {

constexpr Micros settle_again_us = 500'000;
constexpr const char* done_fate = "done";
constexpr const char* void_fate = "void";

/// etcd rejected it before anything was changed.
bool is_refusal(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
      return true;
    default:
      return false;
  }
}

Error refused(const grpc::Status& status) {
  const bool full = status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
  return Error{"etcd refused the commit: " + status.error_message() +
               (full ? "; make room (etcdctl compact, defrag), then etcdctl alarm disarm" : "")};
}

}  // namespace

std::string EtcdCommits::marker(const char* fate) const {
  return hex(needs_.options.instance) + ' ' + std::to_string(number_) + ' ' + fate;
}

void EtcdCommits::commit(Txn txn, std::function<void(const Outcome&)> done) {
  std::optional<Outcome> refused;
  if (const auto fits = check(txn); !fits) refused = fits.error();
  if (needs_.leadership.campaigns() && !needs_.leadership.term()) refused = NotLeader{};
  if (commits_.size() == commits_max)
    refused = Error{"too many pending commits; wait for some of them"};
  if (needs_.displaced) refused = Error{*needs_.displaced};
  if (refused) {
    needs_.inbox.post([done = std::move(done), outcome = *refused] { done(outcome); });
    return;
  }
  commits_.push_back({std::move(txn), std::move(done), needs_.leadership.campaigns(),
                      needs_.leadership.term(), needs_.now_us});
  needs_.inbox.post([] {});  // the next poll sends it
}

void EtcdCommits::advance() {
  expire();
  if (!needs_.ready()) return;
  if (flight_ == Flight::InDoubt && needs_.now_us >= settle_at_us_) settle();
  while (flight_ == Flight::Idle && !commits_.empty()) {
    if (commits_.front().guarded &&
        (!needs_.leadership.term() || commits_.front().term != needs_.leadership.term())) {
      finish(NotLeader{});
    } else {
      send();
    }
  }
}

void EtcdCommits::begin_time(Micros now_us) {
  for (Pending& pending : commits_) pending.asked_us = now_us;
}

void EtcdCommits::end_history(const Error& why) {
  ++history_;
  for (std::size_t left = commits_.size(); left > 0; --left) finish(why);
}

/// Commits that were never sent fail after a time; they need no settling.
void EtcdCommits::expire() {
  const Micros asked_us_min = needs_.now_us - 2 * needs_.options.call_deadline_us;
  std::deque<Pending> late;
  const std::size_t first = flight_ == Flight::Idle ? 0 : 1;
  while (commits_.size() > first && commits_[first].asked_us < asked_us_min) {
    late.push_back(std::move(commits_[first]));
    commits_.erase(commits_.begin() + static_cast<std::ptrdiff_t>(first));
  }
  for (const Pending& pending : late) {
    const auto up = needs_.ready();
    pending.done(up ? Error{"etcd is too slow for so many commits"} : up.error());
  }
}

void EtcdCommits::send() {
  const Pending& pending = commits_.front();
  ++number_;
  pb::TxnRequest txn;
  compare_changed(txn, needs_.keys.marker, marker_revision_);
  if (pending.guarded) compare_created(txn, needs_.keys.leader, *pending.term);
  put(*txn.add_success(), needs_.keys.marker, marker(done_fate));
  *txn.add_failure()->mutable_request_range() = range_of(needs_.keys.marker);
  *txn.add_failure()->mutable_request_range() = range_of(needs_.keys.leader);
  for (const auto& compare : pending.txn.compares) {
    const std::string key = needs_.keys.of_caller(compare.key);
    compare_changed(txn, key, compare.revision);
    *txn.add_failure()->mutable_request_range() = range_of(key);
  }
  for (const auto& change : pending.txn.puts) {
    put(*txn.add_success(), needs_.keys.of_caller(change.key), change.value);
  }
  for (const auto& key : pending.txn.erases) {
    txn.add_success()->mutable_request_delete_range()->set_key(needs_.keys.of_caller(key));
  }
  flight_ = Flight::Sent;
  needs_.wire.txn(txn, [this, history = history_, endpoint = needs_.wire.endpoint()](
                           const grpc::Status& status, const pb::TxnResponse& response) {
    if (history != history_) return;
    if (!status.ok() && !is_refusal(status)) needs_.failed(endpoint, status);
    on_sent(status, response);
    advance();
  });
}

void EtcdCommits::on_sent(const grpc::Status& status, const pb::TxnResponse& response) {
  const auto revision = static_cast<Revision>(response.header().revision());
  if (is_refusal(status)) {
    finish(refused(status));
  } else if (!status.ok()) {
    flight_ = Flight::InDoubt;
    settle_at_us_ = needs_.now_us;
  } else if (response.succeeded()) {
    needs_.seen = std::max(needs_.seen, revision);
    marker_revision_ = revision;
    finish(Committed{revision});
  } else {
    const Outcome outcome = refusal(response);
    finish(outcome);
    if (std::holds_alternative<NotLeader>(outcome))
      needs_.leadership.lose("another process leads, or the lease expired");
  }
}

Outcome EtcdCommits::refusal(const pb::TxnResponse& response) const {
  const pb::KeyValue* const ours = found(response, 0);
  if (!ours || static_cast<Revision>(ours->mod_revision()) != marker_revision_) {
    return Error{"etcd was recreated, or another process has the name " + needs_.options.name};
  }
  const pb::KeyValue* const leader = found(response, 1);
  const Pending& pending = commits_.front();
  if (pending.guarded &&
      (!leader || static_cast<Revision>(leader->create_revision()) != pending.term)) {
    return NotLeader{};
  }
  Stale stale;
  for (int i = 2; i < response.responses_size(); ++i) {
    if (const pb::KeyValue* kv = found(response, i))
      stale.present.push_back(needs_.keys.entry_of(*kv));
  }
  return stale;
}

/// The commit's reply was lost. Either the commit has written the marker, or this write does. In
/// the second case the commit can no longer succeed.
void EtcdCommits::settle() {
  pb::TxnRequest txn;
  compare_changed(txn, needs_.keys.marker, marker_revision_);
  put(*txn.add_success(), needs_.keys.marker, marker(void_fate));
  *txn.add_failure()->mutable_request_range() = range_of(needs_.keys.marker);
  flight_ = Flight::Settling;
  needs_.wire.txn(txn, [this, history = history_, endpoint = needs_.wire.endpoint()](
                           const grpc::Status& status, const pb::TxnResponse& response) {
    if (history != history_) return;
    if (!status.ok()) {
      needs_.failed(endpoint, status);
      flight_ = Flight::InDoubt;
      settle_at_us_ = needs_.now_us + settle_again_us;
      return;
    }
    on_settled(response);
    advance();
  });
}

void EtcdCommits::on_settled(const pb::TxnResponse& response) {
  const Error undone{"etcd did not answer in time, the commit was abandoned; try again"};
  if (response.succeeded()) {
    marker_revision_ = static_cast<Revision>(response.header().revision());
    return finish(undone);
  }
  const pb::KeyValue* const ours = found(response, 0);
  if (!ours) return finish(undone);  // etcd was recreated: the next pulse detects it
  const auto revision = static_cast<Revision>(ours->mod_revision());
  const bool happened = ours->value() == marker(done_fate);
  // A marker of `void_fate` was written by an earlier attempt to settle.
  if (happened || ours->value() == marker(void_fate)) marker_revision_ = revision;
  finish(happened ? Outcome{Committed{revision}} : Outcome{undone});
}

void EtcdCommits::finish(const Outcome& outcome) {
  const Pending pending = std::move(commits_.front());
  commits_.pop_front();
  flight_ = Flight::Idle;
  pending.done(outcome);
}

}  // namespace perigee::coordination
