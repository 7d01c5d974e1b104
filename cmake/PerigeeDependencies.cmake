# Everything comes from Debian packages; `./perigee doctor` names the missing ones.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(LIBUV REQUIRED IMPORTED_TARGET libuv)

# Double precision; CMake's own FindBullet takes the float libraries. Its soft-body and Bullet3
# libraries are left out.
pkg_check_modules(BULLET REQUIRED bullet-float64)
add_library(perigee_bullet INTERFACE)
target_include_directories(perigee_bullet SYSTEM INTERFACE ${BULLET_INCLUDE_DIRS})
target_compile_options(perigee_bullet INTERFACE ${BULLET_CFLAGS_OTHER})
target_link_libraries(perigee_bullet INTERFACE BulletDynamics-float64 BulletCollision-float64 LinearMath-float64)

find_package(Protobuf REQUIRED)  # module mode, before gRPC
find_package(gRPC CONFIG REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(tomlplusplus CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_path(PERIGEE_TINYGLTF tiny_gltf.h REQUIRED)  # a header; perigee-level compiles it
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)  # heightmaps
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
pkg_check_modules(ICU REQUIRED IMPORTED_TARGET icu-uc)
pkg_check_modules(WEBSOCKETS REQUIRED IMPORTED_TARGET libwebsockets)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(LIBPQ REQUIRED IMPORTED_TARGET libpq)
if(PROJECT_IS_TOP_LEVEL)
  find_package(GTest CONFIG REQUIRED)
  include(GoogleTest)
  enable_testing()
endif()
