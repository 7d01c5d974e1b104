#pragma once

#include <map>
#include <optional>
#include <string>

#include "model.hpp"

namespace perigee::handoff::checker {

/// One owner of one region: the present one, or one that does not know yet that it is not.
template <Rules rules>
struct Owner {
  Region<Traits, rules> region;
  WorkerId worker = 0;
  std::uint64_t seen = 0;  ///< the record's version that it knows
  std::uint8_t serial = 0; ///< names it in what it decides
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

template <Rules rules>
struct Cluster {
  std::array<Record, regions> records;
  std::vector<Owner<rules>> owners;
  std::array<std::optional<Buddy>, regions> buddies;
  std::array<Stream, regions> streams;  ///< from the owner that has the region's buddy
  std::array<bool, workers> crashed{};
  std::vector<Message<Traits>> sent;  ///< each may arrive whenever it likes, and again
  std::vector<RecordRequest> record_requests;
  std::vector<JournalRequest> journal_requests, journal_replies;
  std::array<Epoch, regions> journal_epochs{};
  std::array<std::uint8_t, outcomes> journal{};
  std::array<std::uint8_t, outcomes> told{};
  std::map<Gver, RegionId> simulated;
  std::uint8_t serials = 0;
  Bounds left;
  std::string wrong;  ///< the first promise that was broken

  Owner<rules>* current(RegionId region) {
    for (auto& owner : owners) {
      if (owner.region.id() == region && owner.region.epoch() == records[region].epoch) {
        return &owner;
      }
    }
    return nullptr;
  }
};

/// What a region's owner does, done to the cluster.
template <Rules rules>
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
