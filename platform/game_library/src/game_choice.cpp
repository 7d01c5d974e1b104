#include "perigee/game_library/game_choice.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/game_library/load.hpp"

namespace perigee::game_library {

plugin::Stage borrowed(std::string_view name, const world::GameModule& game) {
  return {std::string(name),
          std::shared_ptr<const world::GameModule>(std::shared_ptr<void>(), &game)};
}

GameChoice::GameChoice(plugin::Stages linked) : linked_(std::move(linked)) {
  PERIGEE_ASSERT(!linked_.empty(), "a program must have a game");
}

void GameChoice::declare_game(host::Settings& settings) {
  declared_ = true;
  settings.text(
      "game", &path_,
      "library of the game to play, e.g. build/libmygame.so; the same for all programs of "
      "a cluster; empty: " +
          std::string(linked_.front().game->name()));
  settings.check([this] { return choose(); });
}

void GameChoice::declare_stage(host::Settings& settings) {
  if (!declared_ && linked_.size() == 1) return;
  settings.text(
      "stage", &stage_,
      "content of a new world, one of the game's stages; the same for all workers; empty: "
      "the first one");
  if (!declared_) settings.check([this] { return choose(); });
}

Result<Ok> GameChoice::choose() {
  if (!path_.empty()) {
    auto loaded = load(path_);
    if (!loaded) return Error{"game: " + loaded.error().message};
    loaded_ = std::move(*loaded);
  }
  std::string names;
  for (const plugin::Stage& each : stages()) {
    if (each.name == stage_) return Ok{};
    names += (names.empty() ? "" : ", ") + each.name;
  }
  if (stage_.empty()) return Ok{};
  if (names.empty()) return Error{"stage: this game has only one world; leave the setting out"};
  return Error{"stage: '" + stage_ + "' is not one of " + names};
}

const plugin::Stage& GameChoice::stage() const {
  const plugin::Stages& all = stages();
  const auto found = std::ranges::find(all, stage_, &plugin::Stage::name);
  return found != all.end() ? *found : all.front();
}

}  // namespace perigee::game_library
