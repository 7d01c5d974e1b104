/// What the own actor's step wanted to be seen and heard, and what has met it: played when it is
/// predicted first, later confirmed or cancelled. Each is named by tick and index. (mission B8, S4,
/// S11)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perigee/netcode/wire_world.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

enum class CueState : std::uint8_t {
  Played,     ///< predicted: show it now
  Confirmed,  ///< it happened; `detail` says what came of it
  Cancelled,  ///< it did not: take it back
};

struct CueNews {
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t effect = 0;  ///< the game's
  Handle subject = no_entity;
  CueState state = CueState::Played;
  CancelReason reason = CancelReason::None;
  std::uint8_t detail = 0;  ///< the game's, of the verdict
};

class CueLog {
 public:
  static constexpr std::size_t open_max = 128;  ///< 2 s of a busy weapon; beyond, the oldest goes

  CueLog();
  /// A tick ran, for the first time or again.
  void on_step(const world::StepRecord& record);
  void on_verdict(const EffectEvent& event);
  /// Nothing before this tick is predicted any more.
  void on_final(Tick final_tick);
  /// Something else than a step brought it about, or knows better.
  void tell(const CueNews& cue, CueState state);
  /// A hard reset: what was predicted is void.
  void cancel_all();

  /// New since the frame before: ask once per frame, at its end.
  std::span<const CueNews> news() const { return news_; }
  void begin_frame() {
    news_.erase(news_.begin(), news_.begin() + static_cast<std::ptrdiff_t>(shown_));
    shown_ = 0;
  }
  void end_frame() { shown_ = news_.size(); }

 private:
  struct Open {
    CueNews cue;
    bool judged = false;  ///< a verdict comes
    bool heard = false;   ///< it has come
  };
  std::vector<Open> open_;  ///< by age
  std::vector<CueNews> news_;
  std::size_t shown_ = 0;  ///< of these, in the frame before
};

}  // namespace perigee::client
