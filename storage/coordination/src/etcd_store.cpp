#include "etcd_store.hpp"

#include <algorithm>
#include <string_view>

#include "perigee/base/hash.hpp"

namespace perigee::coordination {
namespace {

using namespace std::chrono_literals;

constexpr Micros pulse_us = 1'000'000;
constexpr Micros candidate_pulse_us = 500'000;
constexpr Micros away_pulse_us = 250'000;
constexpr auto farewell = 300ms;
constexpr std::int64_t page_entries = 64;  // of at most 64 KiB each: 4 MiB

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  });
}

Result<Ok> check(const EtcdOptions& options) {
  if (options.endpoints.empty()) return Error{"etcd: no endpoint; set at least one host:port"};
  for (const std::string& endpoint : options.endpoints) {
    if (endpoint.find(':') == std::string::npos || endpoint.find('/') != std::string::npos) {
      return Error{"etcd: the endpoint '" + endpoint + "' is not host:port, without http://"};
    }
  }
  if (!is_name(options.name)) {
    return Error{"etcd: the name '" + options.name +
                 "' is not 1 to 64 letters, digits, dots, dashes and underscores"};
  }
  if (options.root.size() < 2 || options.root.size() > 64 || options.root.front() != '/' ||
      options.root.back() != '/') {
    return Error{"etcd: the root '" + options.root + "' does not begin and end with '/'"};
  }
  if (options.lease_us < 2'000'000 || options.lease_us > 60'000'000) {
    return Error{"etcd: a lease must last 2 to 60 s, not " + std::to_string(options.lease_us) +
                 " us"};
  }
  if (options.call_deadline_us < 100'000 || options.call_deadline_us > 10'000'000) {
    return Error{"etcd: the deadline of a call must be 0.1 to 10 s, not " +
                 std::to_string(options.call_deadline_us) + " us"};
  }
  return Ok{};
}

}  // namespace

Result<std::unique_ptr<Store>> open_etcd(const EtcdOptions& options) {
  PERIGEE_ASSERT(options.instance != 0, "the caller must draw the instance");
  if (const auto fits = check(options); !fits) return fits.error();
  return std::unique_ptr<Store>(std::make_unique<EtcdStore>(options));
}

EtcdStore::EtcdStore(const EtcdOptions& options)
    : options_(options),
      marker_key_(key_below("members/", options.name)),
      leader_key_(key_below("leader")),
      store_id_key_(key_below("incarnation")),
      wire_(options.endpoints, inbox_, options.call_deadline_us) {}

EtcdStore::~EtcdStore() {
  if (away_) return;
  if (lease_.id != 0) revoke(lease_.id);
  if (revokes_under_way_ > 0) wire_.linger(farewell);
}

std::string EtcdStore::key_below(const char* place, const std::string& name) const {
  return options_.root + place + name;
}

Entry EtcdStore::entry_of(const pb::KeyValue& kv) const {
  const std::size_t above = key_below("keys/").size();
  return {kv.key().substr(above), kv.value(), static_cast<Revision>(kv.mod_revision())};
}

void EtcdStore::poll(Micros now_us) {
  if (now_us_ == 0) {
    for (Pending& pending : commits_) pending.asked_us = now_us;  // queued before the first poll
  }
  now_us_ = now_us;
  expire_lease();  // before anything that would be done as the leader
  inbox_.run();
  if (!displaced_ && !pulse_under_way_ && now_us_ >= pulse_at_us_) {
    pulse_under_way_ = true;
    if (enrolled_) {
      pulse();
    } else {
      enrol();
    }
  }
  advance_leadership();
  advance_commits();
  advance_watches();
}

Result<Ok> EtcdStore::ready() const {
  if (displaced_) return Error{*displaced_};
  if (away_) return Error{*away_};
  if (!identity_) return Error{"etcd at " + wire_.endpoint() + " has not answered yet"};
  return Ok{};
}

std::optional<std::uint64_t> EtcdStore::store_id() const {
  if (!identity_) return std::nullopt;
  StateHash hash;
  hash.add(identity_->cluster);
  for (const char digit : identity_->drawn) hash.add(digit);
  return hash.value();
}

/// Handles a failed call to `endpoint`. Several calls fail together; only the first switches to the
/// next endpoint.
void EtcdStore::failed(const std::string& endpoint, const grpc::Status& status) {
  if (endpoint == wire_.endpoint()) {
    wire_.leave_endpoint();
    for (auto& [id, watching] : watches_) watching.subscription.reset();
  }
  if (!away_) pulse_at_us_ = now_us_;
  away_ = "etcd at " + endpoint + " does not answer: " + status.error_message() +
          "; is it running, does it have a leader (etcdctl endpoint status)?";
}

/// Takes over this name's marker, so that an earlier process of that name can no longer commit.
void EtcdStore::enrol() {
  pb::TxnRequest txn;
  const std::string drawn =
      hex(mix64(options_.instance, static_cast<std::uint64_t>(now_us_), history_));
  compare_created(txn, store_id_key_, 0);
  put(*txn.add_success(), store_id_key_, drawn);
  put(*txn.add_success(), marker_key_, marker("none"));
  put(*txn.add_failure(), marker_key_, marker("none"));
  if (went_back_) put(*txn.add_failure(), store_id_key_, drawn);
  wire_.txn(txn, [this, endpoint = wire_.endpoint()](const grpc::Status& status,
                                                     const pb::TxnResponse& response) {
    pulse_under_way_ = false;
    if (!status.ok()) {
      failed(endpoint, status);
      pulse_at_us_ = now_us_ + away_pulse_us;
      return;
    }
    enrolled_ = true;
    went_back_ = false;
    marker_revision_ = seen_ = static_cast<Revision>(response.header().revision());
    pulse_at_us_ = now_us_;
  });
}

/// Regularly reads the leader's key and checks that this is still the same store.
void EtcdStore::pulse() {
  pb::TxnRequest txn;
  for (const std::string* key : {&store_id_key_, &marker_key_, &leader_key_}) {
    *txn.add_success()->mutable_request_range() = range_of(*key);
  }
  wire_.txn(txn, [this, endpoint = wire_.endpoint(), known = seen_](
                     const grpc::Status& status, const pb::TxnResponse& response) {
    pulse_under_way_ = false;
    if (!status.ok()) {
      failed(endpoint, status);
      pulse_at_us_ = now_us_ + away_pulse_us;
      return;
    }
    pulse_at_us_ = now_us_ + (campaigns_ && !term_ ? candidate_pulse_us : pulse_us);
    on_pulse(response, known);
  });
}

void EtcdStore::on_pulse(const pb::TxnResponse& response, Revision known) {
  const auto revision = static_cast<Revision>(response.header().revision());
  const pb::KeyValue* const drawn = found(response, 0);
  const pb::KeyValue* const marker = found(response, 1);
  const Identity identity{response.header().cluster_id(), drawn ? drawn->value() : ""};
  went_back_ = revision < known;
  if (!drawn || !marker || went_back_ || (identity_ && identity != *identity_)) {
    return end_history("etcd was recreated or restored from a backup");
  }
  if (!marker->value().starts_with(hex(options_.instance) + ' ')) {
    end_history("another process uses etcd under this name");
    displaced_ = "another process named " + options_.name +
                 " now uses etcd; stop one of them, or give each its own name";
    return;
  }
  away_.reset();
  identity_ = identity;
  seen_ = std::max(seen_, revision);
  on_leader(found(response, 2), revision);
}

/// The store's history is another one: drops everything known of it.
void EtcdStore::end_history(const std::string& why) {
  ++history_;
  enrolled_ = false;
  identity_.reset();
  pulse_at_us_ = now_us_;
  lose(why);
  while (!watches_.empty()) end_watch(watches_.begin()->first, why);
  // Only the present ones: commits made in the callbacks wait for the next history.
  for (std::size_t left = commits_.size(); left > 0; --left) finish(Error{why + "; read again"});
}

void EtcdStore::read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) {
  const auto reading = std::make_shared<Reading>();
  reading->request = range_below(key_below("keys/", prefix));
  reading->request.set_limit(page_entries);
  reading->done = std::move(done);
  read_page(reading);
}

/// Pages of one revision form one snapshot.
void EtcdStore::read_page(const std::shared_ptr<Reading>& reading) {
  if (const auto up = ready(); !up && identity_) {
    inbox_.post([reading, why = up.error()] { reading->done(why); });
    return;
  }
  wire_.range(reading->request, [this, reading, endpoint = wire_.endpoint()](
                                    const grpc::Status& status, const pb::RangeResponse& page) {
    if (!status.ok()) {
      failed(endpoint, status);
      return reading->done(Error{*away_});
    }
    Snapshot& snapshot = reading->snapshot;
    if (snapshot.revision == 0) {
      snapshot.revision = static_cast<Revision>(page.header().revision());
      reading->request.set_revision(page.header().revision());
    }
    for (const pb::KeyValue& kv : page.kvs()) snapshot.entries.push_back(entry_of(kv));
    if (!page.more()) return reading->done(std::move(snapshot));
    reading->request.set_key(page.kvs(page.kvs_size() - 1).key() + '\0');
    read_page(reading);
  });
}

}  // namespace perigee::coordination
