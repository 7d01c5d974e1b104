/// A coordination store on virtual time: one place with several sides and leases, like etcd. It can
/// be unreachable, and it can refuse.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "perigee/coordination/store.hpp"

namespace perigee::coordination {

struct Ground {
  static constexpr Micros lease_us = 5'000'000;
  std::map<std::string, Entry> entries;
  Revision revision = 1;
  bool away = false;
  bool refuses = false;
  std::size_t puts = 0;  ///< number of puts in the newest transaction
  std::optional<Revision> term;
  Micros leased_until_us = 0;
  std::uint64_t store_id = 77;
};

class GroundSide final : public Store {
 public:
  explicit GroundSide(Ground& ground) : ground_(ground) {}

  void poll(Micros now_us) override {
    now_us_ = now_us;
    if (term_ && now_us >= until_us_) lose("its lease has run out");
    if (!ground_.away) {
      lead();
      for (auto& [prefix, done] : std::exchange(reads_, {})) done(snapshot(prefix));
      while (!commits_.empty()) {
        Pending pending = std::move(commits_.front());
        commits_.pop_front();
        pending.done(carry_out(pending));
      }
    }
    while (!commits_.empty() && now_us - commits_.front().asked_us > 4'000'000) {
      Pending pending = std::move(commits_.front());
      commits_.pop_front();
      pending.done(Error{"it did not answer in time"});
    }
  }
  void wake_by(std::function<void()>) override {}
  Result<Ok> ready() const override {
    if (ground_.away) return Error{"the store is away"};
    return Ok{};
  }
  std::optional<std::uint64_t> store_id() const override { return ground_.store_id; }
  void read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) override {
    reads_.emplace_back(prefix, std::move(done));
  }
  void commit(Txn txn, std::function<void(const Outcome&)> done) override {
    commits_.push_back({std::move(txn), std::move(done), term_, now_us_});
  }
  WatchId watch(const std::string&, Revision, WatchEvents) override { return 0; }
  void unwatch(WatchId) override {}
  void campaign(LeadershipEvents events) override { events_ = std::move(events); }
  void resign() override {
    if (term_ && ground_.term == term_) ground_.term.reset();
    term_.reset();
    events_ = {};
  }

 private:
  struct Pending {
    Txn txn;
    std::function<void(const Outcome&)> done;
    std::optional<Revision> term;
    Micros asked_us = 0;
  };
  void lead() {
    if (ground_.term && now_us_ >= ground_.leased_until_us) ground_.term.reset();
    if (term_ && ground_.term != term_) lose("another one leads");
    if (!term_ && !ground_.term && events_.leads) {
      term_ = ground_.term = ++ground_.revision;
      renew();
      events_.leads(*term_);
    } else if (term_) {
      renew();
    }
  }
  void renew() { ground_.leased_until_us = until_us_ = now_us_ + Ground::lease_us; }
  void lose(const std::string& why) {
    term_.reset();
    events_.lost(why);
  }
  Snapshot snapshot(const std::string& prefix) const {
    Snapshot out{{}, ground_.revision};
    for (const auto& [key, entry] : ground_.entries) {
      if (key.starts_with(prefix)) out.entries.push_back(entry);
    }
    return out;
  }
  Outcome carry_out(const Pending& pending) {
    if (const auto fits = check(pending.txn); !fits) return fits.error();
    if (!pending.term || pending.term != ground_.term) return NotLeader{};
    if (ground_.refuses) return Error{"the disk is full; make room"};
    ++ground_.revision;
    ground_.puts = pending.txn.puts.size();
    for (const auto& put : pending.txn.puts) {
      ground_.entries[put.key] = {put.key, put.value, ground_.revision};
    }
    for (const auto& key : pending.txn.erases) ground_.entries.erase(key);
    return Committed{ground_.revision};
  }

  Ground& ground_;
  Micros now_us_ = 0;
  Micros until_us_ = 0;
  LeadershipEvents events_;
  std::optional<Revision> term_;
  std::deque<Pending> commits_;
  std::vector<std::pair<std::string, std::function<void(Result<Snapshot>)>>> reads_;
};

}  // namespace perigee::coordination
