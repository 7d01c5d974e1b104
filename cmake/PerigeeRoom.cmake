# For sources that are compiled together: a local name may equal a name at the top of another file.
# After perigee_flags.
add_library(perigee_together INTERFACE)
target_compile_options(perigee_together INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)

# perigee_compile_together(target count [SEPARATE sources...]): with PERIGEE_TOGETHER, the compiler
# takes this many sources of the target at a time, so it reads their headers only once. The sources
# need different names, also in anonymous namespaces; SEPARATE names the exceptions.
function(perigee_compile_together target count)
  cmake_parse_arguments(TOGETHER "" "" "SEPARATE" ${ARGN})
  foreach(source ${TOGETHER_SEPARATE})
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      message(FATAL_ERROR "${target}: SEPARATE names ${source}, which does not exist")
    endif()
  endforeach()
  if(PERIGEE_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:perigee_together>)
    set_source_files_properties(${TOGETHER_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

add_custom_target(header_checks)

# perigee_room(name USES other_rooms... LIBS libraries... PUBLIC_LIBS libraries... SEPARATE sources... [COLD])
#
# One room = one static library `perigee_<name>` made of the sources in src/ and its folders, with three rules enforced
# by the build:
#   fence        only include/perigee/<name>/ is visible to the rooms that list it under USES;
#   headers      without PERIGEE_TOGETHER, every public header compiles on its own: the source of its name, in the
#                folder of its name, includes it first (tests/rooms checks that), and a header without such a source
#                is compiled alone;
#   link proof   the room links with nothing but what it declares here.
# SEPARATE names sources that are never compiled together with others, as paths in src/. COLD: takes
# little of the time of tests, so sanitized builds do not optimize it; gRPC's headers then take a third.
function(perigee_room name)
  cmake_parse_arguments(ROOM "COLD" "" "USES;LIBS;PUBLIC_LIBS;SEPARATE" ${ARGN})
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
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                       PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${uses} ${ROOM_PUBLIC_LIBS}
                                  PRIVATE $<BUILD_INTERFACE:perigee_flags> ${ROOM_LIBS})
  if(PERIGEE_COVERAGE)
    target_compile_options(${target} PRIVATE -fprofile-instr-generate)
  endif()
  list(TRANSFORM ROOM_SEPARATE PREPEND src/)
  perigee_compile_together(${target} 16 SEPARATE ${ROOM_SEPARATE})
  if(ROOM_COLD AND PERIGEE_SANITIZE AND NOT PERIGEE_SANITIZE MATCHES fuzzer)
    target_compile_options(${target} PRIVATE -O0)
  endif()

  if(check_sources AND NOT PERIGEE_TOGETHER)
    add_library(${target}_headers OBJECT ${check_sources})
    target_link_libraries(${target}_headers PRIVATE ${target} perigee_flags)
    target_compile_options(${target}_headers PRIVATE -O0 -g0)  # never run
    add_dependencies(header_checks ${target}_headers)
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

# perigee_compile_quickly(target): for code of tests that takes little of their time. With -Og and
# without lines for stack traces, g++ takes 30 % less time than with -O1 -g1.
function(perigee_compile_quickly target)
  if(PERIGEE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${target} PRIVATE -Og -g0)
  endif()
endfunction()

# One precompiled header for all tests: it costs as much as three of their files. It is valid only
# with identical flags, and some libraries add -pthread.
set(perigee_pch_for_ccache "$<IF:$<CXX_COMPILER_ID:GNU>,-fpch-preprocess,SHELL:-Xclang -fno-pch-timestamp>")
function(perigee_test_headers)
  if(NOT TARGET perigee_test_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tests/headers.cpp CONTENT "")
    add_library(perigee_test_headers OBJECT ${PROJECT_BINARY_DIR}/tests/headers.cpp)
    target_link_libraries(perigee_test_headers PRIVATE perigee_flags GTest::gmock GTest::gtest_main)
    target_precompile_headers(perigee_test_headers PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
    target_compile_options(perigee_test_headers PRIVATE "${perigee_pch_for_ccache}" -pthread)
    perigee_compile_quickly(perigee_test_headers)
  endif()
endfunction()

# perigee_test(name ROOMS rooms... LIBS libraries... [LABEL unit|system|process] [WHOLE] [HOT] [SEPARATE] [ONCE]): all
# *_test.cpp of this folder, compiled together unless SEPARATE says otherwise.
# WHOLE: all run in one process because they share expensive state; sanitized unit tests always do.
# HOT: most of the work is the tests' own, so they are optimized like release code. ONCE: sanitizers
# find all that a second run in the release build would, because the tests have no golden hash of a
# world and play equally much in both; `./perigee test` runs them only there, `--quick` and `--long`
# also in the release build.
function(perigee_test name)
  cmake_parse_arguments(TEST "WHOLE;HOT;SEPARATE;ONCE" "LABEL;TIMEOUT_S" "ROOMS;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${name} ${sources})
  set(rooms)
  foreach(room ${TEST_ROOMS})
    list(APPEND rooms perigee_${room})
  endforeach()
  target_link_libraries(${name} PRIVATE ${rooms} ${TEST_LIBS} perigee_flags GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  if(NOT TEST_SEPARATE)
    perigee_compile_together(${name} 32)
  endif()
  if(TEST_LABEL STREQUAL system AND PERIGEE_SANITIZE)  # much of the work is in headers that they use
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
    target_compile_options(${name} PRIVATE "${perigee_pch_for_ccache}" -pthread)
  elseif(NOT TEST_HOT)
    perigee_test_headers()
    perigee_compile_quickly(${name})
    target_precompile_headers(${name} REUSE_FROM perigee_test_headers)
    target_compile_options(${name} PRIVATE "${perigee_pch_for_ccache}" -pthread -Winvalid-pch)
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
  # A sanitized program takes longer to start than most unit tests take. ./perigee test has its time
  # limit, which depends on the length of the run.
  if(PERIGEE_SANITIZE AND TEST_LABEL STREQUAL unit)
    set(TEST_WHOLE ON)
    set(properties LABELS unit PROCESSORS ${processors} COST 4)
  endif()
  if(TEST_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ${properties})
    return()
  endif()
  if(TEST_ONCE AND NOT PERIGEE_SANITIZE)
    list(TRANSFORM properties REPLACE "^unit$" unit_once)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
  if(TEST_ONCE AND NOT PERIGEE_SANITIZE)
    perigee_run_once(${name})
  endif()
  perigee_long_timeout(${name} ${timeout_s})
endfunction()

# perigee_run_once(test): the target `all` is without it, `once_tests` builds it, and its tests have
# the label `unit_once`, also the failing one that ctest makes up for a program that is not built.
function(perigee_run_once test)
  set_target_properties(${test} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(once_tests ${test})
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${test}_once.cmake)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
if(NOT EXISTS "@CMAKE_CURRENT_BINARY_DIR@/@test@")
  set_tests_properties(@test@_NOT_BUILT PROPERTIES LABELS unit_once)
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
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

# perigee_release_only(test file): with sanitizers, only long runs play the tests that this file
# names: these have the label `long`, too. Unit tests run in two parts then, because a sanitized
# program of them is one test. The program may not be ONCE: the gate would not play these tests at all.
function(perigee_release_only test list)
  if(NOT PERIGEE_SANITIZE)
    get_target_property(once ${test} EXCLUDE_FROM_ALL)
    if(once)
      message(FATAL_ERROR "${test} is ONCE, so it cannot have ${list}")
    endif()
    return()
  endif()
  if(TEST ${test})
    file(STRINGS ${list} listed REGEX "^[^#]")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    list(JOIN listed ":" listed)
    set_property(TEST ${test} PROPERTY ENVIRONMENT GTEST_FILTER=-${listed})
    add_test(NAME ${test}_release_only COMMAND ${test} --gtest_filter=${listed})
    get_test_property(${test} PROCESSORS processors)
    set_tests_properties(${test}_release_only PROPERTIES LABELS "unit;long" PROCESSORS ${processors})
    return()
  endif()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${test}_release_only.cmake)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
file(STRINGS "@list@" listed)
foreach(each IN LISTS @test@_TESTS)
  string(REGEX REPLACE " +#.*" "" name "${each}")
  list(FIND listed "${name}" at)
  if(NOT at EQUAL -1)
    set_tests_properties("${each}" PROPERTIES LABELS "system;long")
  endif()
endforeach()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()
