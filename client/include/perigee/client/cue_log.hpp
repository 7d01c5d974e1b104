/// Cues of the own actor's steps and of hits on it. A cue is played when first predicted, and later
/// confirmed or cancelled. It is identified by tick and index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perigee/base/wire_world.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

enum class CueState : std::uint8_t {
  Played,     ///< predicted: play it now
  Confirmed,  ///< it happened; `detail` has the result
  Cancelled,  ///< it did not happen: take it back
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
  /// 2 s of a fast weapon; if full, the oldest is dropped.
  static constexpr std::size_t open_max = 128;

  CueLog();
  /// A tick ran, for the first time or again.
  void on_step(const world::StepRecord& record);
  void on_verdict(const EffectEvent& event);
  /// No tick before this one will be predicted again.
  void on_final(Tick final_tick);
  /// Adds a cue that no step caused, or a state from another source.
  void add(const CueNews& cue, CueState state);
  /// Hard reset: all predicted cues are void.
  void cancel_all();

  /// The changes since the previous frame: read once per frame, at its end.
  std::span<const CueNews> news() const { return news_; }
  void begin_frame() {
    news_.erase(news_.begin(), news_.begin() + static_cast<std::ptrdiff_t>(shown_));
    shown_ = 0;
  }
  void end_frame() { shown_ = news_.size(); }

 private:
  struct Open {
    CueNews cue;
    bool judged = false;    ///< a verdict will follow
    bool received = false;  ///< the verdict has arrived
  };
  std::vector<Open> open_;  ///< by age
  std::vector<CueNews> news_;
  std::size_t shown_ = 0;  ///< of these, in the previous frame
};

}  // namespace perigee::client
