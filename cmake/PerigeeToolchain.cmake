# Compiler flags of every target. Floating point is part of the contract: the same inputs give the
# same bits on worker, client and replay, so contraction and fast-math stay off.
option(PERIGEE_TOGETHER "Compile many sources at a time: half the time for everything, more for one changed source" ON)
set(PERIGEE_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")  # no -DNDEBUG: assertions hold in release, too
  set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
endif()

add_library(perigee_flags INTERFACE)
target_compile_options(perigee_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror
  -Wno-missing-field-initializers  # noise with designated initialisers on g++ 12
  -ffp-contract=off -fno-fast-math)

if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # libstdc++ 12 uses functions that it deprecates; braces as g++ wants them
  target_compile_options(perigee_flags INTERFACE -Wno-deprecated-declarations -Wno-missing-braces)
endif()

if(PERIGEE_SANITIZE)
  add_compile_options(-fsanitize=${PERIGEE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
  add_link_options(-fsanitize=${PERIGEE_SANITIZE})
  # g++ 12 warns about its own library's internals once sanitizers change the inlining.
  target_compile_options(perigee_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-array-bounds>)
  # ASan reports what these checks would find as soon as such a pointer is used, and they cost a third of the time to compile.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND PERIGEE_SANITIZE MATCHES address AND NOT PERIGEE_SANITIZE MATCHES fuzzer)
    add_compile_options(-fno-sanitize=null,object-size,pointer-overflow -fsanitize-address-use-after-return=never)
  endif()
endif()

# The rooms record which of their code runs; tests do not. tools/coverage reads it.
option(PERIGEE_COVERAGE "Record which code of the rooms is executed; needs clang" OFF)
if(PERIGEE_COVERAGE)
  add_link_options(-fprofile-instr-generate)
endif()

# g++ collects garbage from 128 MB on; from 512 MB on, it takes a tenth less time for a room.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)

find_program(PERIGEE_CCACHE ccache)
if(PERIGEE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${PERIGEE_CCACHE})
endif()
find_program(PERIGEE_MOLD mold)
if(PERIGEE_MOLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()
