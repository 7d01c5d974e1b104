# perigee_room(name USES other_rooms... LIBS libraries... PUBLIC_LIBS libraries... SEPARATE sources...)
#
# One room = one static library `perigee_<name>` made of the sources in src/ and its folders, with three rules enforced
# by the build:
#   fence        only include/perigee/<name>/ is visible to the rooms that list it under USES;
#   headers      every public header compiles on its own: the source of its name, in the folder of its name, includes
#                it first (tests/rooms checks that), and a header without such a source is compiled alone;
#   link proof   the room links with nothing but what it declares here.
# Sanitized builds compile eight sources at a time, which takes half as long; SEPARATE names the
# sources that define a name of another one, as paths in src/; `all` means all.
function(perigee_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBS;PUBLIC_LIBS;SEPARATE" ${ARGN})
  set(target perigee_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/include
       ${CMAKE_CURRENT_SOURCE_DIR}/include/perigee/${name}/*.hpp)

  set(check_sources)
  foreach(header ${headers})
    string(REGEX REPLACE "^perigee/${name}/(.*)\\.hpp$" "\\1" own ${header})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/src/${own}.cpp)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER ${header} id)
    set(check ${CMAKE_CURRENT_BINARY_DIR}/header_check/${id}.cpp)
    file(CONFIGURE OUTPUT ${check} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND check_sources ${check})
  endforeach()

  set(uses)
  foreach(room ${ROOM_USES})
    list(APPEND uses perigee_${room})
  endforeach()

  if(sources)
    add_library(${target} STATIC ${sources})
  else()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp CONTENT "")
    add_library(${target} STATIC ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp)
  endif()
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include
                                       PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${uses} ${ROOM_PUBLIC_LIBS} PRIVATE perigee_flags ${ROOM_LIBS})
  foreach(source ${ROOM_SEPARATE})
    if(NOT source STREQUAL all AND NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/src/${source})
      message(FATAL_ERROR "room ${name}: SEPARATE names ${source}, which src/ does not have")
    endif()
  endforeach()
  if(PERIGEE_SANITIZE AND NOT ROOM_SEPARATE STREQUAL all)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    target_link_libraries(${target} PRIVATE perigee_together)
    list(TRANSFORM ROOM_SEPARATE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/src/)
    set_source_files_properties(${ROOM_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()

  if(check_sources)
    add_library(${target}_headers OBJECT ${check_sources})
    target_link_libraries(${target}_headers PRIVATE ${target} perigee_flags)
    target_compile_options(${target}_headers PRIVATE -O0 -g0)  # never run
  endif()

  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/link_proof.cpp CONTENT "int main() {}\n")
  add_executable(${target}_link_proof ${CMAKE_CURRENT_BINARY_DIR}/link_proof.cpp)
  target_link_libraries(${target}_link_proof PRIVATE
    -Wl,--whole-archive $<TARGET_FILE:${target}> -Wl,--no-whole-archive
    ${uses} ${ROOM_LIBS} ${ROOM_PUBLIC_LIBS})
  add_dependencies(${target}_link_proof ${target})
endfunction()

# perigee_timeout(variable seconds): how long a test may take in this build.
function(perigee_timeout variable seconds)
  if(PERIGEE_SANITIZE)  # as tests/process/slowness.hpp
    math(EXPR seconds "5 * ${seconds}")
  endif()
  set(${variable} ${seconds} PARENT_SCOPE)
endfunction()

# For sources that are compiled together: a local name may equal a name at the top of another file.
# After perigee_flags.
add_library(perigee_together INTERFACE)
target_compile_options(perigee_together INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)

# perigee_test(name ROOMS rooms... LIBS libraries... [LABEL unit|system|process] [WHOLE] [HOT] [SEPARATE]): all *_test.cpp
# of this folder. They are compiled eight at a time, which takes less than half the time, so what a
# test file defines needs a name that no other file of the folder uses. SEPARATE: one at a time.
# WHOLE: all run in one process because they share expensive state. HOT: most of the work is the
# tests' own, so they are optimized like release code. Other tests take a quarter less time to
# compile; sanitized unit and process tests less than half, for their own code is not optimized.
function(perigee_test name)
  cmake_parse_arguments(TEST "WHOLE;HOT;SEPARATE" "LABEL;TIMEOUT_S" "ROOMS;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${name} ${sources})
  set(rooms)
  foreach(room ${TEST_ROOMS})
    list(APPEND rooms perigee_${room})
  endforeach()
  target_link_libraries(${name} PRIVATE ${rooms} ${TEST_LIBS} perigee_flags GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  # One precompiled header for all tests: it costs as much as three of their files. It is valid only
  # with identical flags, and some libraries add -pthread.
  set(quickly $<$<CONFIG:Release>:-O1>)
  if(PERIGEE_SANITIZE)
    set(quickly -O0)
  endif()
  set(for_ccache "$<IF:$<CXX_COMPILER_ID:GNU>,-fpch-preprocess,SHELL:-Xclang -fno-pch-timestamp>")
  if(NOT TARGET perigee_test_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/headers.cpp CONTENT "")
    add_library(perigee_test_headers OBJECT ${PROJECT_BINARY_DIR}/tests/headers.cpp)
    target_link_libraries(perigee_test_headers PRIVATE perigee_flags GTest::gmock GTest::gtest_main)
    target_precompile_headers(perigee_test_headers PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
    target_compile_options(perigee_test_headers PRIVATE "${for_ccache}" -pthread ${quickly})
  endif()
  if(NOT TEST_SEPARATE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    target_link_libraries(${name} PRIVATE perigee_together)
  endif()
  if(TEST_LABEL STREQUAL system AND PERIGEE_SANITIZE)  # much of the work is in headers that they use
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
    target_compile_options(${name} PRIVATE "${for_ccache}" -pthread)
  elseif(NOT TEST_HOT)
    target_precompile_headers(${name} REUSE_FROM perigee_test_headers)
    target_compile_options(${name} PRIVATE "${for_ccache}" -pthread -Winvalid-pch ${quickly})
  endif()
  if(NOT TEST_LABEL)
    set(TEST_LABEL unit)
  endif()
  if(NOT TEST_TIMEOUT_S AND TEST_LABEL STREQUAL process)
    set(TEST_TIMEOUT_S 480)
  elseif(NOT TEST_TIMEOUT_S)
    set(TEST_TIMEOUT_S 120)
  endif()
  perigee_timeout(timeout_s ${TEST_TIMEOUT_S})
  # A process test waits more than it computes: it takes a quarter of a core, and counts a third
  # of another. ctest starts the most expensive first, so a long test does not run alone at the
  # end.
  set(processors 3)
  set(cost 1)
  if(TEST_LABEL STREQUAL process)
    add_dependencies(sanitized_process_tests ${name})
    set(cost 3)
    if(NOT PERIGEE_SANITIZE)
      set(processors 1)
    endif()
  else()
    add_dependencies(sanitized_tests ${name})
  endif()
  if(TEST_LABEL STREQUAL system)
    set(cost 2)
  endif()
  if(TEST_WHOLE)
    set(cost 4)
  endif()
  set(properties LABELS ${TEST_LABEL} TIMEOUT ${timeout_s} PROCESSORS ${processors} COST ${cost})
  if(TEST_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ${properties})
    return()
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
  perigee_long_timeout(${name} ${timeout_s})
endfunction()

# perigee_long_timeout(test seconds): with PERIGEE_TEST_LENGTH=long at run time, each test of that
# executable may take twelve times as long: 24 min instead of 2, two hours for system tests instead
# of 10 min.
function(perigee_long_timeout test seconds)
  math(EXPR seconds "12 * ${seconds}")
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${test}_long.cmake)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
if("$ENV{PERIGEE_TEST_LENGTH}" STREQUAL long)
  foreach(each IN LISTS @test@_TESTS)
    set_tests_properties("${each}" PROPERTIES TIMEOUT @seconds@)
  endforeach()
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()
