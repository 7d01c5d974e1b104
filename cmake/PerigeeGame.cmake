# perigee_game(name sources...): a game as a library that perigee-sim --game and the other programs
# load, libNAME.so. One of the sources has the line PERIGEE_GAME(Game). The library exports its own
# function alone: its copy of perigee's code never replaces, and is never replaced by, the program's.
function(perigee_game name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE perigee::game -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
