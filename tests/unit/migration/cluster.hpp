#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "model.hpp"

namespace perigee::migration::checker {

struct Fingerprint {
  std::uint64_t a = 0x9e3779b97f4a7c15, b = 0xc2b2ae3d27d4eb4f;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Successive worlds share their unchanged parts, with the parts' fingerprints.
template <class T>
class Shared {
 public:
  Shared() : Shared(T{}) {}
  Shared(T value) : value_(std::make_shared<Inner>(Inner{std::move(value), {}})) {}
  const T& operator*() const { return value_->value; }
  const T* operator->() const { return &value_->value; }
  T& edit() {
    if (value_.use_count() > 1) value_ = std::make_shared<Inner>(Inner{value_->value, {}});
    value_->print.reset();
    return value_->value;
  }
  template <class Make>
  const Fingerprint& print(Make&& make) const {
    if (!value_->print) value_->print = make(value_->value);
    return *value_->print;
  }

 private:
  struct Inner {
    T value;
    std::optional<Fingerprint> print;
  };
  std::shared_ptr<Inner> value_;
};

/// One owner of one region: the present one, or a former one that does not know yet that it is not.
template <const Rules& rules>
struct Owner {
  Region<Traits, rules> region;
  WorkerId worker = 0;
  std::uint64_t seen = 0;   ///< version of the record that it knows
  std::uint8_t serial = 0;  ///< identifies it in its decisions
};

struct Standby {
  WorkerId worker = 0;
  Epoch epoch = 0;  ///< of the owner that writes this log
  Ledger<Traits> ledger;
};

struct Stream {
  bool whole = false;  ///< false: broken, and entries in flight are lost
  std::vector<Entry<Traits>> under_way;
};

struct RecordRequest {
  RegionId region = 0;
  Epoch epoch = 0;
  std::uint64_t version = 0;
  StandbyStatus state{};
  friend auto operator<=>(const RecordRequest&, const RecordRequest&) = default;
};

struct JournalRequest {
  RegionId region = 0;
  Epoch epoch = 0;
  Traits::Outcome outcome;
  bool looked = false;  ///< with R6 left out: the epoch was right when it was checked
  friend auto operator<=>(const JournalRequest&, const JournalRequest&) = default;
};

template <const Rules& rules>
struct Cluster {
  std::array<Record, regions> records;
  std::vector<Shared<Owner<rules>>> owners;
  std::array<std::optional<Shared<Standby>>, regions> standbys;
  std::array<Stream, regions> streams;  ///< from the owner that has the region's standby
  std::array<bool, workers> crashed{};
  Shared<std::vector<Message<Traits>>> sent;  ///< each may arrive at any time, and repeatedly
  std::vector<RecordRequest> record_requests;
  std::vector<JournalRequest> journal_requests, journal_replies;
  std::array<Epoch, regions> journal_epochs{};
  std::array<std::uint8_t, outcomes> journal{};
  std::array<std::uint8_t, outcomes> reported{};
  std::map<Gver, RegionId> simulated;
  std::uint8_t serials = 0;
  Bounds left;
  std::string wrong;  ///< the first broken guarantee
};

/// Applies the effects of a region's owner to the cluster.
template <const Rules& rules>
class Hands final : public Effects<Traits> {
 public:
  Hands(Cluster<rules>& cluster, RegionId region, Epoch epoch, std::uint64_t seen)
      : cluster_(cluster), region_(region), epoch_(epoch), seen_(seen) {}

  void send(const Message<Traits>& message) override;
  void replicate(LogIndex, const Entry<Traits>& entry) override;
  void journal(Epoch epoch, GroupId, const Traits::Outcome& outcome) override;
  void tell(GroupId, const Traits::Outcome& outcome) override;
  void record(StandbyStatus state) override;

 private:
  Cluster<rules>& cluster_;
  RegionId region_;
  Epoch epoch_;
  std::uint64_t seen_;
};

}  // namespace perigee::migration::checker
