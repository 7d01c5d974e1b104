/// A bot's present activity, and when it ends unless something else ends it.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/tick.hpp"

namespace perigee::bots {

enum class Mode : std::uint8_t { Walk, Door, Ride, Fly, Board, Aboard, Home, Voyage, Rove };

class Activity {
 public:
  /// `now`: the present tick, read at each call. It walks, and is due for another activity at once.
  explicit Activity(const Tick& now) : now_(now) {}
  void begin(Mode mode, double seconds);
  Mode mode() const { return mode_; }
  bool over() const { return !ends_ || not_after(*ends_, now_); }
  const char* name() const;

 private:
  const Tick& now_;
  Mode mode_ = Mode::Walk;
  std::optional<Tick> ends_;
};

}  // namespace perigee::bots
