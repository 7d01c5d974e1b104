#include "etcd_leadership.hpp"

#include <chrono>
#include <utility>

namespace perigee::coordination {
namespace {

constexpr Micros lease_again_us = 500'000;
constexpr auto farewell = std::chrono::milliseconds(300);

}  // namespace

std::string EtcdLeadership::candidate() const {
  return needs_.options.name + ' ' + hex(needs_.options.instance);
}

void EtcdLeadership::campaign(LeadershipEvents events) {
  if (std::exchange(campaigns_, true)) return;
  events_ = std::move(events);
  needs_.read_leader_soon();
}

void EtcdLeadership::resign() {
  if (!campaigns_) return;
  events_ = {};
  lose({});
  campaigns_ = false;
}

void EtcdLeadership::advance() {
  if (!campaigns_ || !needs_.ready() || leases_under_way_) return;
  if (lease_.id == 0) {
    if (needs_.now_us >= lease_again_at_us_) ask_for_lease();
  } else if (needs_.now_us >= lease_.beat_at_us) {
    keep_lease();
  }
}

void EtcdLeadership::expire_lease() {
  if (lease_.id != 0 && needs_.now_us >= lease_.until_us)
    lose("the lease could not be renewed in time");
}

void EtcdLeadership::ask_for_lease() {
  pb::LeaseGrantRequest request;
  request.set_ttl((needs_.options.lease_us + 999'999) / 1'000'000);
  leases_under_way_ = true;
  needs_.wire.grant(
      request,
      [this, campaign = campaign_, asked_us = needs_.now_us, endpoint = needs_.wire.endpoint()](
          const grpc::Status& status, const pb::LeaseGrantResponse& response) {
        leases_under_way_ = false;
        lease_again_at_us_ = needs_.now_us + lease_again_us;
        if (!status.ok()) return needs_.failed(endpoint, status);
        if (campaign != campaign_ || !campaigns_) return revoke(response.id());
        lease_ = {response.id(), asked_us + needs_.options.lease_us,
                  needs_.now_us + needs_.options.lease_us / 3};
        bid();
      });
}

void EtcdLeadership::keep_lease() {
  pb::LeaseKeepAliveRequest request;
  request.set_id(lease_.id);
  leases_under_way_ = true;
  needs_.wire.keep_alive(
      request,
      [this, campaign = campaign_, asked_us = needs_.now_us, endpoint = needs_.wire.endpoint()](
          const grpc::Status& status, const pb::LeaseKeepAliveResponse& response) {
        leases_under_way_ = false;
        if (!status.ok()) needs_.failed(endpoint, status);
        if (campaign != campaign_) return;
        lease_.beat_at_us =
            needs_.now_us + (status.ok() ? needs_.options.lease_us / 3 : lease_again_us);
        if (!status.ok()) return;
        if (response.ttl() <= 0) return lose("etcd has ended its lease");
        lease_.until_us = asked_us + needs_.options.lease_us;
      });
}

/// The leader's key is bound to the lease; its create revision is the term.
void EtcdLeadership::bid() {
  if (bid_under_way_) return;
  bid_under_way_ = true;
  pb::TxnRequest txn;
  compare_created(txn, needs_.keys.leader, 0);
  put(*txn.add_success(), needs_.keys.leader, candidate(), lease_.id);
  *txn.add_failure()->mutable_request_range() = range_of(needs_.keys.leader);
  needs_.wire.txn(txn, [this, campaign = campaign_, endpoint = needs_.wire.endpoint()](
                           const grpc::Status& status, const pb::TxnResponse& response) {
    bid_under_way_ = false;
    if (!status.ok()) {
      if (status.error_code() != grpc::StatusCode::NOT_FOUND)
        return needs_.failed(endpoint, status);
      if (campaign == campaign_) lose({});  // the lease has expired
      return;
    }
    if (campaign != campaign_) return;
    const auto revision = static_cast<Revision>(response.header().revision());
    if (response.succeeded()) return win(revision);
    on_leader(found(response, 0), revision);
  });
}

void EtcdLeadership::on_leader(const pb::KeyValue* leader, Revision revision) {
  if (!campaigns_ || lease_.id == 0) return;
  if (term_) {
    const bool ours = leader && static_cast<Revision>(leader->create_revision()) == term_;
    if (!ours && revision >= *term_) lose("another process leads");
  } else if (!leader) {
    bid();
  } else if (leader->lease() == lease_.id) {  // the reply to our bid was lost
    win(static_cast<Revision>(leader->create_revision()));
  } else if (leader->value().starts_with(needs_.options.name + ' ')) {
    // A lease of this process's predecessor: no need to wait for its expiry.
    revoke(leader->lease());
  }
}

void EtcdLeadership::win(Revision term) {
  if (term_) return;
  term_ = term;
  const auto leads = events_.leads;
  leads(term);
}

void EtcdLeadership::lose(const std::string& why) {
  ++campaign_;
  const bool led = term_.has_value();
  term_.reset();
  if (lease_.id != 0 && !needs_.away()) revoke(lease_.id);
  lease_ = {};
  lease_again_at_us_ = needs_.now_us;
  const auto lost = events_.lost;
  if (led && lost) lost(why);
}

void EtcdLeadership::leave() {
  if (lease_.id != 0) revoke(lease_.id);
  if (revokes_under_way_ > 0) needs_.wire.linger(farewell);
}

/// Best effort: if it fails, the lease expires by itself.
void EtcdLeadership::revoke(std::int64_t lease) {
  pb::LeaseRevokeRequest request;
  request.set_id(lease);
  ++revokes_under_way_;
  needs_.wire.revoke(request, [this](const grpc::Status&, const pb::LeaseRevokeResponse&) {
    --revokes_under_way_;
    if (campaigns_ && !term_) needs_.read_leader_soon();
  });
}

}  // namespace perigee::coordination
