#include "perigee/bots/activity.hpp"

#include "brain_units.hpp"

namespace perigee::bots {

void Activity::begin(Mode mode, double seconds) {
  mode_ = mode;
  ends_ = now_ + ticks(seconds);
}

const char* Activity::name() const {
  switch (mode_) {
    case Mode::Walk:
      return "walk";
    case Mode::Door:
      return "door";
    case Mode::Ride:
      return "ride";
    case Mode::Fly:
      return "fly";
    case Mode::Board:
      return "board";
    case Mode::Aboard:
      return "aboard";
    case Mode::Home:
      return "home";
    case Mode::Voyage:
      return "voyage";
    case Mode::Rove:
      return "rove";
  }
  return "";
}

}  // namespace perigee::bots
