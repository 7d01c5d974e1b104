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

/// The directory's record of one region. In the map it is an entry of a worker, with a failover
/// record for each later owner.
struct Record {
  Epoch epoch{1};
  WorkerId owner = 0;
  std::optional<WorkerId> standby;
  bool in_sync = false;
  std::uint32_t word = 0;  ///< of the owner's newest report that the directory has read
  bool ended = false;      ///< the last owner has died, and has no successor
};

/// An owner's report to the directory.
struct Report {
  std::uint32_t word = 0;
  std::optional<WorkerId> in_sync_with;
};

/// One owner of one region: the present one, or a former one that does not know yet that it is not.
template <const Rules& rules>
struct Owner {
  Region<Traits, rules> region;
  Standby<rules> standby;
  WorkerId worker = 0;
  std::uint32_t word = 0;  ///< its newest word to the directory
  std::optional<WorkerId> replicates_to;
};

/// The standby's replica of a region.
struct Replica {
  WorkerId worker = 0;
  Epoch epoch;  ///< of the owner that writes it
  /// None: nothing has arrived yet.
  std::optional<Ledger<Traits>> ledger;
  std::map<GroupId, Traits::State> finals;
  bool anew = true;  ///< the replica is of a former stream
};

/// One item of a replica stream: everything, or a log entry, or a sent state.
struct Item {
  std::optional<Replica> everything;
  std::optional<Entry> entry;
  std::optional<Traits::State> left;
};

struct Stream {
  Epoch epoch;         ///< of the owner that writes it
  bool whole = false;  ///< false: broken, and items in flight are lost
  std::vector<Shared<Item>> under_way;
};

template <const Rules& rules>
struct Cluster {
  std::array<Record, regions> records;
  std::array<std::vector<Report>, regions> reports;  ///< of the owners; they arrive in order
  std::vector<Shared<Owner<rules>>> owners;
  std::array<std::optional<Shared<Replica>>, regions> replicas;
  std::array<Stream, regions> streams;
  std::array<bool, workers> crashed{};
  Shared<std::vector<Message<Traits>>> sent;  ///< each may arrive at any time, and repeatedly
  std::map<Gver, LogId> simulated;
  Gver now = 1;  ///< later attempts have larger numbers, wherever they are made
  /// The region's last owner, which has crashed, had the group, or was about to hand it over.
  std::array<bool, regions> had_it{};
  bool may_be_lost = false;  ///< a region that had it has ended without a successor
  Bounds left;
  std::string wrong;  ///< the first broken guarantee
};

/// Applies the effects of a region's owner to the cluster.
template <const Rules& rules>
class Hands final : public Effects<Traits> {
 public:
  Hands(Cluster<rules>& cluster, const Owner<rules>& owner)
      : cluster_(cluster), region_(owner.region.id().number), epoch_(owner.region.epoch()) {}

  void send(const Message<Traits>& message) override;
  void replicate(LogIndex, const Entry& entry) override { replicate(Item{.entry = entry}); }
  /// To the standby, if the owner has a stream to it.
  void replicate(const Item& item) {
    Stream& stream = cluster_.streams[region_];
    if (stream.whole && stream.epoch == epoch_) stream.under_way.emplace_back(item);
  }

 private:
  Cluster<rules>& cluster_;
  std::uint32_t region_;
  Epoch epoch_;
};

}  // namespace perigee::migration::checker
