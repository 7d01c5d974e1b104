/// Adds the game call that was under way to a crash report.
#pragma once

#include "perigee/host/crash_report.hpp"
#include "perigee/world/watched_game.hpp"

namespace perigee::flight_log {

/// For host::report_crashes in a process with a world::WatchedGame.
inline void describe_game_call(host::CrashText& text) {
  const world::GameCall& call = world::game_call();
  if (call.function == nullptr) return;
  text << "in the game's function " << call.function << ", tick ";
  text.number(call.tick.count);
  if (call.avatar != 0) (text << ", avatar ").hex(call.avatar);
  if (call.entity != no_entity) (text << ", entity ").number(call.entity);
}

}  // namespace perigee::flight_log
