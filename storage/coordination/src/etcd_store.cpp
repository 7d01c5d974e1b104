#include "etcd_store.hpp"

#include <algorithm>
#include <string_view>

#include "perigee/base/hash.hpp"

namespace perigee::coordination {
namespace {

constexpr Micros pulse_us = 1'000'000;
constexpr Micros candidate_pulse_us = 500'000;
constexpr Micros away_pulse_us = 250'000;
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
  auto places = EtcdWire::open(options.endpoints, options.tls);
  if (!places) return places.error();
  return std::unique_ptr<Store>(std::make_unique<EtcdStore>(options, *places));
}

EtcdStore::EtcdStore(const EtcdOptions& options, const std::vector<EtcdWire::Place>& places)
    : options_(options),
      keys_(options_),
      wire_(places, inbox_, options.call_deadline_us),
      leadership_({.options = options_,
                   .keys = keys_,
                   .wire = wire_,
                   .now_us = now_us_,
                   .ready = [this] { return bool(ready()); },
                   .away = [this] { return away_.has_value(); },
                   .failed = [this](auto& endpoint, auto& status) { failed(endpoint, status); },
                   .read_leader_soon = [this] { pulse_at_us_ = now_us_; }}),
      commits_({.options = options_,
                .keys = keys_,
                .wire = wire_,
                .inbox = inbox_,
                .now_us = now_us_,
                .leadership = leadership_,
                .displaced = displaced_,
                .seen = seen_,
                .ready = [this] { return ready(); },
                .failed = [this](auto& endpoint, auto& status) { failed(endpoint, status); }}),
      watches_({.keys = keys_,
                .wire = wire_,
                .inbox = inbox_,
                .now_us = now_us_,
                .ready = [this] { return bool(ready()); },
                .failed = [this](auto& endpoint, auto& status) { failed(endpoint, status); }}) {}

EtcdStore::~EtcdStore() {
  if (!away_) leadership_.leave();
}

void EtcdStore::poll(Micros now_us) {
  if (now_us_ == 0) commits_.begin_time(now_us);
  now_us_ = now_us;
  leadership_.expire_lease();
  wire_.cancel_late();
  inbox_.run();
  if (!displaced_ && !pulse_under_way_ && now_us_ >= pulse_at_us_) {
    pulse_under_way_ = true;
    if (enrolled_) {
      pulse();
    } else {
      enrol();
    }
  }
  leadership_.advance();
  commits_.advance();
  watches_.advance();
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
    watches_.interrupt();
  }
  if (!away_) pulse_at_us_ = now_us_;
  away_ = "etcd at " + endpoint + " does not answer: " + status.error_message() +
          "; is it running, does it have a leader (etcdctl endpoint status)?";
}

/// Takes over this name's marker, so that an earlier process of that name can no longer commit.
void EtcdStore::enrol() {
  pb::TxnRequest txn;
  const std::string drawn =
      hex(mix64(options_.instance, static_cast<std::uint64_t>(now_us_), commits_.history()));
  compare_created(txn, keys_.store_id, 0);
  put(*txn.add_success(), keys_.store_id, drawn);
  put(*txn.add_success(), keys_.marker, commits_.marker("none"));
  put(*txn.add_failure(), keys_.marker, commits_.marker("none"));
  if (went_back_) put(*txn.add_failure(), keys_.store_id, drawn);
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
    seen_ = static_cast<Revision>(response.header().revision());
    commits_.begin_history(seen_);
    pulse_at_us_ = now_us_;
  });
}

/// Regularly reads the leader's key and checks that this is still the same store.
void EtcdStore::pulse() {
  pb::TxnRequest txn;
  for (const std::string* key : {&keys_.store_id, &keys_.marker, &keys_.leader}) {
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
    pulse_at_us_ =
        now_us_ + (leadership_.campaigns() && !leadership_.term() ? candidate_pulse_us : pulse_us);
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
  leadership_.on_leader(found(response, 2), revision);
}

/// The store's history is another one: drops everything known of it.
void EtcdStore::end_history(const std::string& why) {
  enrolled_ = false;
  identity_.reset();
  pulse_at_us_ = now_us_;
  leadership_.lose(why);
  watches_.end_all(why);
  commits_.end_history(Error{why + "; read again"});
}

void EtcdStore::read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) {
  const auto reading = std::make_shared<Reading>();
  reading->request = range_below(keys_.of_caller(prefix));
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
    for (const pb::KeyValue& kv : page.kvs()) snapshot.entries.push_back(keys_.entry_of(kv));
    if (!page.more()) return reading->done(std::move(snapshot));
    reading->request.set_key(page.kvs(page.kvs_size() - 1).key() + '\0');
    read_page(reading);
  });
}

}  // namespace perigee::coordination
