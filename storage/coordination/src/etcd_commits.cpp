#include <algorithm>

#include "etcd_store.hpp"

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

/// `<instance> <number of the commit> <fate>`
std::string EtcdStore::marker(const char* fate) const {
  return hex(options_.instance) + ' ' + std::to_string(number_) + ' ' + fate;
}

void EtcdStore::commit(Txn txn, std::function<void(const Outcome&)> done) {
  std::optional<Outcome> refused;
  if (const auto fits = check(txn); !fits) refused = fits.error();
  if (campaigns_ && !term_) refused = NotLeader{};
  if (commits_.size() == commits_max)
    refused = Error{"too many pending commits; wait for some of them"};
  if (displaced_) refused = Error{*displaced_};
  if (refused) {
    inbox_.post([done = std::move(done), outcome = *refused] { done(outcome); });
    return;
  }
  commits_.push_back({std::move(txn), std::move(done), campaigns_, term_, now_us_});
  inbox_.post([] {});  // the next poll sends it
}

void EtcdStore::advance_commits() {
  expire_commits();
  if (!ready()) return;
  if (flight_ == Flight::InDoubt && now_us_ >= settle_at_us_) settle();
  while (flight_ == Flight::Idle && !commits_.empty()) {
    if (commits_.front().guarded && (!term_ || commits_.front().term != term_)) {
      finish(NotLeader{});
    } else {
      send();
    }
  }
}

/// Commits that were never sent fail after a time; they need no settling.
void EtcdStore::expire_commits() {
  const Micros asked_us_min = now_us_ - 2 * options_.call_deadline_us;
  std::deque<Pending> late;
  const std::size_t first = flight_ == Flight::Idle ? 0 : 1;
  while (commits_.size() > first && commits_[first].asked_us < asked_us_min) {
    late.push_back(std::move(commits_[first]));
    commits_.erase(commits_.begin() + static_cast<std::ptrdiff_t>(first));
  }
  for (const Pending& pending : late) {
    const auto up = ready();
    pending.done(up ? Error{"etcd is too slow for so many commits"} : up.error());
  }
}

void EtcdStore::send() {
  const Pending& pending = commits_.front();
  ++number_;
  pb::TxnRequest txn;
  compare_changed(txn, marker_key_, marker_revision_);
  if (pending.guarded) compare_created(txn, leader_key_, *pending.term);
  put(*txn.add_success(), marker_key_, marker(done_fate));
  *txn.add_failure()->mutable_request_range() = range_of(marker_key_);
  *txn.add_failure()->mutable_request_range() = range_of(leader_key_);
  for (const auto& compare : pending.txn.compares) {
    const std::string key = key_below("keys/", compare.key);
    compare_changed(txn, key, compare.revision);
    *txn.add_failure()->mutable_request_range() = range_of(key);
  }
  for (const auto& change : pending.txn.puts) {
    put(*txn.add_success(), key_below("keys/", change.key), change.value);
  }
  for (const auto& key : pending.txn.erases) {
    txn.add_success()->mutable_request_delete_range()->set_key(key_below("keys/", key));
  }
  flight_ = Flight::Sent;
  wire_.txn(txn, [this, history = history_, endpoint = wire_.endpoint()](
                     const grpc::Status& status, const pb::TxnResponse& response) {
    if (history != history_) return;
    if (!status.ok() && !is_refusal(status)) failed(endpoint, status);
    on_sent(status, response);
    advance_commits();
  });
}

void EtcdStore::on_sent(const grpc::Status& status, const pb::TxnResponse& response) {
  const auto revision = static_cast<Revision>(response.header().revision());
  if (is_refusal(status)) {
    finish(refused(status));
  } else if (!status.ok()) {
    flight_ = Flight::InDoubt;
    settle_at_us_ = now_us_;
  } else if (response.succeeded()) {
    seen_ = std::max(seen_, revision);
    marker_revision_ = revision;
    finish(Committed{revision});
  } else {
    const Outcome outcome = refusal(response);
    finish(outcome);
    if (std::holds_alternative<NotLeader>(outcome))
      lose("another process leads, or the lease expired");
  }
}

Outcome EtcdStore::refusal(const pb::TxnResponse& response) const {
  const pb::KeyValue* const ours = found(response, 0);
  if (!ours || static_cast<Revision>(ours->mod_revision()) != marker_revision_) {
    return Error{"etcd was recreated, or another process has the name " + options_.name};
  }
  const pb::KeyValue* const leader = found(response, 1);
  const Pending& pending = commits_.front();
  if (pending.guarded &&
      (!leader || static_cast<Revision>(leader->create_revision()) != pending.term)) {
    return NotLeader{};
  }
  Stale stale;
  for (int i = 2; i < response.responses_size(); ++i) {
    if (const pb::KeyValue* kv = found(response, i)) stale.present.push_back(entry_of(*kv));
  }
  return stale;
}

/// The commit's reply was lost. Either the commit has written the marker, or this write does, and
/// then the commit can no longer succeed.
void EtcdStore::settle() {
  pb::TxnRequest txn;
  compare_changed(txn, marker_key_, marker_revision_);
  put(*txn.add_success(), marker_key_, marker(void_fate));
  *txn.add_failure()->mutable_request_range() = range_of(marker_key_);
  flight_ = Flight::Settling;
  wire_.txn(txn, [this, history = history_, endpoint = wire_.endpoint()](
                     const grpc::Status& status, const pb::TxnResponse& response) {
    if (history != history_) return;
    if (!status.ok()) {
      failed(endpoint, status);
      flight_ = Flight::InDoubt;
      settle_at_us_ = now_us_ + settle_again_us;
      return;
    }
    on_settled(response);
    advance_commits();
  });
}

void EtcdStore::on_settled(const pb::TxnResponse& response) {
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

void EtcdStore::finish(const Outcome& outcome) {
  const Pending pending = std::move(commits_.front());
  commits_.pop_front();
  flight_ = Flight::Idle;
  pending.done(outcome);
}

}  // namespace perigee::coordination
