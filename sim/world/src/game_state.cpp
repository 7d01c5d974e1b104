#include "perigee/world/game_state.hpp"

namespace perigee::world {

const GameStateCodec& no_game_state() {
  static const GameStateCodec codec = codec_of<NoGameState>();
  return codec;
}

}  // namespace perigee::world
