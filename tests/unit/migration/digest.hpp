/// A cluster's state as 128 bits, so that visited states take no more memory than that.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "cluster.hpp"

namespace perigee::migration {

/// Visits the whole state: machines with equal state behave equally.
template <const Rules& rules>
struct Inspector<Region<checker::Traits, rules>> {
  static void visit(const Region<checker::Traits, rules>& region, auto&& visitor) {
    visitor(region.region_, region.epoch_, region.ledger_, region.alone_, region.durable_,
            region.waiting_, region.used_, region.finals_, region.in_doubt_, region.staying_);
    for (const auto& [group, attempt] : region.attempts_) {
      visitor(group, attempt.gver, attempt.to, attempt.effect);
    }
  }
};
template <const Rules& rules>
struct Inspector<Standby<rules>> {
  static void visit(const Standby<rules>& standby, auto&& visitor) {
    visitor(standby.mode_, standby.fills_at_);
  }
};

}  // namespace perigee::migration

namespace perigee::migration::checker {

class Digest {
 public:
  const Fingerprint& fingerprint() const { return out_; }

  template <class... Things>
  void operator()(const Things&... things) {
    (add(things), ...);
  }

 private:
  void word(std::uint64_t value) {
    out_.a = (out_.a ^ value) * 0xff51afd7ed558ccd;
    out_.a ^= out_.a >> 32;
    out_.b = (out_.b + value) * 0xc4ceb9fe1a85ec53;
    out_.b ^= out_.b >> 29;
  }
  template <class T>
    requires(std::integral<T> || std::is_enum_v<T>)
  void add(T value) {
    word(static_cast<std::uint64_t>(value));
  }
  void add(Tick tick) { word(tick.count); }
  void add(LogId log) { word(log.number); }
  void add(Epoch epoch) { word(epoch.number); }
  template <class T>
  void add(const std::optional<T>& value) {
    word(value.has_value());
    if (value) add(*value);
  }
  template <class T, std::size_t n>
  void add(const std::array<T, n>& values) {
    for (const T& value : values) add(value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    word(values.size());
    for (const T& value : values) add(value);
  }
  template <class T>
  void add(const std::set<T>& values) {
    word(values.size());
    for (const T& value : values) add(value);
  }
  template <class K, class V>
  void add(const std::map<K, V>& values) {
    word(values.size());
    for (const auto& [key, value] : values) (*this)(key, value);
  }
  template <class T>
  void add(const Shared<T>& shared) {
    const Fingerprint& print = shared.print([](const T& value) {
      Digest digest;
      digest(value);
      return digest.fingerprint();
    });
    word(print.a);
    word(print.b);
  }
  void add(const Answer& answer) { (*this)(answer.gver, answer.index); }
  void add(const Group& group) {
    (*this)(group.place, group.gver, group.peer, group.effect, group.index, group.taken,
            group.refused, group.closed);
  }
  void add(const Ledger<Traits>& ledger) { (*this)(ledger.groups, ledger.entries); }
  void add(const Entry& entry) {
    (*this)(entry.kind, entry.group, entry.gver, entry.peer, entry.effect);
  }
  void add(const Message<Traits>& message) {
    (*this)(message.kind, message.from, message.to, message.epoch, message.gver, message.effect,
            message.state);
  }
  void add(const Record& record) {
    (*this)(record.epoch, record.owner, record.standby, record.in_sync, record.word, record.ended);
  }
  void add(const Report& report) { (*this)(report.word, report.in_sync_with); }
  template <const Rules& rules>
  void add(const Owner<rules>& owner) {
    (*this)(owner.worker, owner.word, owner.replicates_to);
    Inspector<Region<Traits, rules>>::visit(owner.region, *this);
    Inspector<Standby<rules>>::visit(owner.standby, *this);
  }
  void add(const Replica& replica) {
    (*this)(replica.worker, replica.epoch, replica.ledger, replica.finals, replica.anew);
  }
  void add(const Item& item) { (*this)(item.everything, item.entry, item.left); }
  void add(const Stream& stream) { (*this)(stream.epoch, stream.whole, stream.under_way); }
  void add(const Bounds& left) {
    (*this)(left.moves, left.refusals, left.failures, left.crashes, left.breaks, left.suspicions,
            left.new_standbys);
  }

  Fingerprint out_;
};

template <const Rules& rules>
Fingerprint fingerprint(const Cluster<rules>& cluster) {
  Digest digest;
  digest(cluster.records, cluster.reports, cluster.owners, cluster.replicas, cluster.streams,
         cluster.crashed, cluster.sent, cluster.simulated, cluster.now, cluster.had_it,
         cluster.may_be_lost, cluster.left);
  return digest.fingerprint();
}

}  // namespace perigee::migration::checker
