/// Motions of bodies on or near which the avatar is, as received in own sections. They are kept
/// apart from the entities: the worker sends each once, perhaps before the entity is known.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "perigee/base/own_section.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {

class ParentMotions {
 public:
  /// `said`: the tick of its block. Workers announce at ticks of their own, and a motion again only
  /// if its block was lost: so the one that was said last holds, and others are ignored.
  void store(const ParentMotion& received, Tick said);
  /// At `tick` these bodies still followed their motions.
  void heard(std::span<const Handle> bodies, Tick tick);
  void clear() { known_ = {}; }

  /// None: no motion of it is known.
  std::optional<Tick> tick_of(Handle body) const;   ///< of its newest motion
  std::optional<Tick> heard_of(Handle body) const;  ///< newest tick at which it followed that
  /// Extrapolated.
  std::optional<Motion> motion_at(Handle body, Tick tick, double thrust_limit_m_s2) const;

 private:
  struct Known {
    ParentMotion received;
    Tick said, heard;
    mutable bool started = false;
    mutable world::MotionAhead ahead;
  };
  static constexpr std::size_t known_max = 16;

  const Known* find(Handle body) const;

  /// Bodies that were not heard of for the longest time are replaced.
  std::array<Known, known_max> known_;
};

}  // namespace perigee::client
