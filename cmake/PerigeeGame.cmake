# perigee_game(name sources...): a game as a library that perigee-sim --game and the other programs
# load, libNAME.so. One of the sources has the line PERIGEE_GAME(Game). The library exports its own
# function alone: its copy of perigee's code never replaces, and is never replaced by, the program's.
function(perigee_game name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE perigee::game -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# perigee_engine_library(name sources...): the client library with a game inside, for engines
# (docs/use_from_c.md). One of the sources defines perigee_client_create() by
# perigee::client::create_handle<Game>. Only the functions of perigee_client.h are exported.
function(perigee_engine_library name)
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/engine_exports.map)
  add_library(${name} SHARED ${ARGN})
  target_link_libraries(${name} PRIVATE perigee::client perigee::game -Wl,--version-script=${exports})
  if(NOT (PERIGEE_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang)) # clang links its runtime with programs only
    target_link_libraries(${name} PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(${name} PROPERTIES SOVERSION 1 LINK_DEPENDS ${exports})
endfunction()
