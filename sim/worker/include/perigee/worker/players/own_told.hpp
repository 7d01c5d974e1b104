/// The record of the own sections sent to one client, as far as later sections build on them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "perigee/base/own_section.hpp"
#include "perigee/replication/sent_tracks.hpp"

namespace perigee::worker {

class OwnTold {
 public:
  /// Whether the client shall keep the section of `now` as a basis.
  bool basis_due(Tick now) const;
  /// Whether the final state shall be exact in the section of `now`.
  bool exact_due(Tick now) const;
  /// The newest basis that the client certainly has. Null: none, and the section stands alone.
  const OwnBasis* basis(const replication::SentTracks& arrivals, Tick now) const;
  /// The section was sent in the block of `now`.
  void note(const OwnSection& own, Tick now);

  /// Drops the motions of all other bodies: these are sent anew when the avatar comes near again.
  void keep_motions(std::span<const Handle> near);
  /// Whether the motion that was announced at that tick must be sent in the block of `now`: the
  /// client was not sent it yet, or it was lost. It is then noted as sent.
  bool owes_motion(Handle body, Tick announced, const replication::SentTracks& arrivals, Tick now);

 private:
  static constexpr std::size_t bases_max = OwnBasis::kept_max;
  static constexpr std::int32_t basis_every_ticks = 8;
  static constexpr std::int32_t exact_every_ticks = 60;
  struct SentMotion {
    Handle body = no_entity;
    Tick announced;
    Tick sent;
    bool arrived = false;
  };

  SentMotion* find(Handle body);

  std::array<OwnBasis, bases_max> bases_{};
  std::size_t noted_ = 0;
  std::optional<Tick> newest_;  ///< of the bases
  std::optional<Tick> exact_;   ///< of the newest exact section
  FixedVector<SentMotion, OwnBasis::parents_max> motions_;
};

}  // namespace perigee::worker
