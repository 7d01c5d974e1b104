/// Stores in an etcd server of the test.
#pragma once

#include <list>
#include <utility>

#include "etcd_server/etcd_server.hpp"
#include "perigee/coordination/etcd.hpp"
#include "perigee/host/secrets.hpp"
#include "unit/coordination/contract.hpp"

namespace perigee::coordination {

struct EtcdPlace {
  process_test::EtcdServer server{process_test::free_port_base()};

  EtcdOptions options(const std::string& name) const {
    return {.endpoints = {server.endpoint()}, .name = name, .instance = host::random_u64()};
  }
  std::unique_ptr<Store> connect(const std::string& name) const {
    return std::move(open_etcd(options(name))).value();
  }
  void forget_history(Sides& sides, Store& store) {
    sides.commits(store, put("key", "1"));
    server.forget_history_before(sides.commits(store, put("key", "2")));
  }
};

/// Counts up in the store, one commit after the other, without reading and after any result: if a
/// commit reported as failed was carried out, or one was carried out twice, the numbers show it.
class Tally {
 public:
  explicit Tally(Store& store) : store_(store) { go_on(); }
  int committed() const { return committed_; }
  void stop() { stops_ = true; }
  bool stopped() const { return stopped_; }
  static int stored(Sides& sides, Store& store) {
    const Snapshot snapshot = sides.read(store, "tally");
    return snapshot.entries.empty() ? 0 : std::stoi(snapshot.entries[0].value);
  }

 private:
  void go_on() {
    if (std::exchange(stopped_, stops_) || stops_) return;
    Txn txn{{{"tally", revision_}}, {{"tally", std::to_string(committed_ + 1)}}, {}};
    store_.commit(std::move(txn), [this](const Outcome& outcome) {
      if (const auto* committed = std::get_if<Committed>(&outcome)) {
        ++committed_;
        revision_ = committed->revision;
      } else {
        EXPECT_FALSE(std::holds_alternative<Stale>(outcome)) << "a wrong outcome was reported";
        if (std::holds_alternative<Stale>(outcome)) stops_ = true;
      }
      go_on();
    });
  }
  Store& store_;
  Revision revision_ = 0;
  int committed_ = 0;
  bool stops_ = false;
  bool stopped_ = false;
};

/// 1, 2, 3 …: none missing, none twice.
inline bool counts_up(const std::vector<Change>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].value != std::to_string(i + 1)) return false;
  }
  return true;
}

}  // namespace perigee::coordination
