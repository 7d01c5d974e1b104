/// Builders of etcd requests, and the store's keys below its root: `keys/…` for the callers' keys;
/// `incarnation`, the number that identifies the store's history; `leader`, bound to the leader's
/// lease; `members/NAME`, the marker of that member's newest commit.
#pragma once

#include <string>

#include "etcd_wire.hpp"
#include "perigee/coordination/etcd.hpp"

namespace perigee::coordination {

struct EtcdKeys {
  explicit EtcdKeys(const EtcdOptions& options)
      : root(options.root),
        marker(root + "members/" + options.name),
        leader(root + "leader"),
        store_id(root + "incarnation") {}

  /// A caller's key, or its prefix.
  std::string of_caller(const std::string& key) const { return root + "keys/" + key; }
  Entry entry_of(const pb::KeyValue& kv) const;

  const std::string root, marker, leader, store_id;
};

std::string hex(std::uint64_t number);

pb::RangeRequest range_of(const std::string& key);
pb::RangeRequest range_below(const std::string& prefix);
void compare_created(pb::TxnRequest& txn, const std::string& key, Revision revision);
void compare_changed(pb::TxnRequest& txn, const std::string& key, Revision revision);
void put(pb::RequestOp& op, const std::string& key, const std::string& value,
         std::int64_t lease = 0);
/// The result of a transaction's operation `index`, a range over one key.
const pb::KeyValue* found(const pb::TxnResponse& response, int index);

}  // namespace perigee::coordination
