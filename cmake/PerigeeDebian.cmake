# Debian packages of the components, by CPack: cpack --config build/release/CPackConfig.cmake
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime server dev)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The perigee developers <perigee@packages.debian.org>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libperigee-client-skiff1)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/triggers)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "client library of the game backend perigee
The client library for engines, with a C interface and the example game.
It predicts the player's own avatar with the same step as the server.")

set(CPACK_DEBIAN_SERVER_PACKAGE_NAME perigee-server)
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION net)
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "curl, jq, gawk | mawk")
set(CPACK_DEBIAN_SERVER_PACKAGE_RECOMMENDS prometheus)
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/conffiles)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_etc.cmake)
set(CPACK_PERIGEE_SETTINGS ${PROJECT_SOURCE_DIR}/deploy/systemd)
set(CPACK_COMPONENT_SERVER_DESCRIPTION "backend for fast, physics-based multiplayer games
The programs of a cluster: gateway, simulation workers, directory, session
service, console and bots; rooms, which need no cluster; and the command
perigee, which starts a cluster. Workers, rooms and bots load a game from a
library.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libperigee-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libperigee-client-skiff1 (= ${PROJECT_VERSION}), libbullet-dev, libsodium-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "perigee-server, cmake, pkg-config, g++, libsqlite3-dev, libssl-dev, libicu-dev, libpq-dev, libgtest-dev, libgmock-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libgrpc++-dev, libprotobuf-dev, libuv1-dev, libcurl4-openssl-dev, prometheus-cpp-dev, libcli11-dev, libtomlplusplus-dev, libspdlog-dev, nlohmann-json3-dev, \
clang-19, lld-19, llvm-19, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32, wasi-libc, dpkg-dev, nodejs, ninja-build")
set(CPACK_COMPONENT_DEV_DESCRIPTION "games and clients for perigee, development files
Headers and libraries to write a game, a client or a test on virtual time,
with packages for CMake and pkg-config, and the template of a game.")

file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
file(WRITE ${PROJECT_BINARY_DIR}/package/conffiles "/etc/perigee/perigee.toml\n/etc/perigee/rooms.toml\n")
string(TIMESTAMP date "%a, %d %b %Y 00:00:00 +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/package/changelog
"perigee (${PROJECT_VERSION}) unstable; urgency=medium

  * The changes are in CHANGELOG.md of the sources.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/package/changelog)
foreach(component RUNTIME SERVER DEV)
  string(TOLOWER ${component} lower)
  install(FILES deploy/debian/copyright ${PROJECT_BINARY_DIR}/package/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${component}_PACKAGE_NAME} COMPONENT ${lower})
endforeach()
# A room of headers alone is an empty library, so that all rooms are used in the same way.
foreach(component RUNTIME DEV)
  string(TOLOWER ${component} lower)
  set(package ${CPACK_DEBIAN_${component}_PACKAGE_NAME})
  install(FILES deploy/debian/${package}.overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
    RENAME ${package} COMPONENT ${lower})
endforeach()
include(CPack)
