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
  void add(const std::string& text) { word(text.size()); }
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
  void add(const Traits::State& state) { add(state.decided); }
  void add(const Traits::Outcome& outcome) { (*this)(outcome.id, outcome.by); }
  void add(const Said& said) { (*this)(said.gver, said.index); }
  void add(const Group<Traits>& group) {
    (*this)(group.place, group.gver, group.peer, group.effect, group.index, group.taken,
            group.refused, group.closed, group.state, group.pending);
  }
  void add(const Ledger<Traits>& ledger) {
    (*this)(ledger.groups, ledger.floors, ledger.journalled, ledger.entries);
  }
  void add(const Entry<Traits>& entry) {
    (*this)(entry.kind, entry.group, entry.gver, entry.peer, entry.epoch, entry.effect, entry.state,
            entry.outcomes);
  }
  void add(const Message<Traits>& message) {
    (*this)(message.kind, message.from, message.to, message.epoch, message.asked, message.gver,
            message.effect, message.place, message.left_for, message.state, message.outcomes);
  }
  void add(const Record& record) {
    (*this)(record.epoch, record.owner, record.standby, record.standby_status, record.version);
  }
  template <const Rules& rules>
  void add(const Owner<rules>& owner) {
    (*this)(owner.worker, owner.seen, owner.serial);
    owner.region.visit(*this);
  }
  void add(const Standby& standby) { (*this)(standby.worker, standby.epoch, standby.ledger); }
  void add(const Stream& stream) { (*this)(stream.whole, stream.under_way); }
  void add(const RecordRequest& request) {
    (*this)(request.region, request.epoch, request.version, request.state);
  }
  void add(const JournalRequest& request) {
    (*this)(request.region, request.epoch, request.outcome, request.looked);
  }
  void add(const Bounds& left) {
    (*this)(left.moves, left.decisions, left.refusals, left.failures, left.crashes, left.breaks,
            left.suspicions, left.rejoins);
  }

  Fingerprint out_;
};

template <const Rules& rules>
Fingerprint fingerprint(const Cluster<rules>& cluster) {
  Digest digest;
  digest(cluster.records, cluster.owners, cluster.standbys, cluster.streams, cluster.crashed,
         cluster.sent, cluster.record_requests, cluster.journal_requests, cluster.journal_replies,
         cluster.journal_epochs, cluster.journal, cluster.reported, cluster.simulated,
         cluster.serials, cluster.left);
  return digest.fingerprint();
}

}  // namespace perigee::migration::checker
