#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "model.hpp"

namespace perigee::handoff::checker {

struct Fingerprint {
  std::uint64_t a = 0x9e3779b97f4a7c15, b = 0xc2b2ae3d27d4eb4f;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Worlds that follow from each other share what did not change, and its fingerprint.
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

/// One owner of one region: the present one, or one that does not know yet that it is not.
template <const Rules& rules>
struct Owner {
  Region<Traits, rules> region;
  WorkerId worker = 0;
  std::uint64_t seen = 0;   ///< the record's version that it knows
  std::uint8_t serial = 0;  ///< names it in what it decides
};

struct Buddy {
  WorkerId worker = 0;
  Epoch epoch = 0;  ///< of the owner whose log it has
  Ledger<Traits> ledger;
};

struct Stream {
  bool whole = false;  ///< else: broken; what was under way is lost
  std::vector<Entry<Traits>> under_way;
};

struct RecordRequest {
  RegionId region = 0;
  Epoch epoch = 0;
  std::uint64_t version = 0;
  BuddyState state{};
  friend auto operator<=>(const RecordRequest&, const RecordRequest&) = default;
};

struct JournalRequest {
  RegionId region = 0;
  Epoch epoch = 0;
  Traits::Outcome outcome;
  bool looked = false;  ///< R6 taken away: the epoch was right when it looked
  friend auto operator<=>(const JournalRequest&, const JournalRequest&) = default;
};

template <const Rules& rules>
struct Cluster {
  std::array<Record, regions> records;
  std::vector<Shared<Owner<rules>>> owners;
  std::array<std::optional<Shared<Buddy>>, regions> buddies;
  std::array<Stream, regions> streams;  ///< from the owner that has the region's buddy
  std::array<bool, workers> crashed{};
  Shared<std::vector<Message<Traits>>> sent;  ///< each may arrive whenever it likes, and again
  std::vector<RecordRequest> record_requests;
  std::vector<JournalRequest> journal_requests, journal_replies;
  std::array<Epoch, regions> journal_epochs{};
  std::array<std::uint8_t, outcomes> journal{};
  std::array<std::uint8_t, outcomes> told{};
  std::map<Gver, RegionId> simulated;
  std::uint8_t serials = 0;
  Bounds left;
  std::string wrong;  ///< the first promise that was broken
};

/// What a region's owner does, done to the cluster.
template <const Rules& rules>
class Hands final : public Effects<Traits> {
 public:
  Hands(Cluster<rules>& cluster, RegionId region, Epoch epoch, std::uint64_t seen)
      : cluster_(cluster), region_(region), epoch_(epoch), seen_(seen) {}

  void send(const Message<Traits>& message) override;
  void replicate(LogIndex, const Entry<Traits>& entry) override;
  void journal(Epoch epoch, GroupId, const Traits::Outcome& outcome) override;
  void tell(GroupId, const Traits::Outcome& outcome) override;
  void record(BuddyState state) override;

 private:
  Cluster<rules>& cluster_;
  RegionId region_;
  Epoch epoch_;
  std::uint64_t seen_;
};

}  // namespace perigee::handoff::checker
