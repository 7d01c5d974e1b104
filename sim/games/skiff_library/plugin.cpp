// libperigee_game_skiff.so: the example game as any other game is one.
#include "perigee/skiff_library/stages.hpp"

PERIGEE_GAME_STAGES(perigee::skiff::stages)
