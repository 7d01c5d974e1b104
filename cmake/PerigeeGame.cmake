# A missing symbol fails the build of the library, instead of the start of a program that loads it.
function(perigee_refuse_undefined name)
  if(NOT (PERIGEE_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang)) # clang links its runtime with programs only
    target_link_libraries(${name} PRIVATE -Wl,--no-undefined)
  endif()
endfunction()

# perigee_game(name sources...): a game as a library that perigee-sim --game and the other programs
# load, libNAME.so. One of the sources has the line PERIGEE_GAME(Game). The library exports its own
# function alone: its copy of perigee's code never replaces, and is never replaced by, the program's.
function(perigee_game name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE perigee::game -Wl,--exclude-libs,ALL)
  perigee_refuse_undefined(${name})
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
  perigee_refuse_undefined(${name})
  set_target_properties(${name} PROPERTIES SOVERSION 1 LINK_DEPENDS ${exports})
endfunction()

# perigee_level_source(target level.gltf): the target contains the bytes of the level, so that a client
# needs no file. A source of the target gets them by
#   #include "NAME_level.hpp"   // std::span<const std::byte> NAME_level();
# where NAME is that of the file. The build converts the file again after a change.
function(perigee_level_source target file)
  get_filename_component(from ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "perigee_level_source: '${name}' is no name for a function: rename ${file}")
  endif()
  set(converter perigee-level)
  if(NOT TARGET perigee-level)
    set(prefix ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../..)
    find_program(PERIGEE_LEVEL perigee-level HINTS ${prefix}/bin ${prefix}/../bin REQUIRED)
    set(converter ${PERIGEE_LEVEL})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/levels)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/level_source.cmake)
  file(CONFIGURE OUTPUT ${folder}/${name}_level.hpp @ONLY CONTENT "#pragma once

#include <cstddef>
#include <span>

std::span<const std::byte> @name@_level();
")
  add_custom_command(OUTPUT ${folder}/${name}_level.cpp
    COMMAND ${converter} make ${from} ${folder}/${name}.level
    COMMAND ${CMAKE_COMMAND} -DLEVEL=${folder}/${name}.level -DNAME=${name}
      -DSOURCE=${folder}/${name}_level.cpp -P ${script}
    DEPENDS ${from} ${script} ${converter} VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${name}_level.cpp)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
