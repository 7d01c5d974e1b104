#include "etcd_store.hpp"

namespace perigee::coordination {
namespace {

constexpr Micros again_us = 500'000;

}  // namespace

std::string EtcdStore::candidate() const { return options_.name + ' ' + hex(options_.instance); }

void EtcdStore::campaign(LeadershipEvents events) {
  if (std::exchange(campaigns_, true)) return;
  leadership_ = std::move(events);
  pulse_at_us_ = now_us_;
}

void EtcdStore::resign() {
  if (!campaigns_) return;
  leadership_ = {};
  lose({});
  campaigns_ = false;
}

void EtcdStore::advance_leadership() {
  if (!campaigns_ || !ready() || leases_under_way_) return;
  if (lease_.id == 0) {
    if (now_us_ >= lease_again_at_us_) ask_for_lease();
  } else if (now_us_ >= lease_.beat_at_us) {
    keep_lease();
  }
}

void EtcdStore::expire_lease() {
  if (lease_.id != 0 && now_us_ >= lease_.until_us) lose("the lease could not be renewed in time");
}

void EtcdStore::ask_for_lease() {
  pb::LeaseGrantRequest request;
  request.set_ttl((options_.lease_us + 999'999) / 1'000'000);
  leases_under_way_ = true;
  wire_.grant(
      request, [this, campaign = campaign_, asked_us = now_us_, endpoint = wire_.endpoint()](
                   const grpc::Status& status, const pb::LeaseGrantResponse& response) {
        leases_under_way_ = false;
        lease_again_at_us_ = now_us_ + again_us;
        if (!status.ok()) return failed(endpoint, status);
        if (campaign != campaign_ || !campaigns_) return revoke(response.id());
        lease_ = {response.id(), asked_us + options_.lease_us, now_us_ + options_.lease_us / 3};
        bid();
      });
}

void EtcdStore::keep_lease() {
  pb::LeaseKeepAliveRequest request;
  request.set_id(lease_.id);
  leases_under_way_ = true;
  wire_.keep_alive(request,
                   [this, campaign = campaign_, asked_us = now_us_, endpoint = wire_.endpoint()](
                       const grpc::Status& status, const pb::LeaseKeepAliveResponse& response) {
                     leases_under_way_ = false;
                     if (!status.ok()) failed(endpoint, status);
                     if (campaign != campaign_) return;
                     lease_.beat_at_us = now_us_ + (status.ok() ? options_.lease_us / 3 : again_us);
                     if (!status.ok()) return;
                     if (response.ttl() <= 0) return lose("etcd has ended its lease");
                     lease_.until_us = asked_us + options_.lease_us;
                   });
}

/// The leader's key is bound to the lease; its create revision is the term.
void EtcdStore::bid() {
  if (bid_under_way_) return;
  bid_under_way_ = true;
  pb::TxnRequest txn;
  compare_created(txn, leader_key_, 0);
  put(*txn.add_success(), leader_key_, candidate(), lease_.id);
  *txn.add_failure()->mutable_request_range() = range_of(leader_key_);
  wire_.txn(txn, [this, campaign = campaign_, endpoint = wire_.endpoint()](
                     const grpc::Status& status, const pb::TxnResponse& response) {
    bid_under_way_ = false;
    if (!status.ok()) {
      if (status.error_code() != grpc::StatusCode::NOT_FOUND) return failed(endpoint, status);
      if (campaign == campaign_) lose({});  // the lease has expired
      return;
    }
    if (campaign != campaign_) return;
    const auto revision = static_cast<Revision>(response.header().revision());
    if (response.succeeded()) return win(revision);
    on_leader(found(response, 0), revision);
  });
}

/// `leader`: its key at `revision`; null: there is no leader.
void EtcdStore::on_leader(const pb::KeyValue* leader, Revision revision) {
  if (!campaigns_ || lease_.id == 0) return;
  if (term_) {
    const bool ours = leader && static_cast<Revision>(leader->create_revision()) == term_;
    if (!ours && revision >= *term_) lose("another process leads");
  } else if (!leader) {
    bid();
  } else if (leader->lease() == lease_.id) {  // the reply to our bid was lost
    win(static_cast<Revision>(leader->create_revision()));
  } else if (leader->value().starts_with(options_.name + ' ')) {
    // A lease of this process's predecessor: no need to wait for its expiry.
    revoke(leader->lease());
  }
}

void EtcdStore::win(Revision term) {
  if (term_) return;
  term_ = term;
  const auto leads = leadership_.leads;
  leads(term);
}

void EtcdStore::lose(const std::string& why) {
  ++campaign_;
  const bool led = term_.has_value();
  term_.reset();
  if (lease_.id != 0 && !away_) revoke(lease_.id);
  lease_ = {};
  lease_again_at_us_ = now_us_;
  const auto lost = leadership_.lost;
  if (led && lost) lost(why);
}

/// Best effort: if it fails, the lease expires by itself.
void EtcdStore::revoke(std::int64_t lease) {
  pb::LeaseRevokeRequest request;
  request.set_id(lease);
  ++revokes_under_way_;
  wire_.revoke(request, [this](const grpc::Status&, const pb::LeaseRevokeResponse&) {
    --revokes_under_way_;
    if (campaigns_ && !term_) pulse_at_us_ = now_us_;
  });
}

}  // namespace perigee::coordination
