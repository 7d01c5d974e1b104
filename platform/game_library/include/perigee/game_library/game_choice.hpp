/// The game that a program plays: the one that it is linked with, or with the setting `game` that
/// of a library; and the setting `stage`, which chooses one of the game's worlds.
#pragma once

#include <string>
#include <string_view>

#include "perigee/host/settings.hpp"
#include "perigee/plugin/game_plugin.hpp"

namespace perigee::game_library {

/// A stage of a game that the program owns for longer than everything else.
plugin::Stage borrowed(std::string_view name, const world::GameModule& game);

class GameChoice {
 public:
  /// `linked`: the stages of the program's own game, the first one is the default.
  explicit GameChoice(plugin::Stages linked);
  GameChoice(const GameChoice&) = delete;
  GameChoice& operator=(const GameChoice&) = delete;

  /// The setting `game`: a path.
  void declare_game(host::Settings& settings);
  /// The setting `stage`, if there is anything to choose. After declare_game(), if that is called.
  void declare_stage(host::Settings& settings);
  /// The game comes from a library.
  bool from_library() const { return !path_.empty(); }
  /// Of the chosen game. These are valid once the settings are loaded.
  const plugin::Stages& stages() const { return loaded_.empty() ? linked_ : loaded_; }
  const plugin::Stage& stage() const;
  const world::GameModule& game() const { return *stage().game; }

 private:
  Result<Ok> choose();

  const plugin::Stages linked_;
  plugin::Stages loaded_;
  std::string path_;
  std::string stage_;
  bool declared_ = false;
};

}  // namespace perigee::game_library
