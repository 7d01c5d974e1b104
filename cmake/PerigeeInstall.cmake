# The installed tree, in components that are also the Debian packages:
#   runtime  the client library for engines
#   server   the programs of a cluster, and the command `perigee`
#   dev      headers, libraries, the CMake package, pkg-config files
# Three sets of targets, so that a game needs no gRPC on the machine where it is built:
# core (game, client, embed), testing, and processes (host, worker, bots, rooms).
include(CMakePackageConfigHelpers)

set(perigee_core_targets perigee_base perigee_transport perigee_migration perigee_bullet perigee_world perigee_level perigee_plugin
  perigee_replay perigee_replication perigee_worker perigee_client perigee_gateway perigee_directory perigee_embed perigee_rooms)
set(perigee_testing_targets perigee_fabric_seal perigee_purity perigee_skiff perigee_bots perigee_session perigee_world_store perigee_world_keeper
  perigee_lab perigee_test_bench)
set(perigee_processes_targets perigee_proto perigee_host perigee_tracing perigee_tracer perigee_flight_log perigee_game_library perigee_peers
  perigee_peer_links perigee_store_thread perigee_worker_process perigee_bots_process perigee_rooms_process)
set(perigee_programs perigee-gateway perigee-sim perigee-session perigee-directory perigee-console perigee-bots
  perigee-ctl perigee-replay perigee-lab perigee-level perigee-rooms)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/perigee)
foreach(set core testing processes)
  install(TARGETS ${perigee_${set}_targets} EXPORT perigee_${set}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/perigee COMPONENT dev
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT perigee_${set} NAMESPACE perigee:: FILE perigee_${set}.cmake
    DESTINATION ${package_dir} COMPONENT dev)
endforeach()
install(TARGETS perigee_client_skiff EXPORT perigee_engine
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT perigee_engine NAMESPACE perigee:: FILE perigee_engine.cmake DESTINATION ${package_dir} COMPONENT dev)
install(FILES $<TARGET_OBJECTS:perigee_bullet_math> DESTINATION ${CMAKE_INSTALL_LIBDIR}/perigee
  RENAME bullet_math.o COMPONENT dev)
install(TARGETS perigee_game_skiff LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/perigee COMPONENT server)
install(TARGETS ${perigee_programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT server)

# Pages of the manual, from what the programs print about themselves.
find_program(gzip gzip REQUIRED)
set(man_pages "")
foreach(program perigee ${perigee_programs})
  set(page ${PROJECT_BINARY_DIR}/package/${program}.1.gz)
  if(program STREQUAL perigee)
    set(command ${PROJECT_SOURCE_DIR}/perigee)
    set(needs perigee tools/shell/say.sh)
  else()
    set(command $<TARGET_FILE:${program}>)
    set(needs ${program})
  endif()
  add_custom_command(OUTPUT ${page} VERBATIM DEPENDS ${needs} tools/shell/man_page.awk tools/shell/installed_usage.sed
    COMMAND sh -c "\"$0\" --help >\"$2.txt\" && sed -E -f tools/shell/installed_usage.sed \"$2.txt\" | \
      awk -v name=${program} -v version=${PROJECT_VERSION} -f tools/shell/man_page.awk | \"$1\" -9n >\"$2\"" ${command} ${gzip} ${page}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  list(APPEND man_pages ${page})
endforeach()
add_custom_target(man_pages ALL DEPENDS ${man_pages})
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT server)

# Headers of the exported rooms; those of gRPC's generated code are of this build alone.
foreach(target ${perigee_core_targets} ${perigee_testing_targets} ${perigee_processes_targets})
  get_target_property(room ${target} SOURCE_DIR)
  foreach(folder include shell/include)
    if(IS_DIRECTORY ${room}/${folder})
      install(DIRECTORY ${room}/${folder}/perigee DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
    endif()
  endforeach()
endforeach()

# The command `perigee`, and what it needs.
set(share ${CMAKE_INSTALL_DATADIR}/perigee)
install(PROGRAMS perigee DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT server)
install(DIRECTORY tools/shell DESTINATION ${share}/tools COMPONENT server
  FILES_MATCHING PATTERN "*.sh" PATTERN "*.awk" PATTERN "*.sed" PATTERN "*_doc.sh" EXCLUDE)
install(DIRECTORY deploy/systemd/ DESTINATION lib/systemd/system COMPONENT server FILES_MATCHING PATTERN "*.service")
install(DIRECTORY deploy/prometheus DESTINATION ${share}/deploy COMPONENT server)
install(DIRECTORY sdk/python sdk/unity DESTINATION ${share}/sdk COMPONENT runtime
  PATTERN __pycache__ EXCLUDE PATTERN LICENSE EXCLUDE)  # a link of the checkout
foreach(sdk python unity)
  install(FILES LICENSE DESTINATION ${share}/sdk/${sdk} COMPONENT runtime)
endforeach()
install(DIRECTORY examples/first_game examples/hover_tag examples/levels DESTINATION ${share}/examples COMPONENT dev USE_SOURCE_PERMISSIONS)

# Games in browsers: the package, and the sources that a game's module is compiled of, in the folders of a
# checkout (decision 0115).
install(PROGRAMS client/browser/build.sh DESTINATION ${share}/client/browser COMPONENT dev)
install(FILES client/browser/package.json client/browser/README.md client/browser/serve.mjs DESTINATION ${share}/client/browser COMPONENT dev)
install(DIRECTORY client/browser/dist client/browser/node client/browser/module DESTINATION ${share}/client/browser COMPONENT dev
  PATTERN layout.cpp EXCLUDE)
foreach(room base transport sim/world sim/level sim/replay client)
  install(FILES ${room}/CMakeLists.txt DESTINATION ${share}/${room} COMPONENT dev)
  foreach(folder include src libm shell)
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${room}/${folder})
      install(DIRECTORY ${room}/${folder} DESTINATION ${share}/${room} COMPONENT dev)
    endif()
  endforeach()
endforeach()
install(FILES cmake/PerigeeToolchain.cmake cmake/PerigeeRoom.cmake DESTINATION ${share}/cmake COMPONENT dev)

configure_package_config_file(cmake/perigeeConfig.cmake.in ${PROJECT_BINARY_DIR}/package/perigeeConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/perigeeConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/perigeeConfig.cmake ${PROJECT_BINARY_DIR}/package/perigeeConfigVersion.cmake
  cmake/PerigeeGame.cmake cmake/level_source.cmake cmake/engine_exports.map DESTINATION ${package_dir} COMPONENT dev)

# pkg-config, for builds that do not use CMake. Its libraries in the order of linking.
function(perigee_pkg_config name description requires)
  set(libs "")
  file(RELATIVE_PATH to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  foreach(room ${ARGN})
    string(APPEND libs " -lperigee_${room}")
  endforeach()
  configure_file(cmake/perigee.pc.in ${PROJECT_BINARY_DIR}/package/perigee-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/perigee-${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()
perigee_pkg_config(game "a game for perigee" "" plugin level world base)
perigee_pkg_config(client "the client library of perigee" "perigee-game libsodium" client replay transport world base)
perigee_pkg_config(embed "a whole perigee server in a program" "perigee-client libsodium"
  embed directory gateway worker replication migration replay transport world base)

# Everything that is installed, and nothing else.
add_custom_target(installed)
add_dependencies(installed ${perigee_core_targets} ${perigee_testing_targets} ${perigee_processes_targets}
  ${perigee_programs} perigee_client_skiff perigee_game_skiff perigee_bullet_math man_pages)
