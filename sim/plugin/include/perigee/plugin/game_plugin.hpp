/// A game as a library that perigee-sim, perigee-bots, perigee-replay and perigee-lab load
/// (--game libmygame.so). One line in one source of the game makes it such a library:
///
///   PERIGEE_GAME(mygame::Game)
///
/// A game with several worlds names them, and the setting `stage` chooses; the first one is the
/// default:
///
///   PERIGEE_GAME_STAGES(mygame::stages)   // perigee::plugin::Stages stages();
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/plugin/build.hpp"
#include "perigee/world/game.hpp"

namespace perigee::plugin {

/// One of a game's worlds. All stages have the same types and the same schema hash.
struct Stage {
  std::string name;
  std::shared_ptr<const world::GameModule> game;
};
using Stages = std::vector<Stage>;

/// The result of the library's function `perigee_game`. Programs of all versions read the members
/// up to `build`; they use `make` only if the hashes are their own.
struct Exports {
  static constexpr std::array<char, 16> magic_text{"perigee game"};
  static constexpr std::uint32_t format_now = 1;

  std::array<char, 16> magic = magic_text;
  std::uint32_t format = format_now;  ///< of this struct
  std::uint32_t reserved = 0;
  std::uint64_t code = 0;    ///< code_hash() of the library
  std::uint64_t layout = 0;  ///< layout_hash() where the game was compiled
  const char* build = nullptr;
  Stages (*make)() = nullptr;  ///< may throw
  /// Sets the listener of the library's own copy of base.
  void (*listen)(AssertionListener) = nullptr;
};

/// The name of the function that a library exports.
inline constexpr const char* exported_name = "perigee_game";
using ExportedFunction = const Exports* (*)();

}  // namespace perigee::plugin

#define PERIGEE_GAME_STAGES(make_stages)                                                       \
  extern "C" __attribute__((visibility("default"))) const perigee::plugin::Exports*            \
  perigee_game() {                                                                             \
    static const perigee::plugin::Exports exports{.code = perigee::plugin::code_hash(),        \
                                                  .layout = perigee::plugin::layout_hash(),    \
                                                  .build = perigee::plugin::build_text(),      \
                                                  .make = [] { return make_stages(); },        \
                                                  .listen = &perigee::set_assertion_listener}; \
    return &exports;                                                                           \
  }

#define PERIGEE_GAME(Game)                              \
  static perigee::plugin::Stages perigee_only_stage() { \
    return {{"", std::make_shared<const Game>()}};      \
  }                                                     \
  PERIGEE_GAME_STAGES(perigee_only_stage)
