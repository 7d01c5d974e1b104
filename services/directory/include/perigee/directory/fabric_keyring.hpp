/// The keys of the fabric: which key epochs there are, and how one follows another without the loss
/// of a datagram. First every living member gets the next key, then all use it, then the former one
/// is void. (decision 0117)
///
/// Keys are only in memory. The store has the numbers of epochs, so that none is used twice. A
/// directory that begins to lead does not know the key in use: it deals out a new one, and members
/// go on with theirs until all have the new one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric_keys.hpp"
#include "perigee/base/result.hpp"
#include "perigee/directory/members.hpp"

namespace perigee::directory {

struct FabricKeySettings {
  /// Tag: senders are authentic. Encrypt: records are also unreadable, at a higher cost.
  FabricSealing sealing = FabricSealing::Tag;
  /// From one change of keys to the next. Lower: a leaked key is of use for less time. Higher:
  /// fewer changes.
  Micros key_us = 3'600'000'000;
};

/// The part that a restart must preserve.
struct FabricEpochs {
  /// Of a stored epoch or deal: one a second for 60 years.
  static constexpr std::uint32_t number_max = 2'000'000'000;
  std::uint32_t newest = 0;  ///< of all that were dealt; 0: none
  std::uint32_t send = 0;    ///< that seals
  std::uint32_t deal = 0;    ///< number of the newest deal
  friend bool operator==(const FabricEpochs&, const FabricEpochs&) = default;
};

class FabricKeyring {
 public:
  struct Needs {
    const ClusterMap& map;
  };
  FabricKeyring(Needs needs, const FabricKeySettings& settings, const FabricEpochs& saved);

  /// A key is due. Only the caller has random numbers.
  bool wants_key(Micros now_us) const;
  void add_key(Micros now_us, const FabricKeyBytes& bytes);
  /// An operator's order: a key is due at once.
  Result<Ok> order_change();

  /// A process has registered, maybe again.
  void note_registered(MemberKind kind, std::uint32_t slot, std::uint64_t run);
  /// A known process says that it has this deal.
  void note_confirmed(MemberKind kind, std::uint32_t slot, std::uint32_t deal);
  /// Takes the next step of a change that is due.
  void advance(Micros now_us);

  /// The newest deal; number 0: no key has been added yet.
  FabricKeys dealt() const;
  FabricEpochs saved() const { return epochs_; }
  bool changing() const { return step_ != Step::Settled; }
  /// Changes that this directory has completed.
  std::uint64_t changes() const { return changes_; }

  /// The former key stays accepted for this long after the last member has stopped to use it:
  /// longer than a datagram is under way.
  static constexpr Micros settle_us = 2'000'000;
  /// A living member that does not confirm holds up a change for at most this long. Then it loses
  /// its datagrams until it has the key.
  static constexpr Micros patience_us = 30'000'000;

 private:
  enum class Step : std::uint8_t {
    Settled,    ///< one key
    Announced,  ///< the next key is dealt, and not used yet
    Switched,   ///< the new key is used, the former one accepted
  };
  /// A process as the keyring knows it.
  struct Holder {
    std::uint64_t run = 0;
    std::uint32_t deal = 0;  ///< that it has confirmed to this directory
  };

  std::vector<Holder>& holders(MemberKind kind) { return holders_[static_cast<std::size_t>(kind)]; }
  Holder& holder(MemberKind kind, std::uint32_t slot);
  bool all_confirmed() const;
  void begin(Step step, Micros now_us);

  Needs needs_;
  FabricKeySettings settings_;
  FabricEpochs epochs_;
  std::uint32_t former_epoch_ = 0;   ///< during a change: of the key in use before
  std::optional<FabricKey> former_;  ///< its key; none: a former leader dealt it
  std::optional<FabricKey> newest_;
  Step step_ = Step::Settled;
  Micros began_us_ = 0;              ///< the step
  std::optional<Micros> agreed_us_;  ///< Switched: since when all members have confirmed
  Micros added_us_ = 0;
  bool ordered_ = false;
  std::uint64_t changes_ = 0;
  std::array<std::vector<Holder>, 2> holders_;  ///< by MemberKind, by slot
};

}  // namespace perigee::directory
