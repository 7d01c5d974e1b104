#include "etcd_requests.hpp"

#include <charconv>

namespace perigee::coordination {

Entry EtcdKeys::entry_of(const pb::KeyValue& kv) const {
  return {kv.key().substr(of_caller({}).size()), kv.value(),
          static_cast<Revision>(kv.mod_revision())};
}

std::string hex(std::uint64_t number) {
  char digits[16];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, number, 16);
  return {digits, end};
}

pb::RangeRequest range_of(const std::string& key) {
  pb::RangeRequest request;
  request.set_key(key);
  return request;
}

/// The range end is the prefix with its last byte incremented. Our prefixes end before 0xff because
/// the root consists of letters.
pb::RangeRequest range_below(const std::string& prefix) {
  std::string end = prefix;
  while (end.back() == '\xff') end.pop_back();
  ++end.back();
  pb::RangeRequest request;
  request.set_key(prefix);
  request.set_range_end(end);
  return request;
}

void compare_created(pb::TxnRequest& txn, const std::string& key, Revision revision) {
  pb::Compare& compare = *txn.add_compare();
  compare.set_target(pb::Compare::CREATE);
  compare.set_key(key);
  compare.set_create_revision(static_cast<std::int64_t>(revision));
}

void compare_changed(pb::TxnRequest& txn, const std::string& key, Revision revision) {
  pb::Compare& compare = *txn.add_compare();
  compare.set_target(pb::Compare::MOD);
  compare.set_key(key);
  compare.set_mod_revision(static_cast<std::int64_t>(revision));
}

void put(pb::RequestOp& op, const std::string& key, const std::string& value, std::int64_t lease) {
  pb::PutRequest& request = *op.mutable_request_put();
  request.set_key(key);
  request.set_value(value);
  request.set_lease(lease);
}

const pb::KeyValue* found(const pb::TxnResponse& response, int index) {
  if (index >= response.responses_size()) return nullptr;
  const pb::RangeResponse& range = response.responses(index).response_range();
  return range.kvs_size() == 0 ? nullptr : &range.kvs(0);
}

}  // namespace perigee::coordination
