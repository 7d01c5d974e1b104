# Bullet in double precision and the parts of libsodium that a client uses, from Debian's sources. For the
# browser's module and for client/library.
# Rooms get them under the names of cmake/PerigeeDependencies.cmake.
set(bullet ${DEBIAN_SOURCES}/bullet/src)
set(sodium ${DEBIAN_SOURCES}/libsodium/src/libsodium)

add_library(bullet STATIC
  ${bullet}/btLinearMathAll.cpp ${bullet}/btBulletCollisionAll.cpp ${bullet}/btBulletDynamicsAll.cpp)
target_include_directories(bullet SYSTEM PUBLIC ${bullet})
target_compile_definitions(bullet PUBLIC BT_USE_DOUBLE_PRECISION)
target_compile_options(bullet PRIVATE -w -ffp-contract=off -fno-fast-math)
add_library(perigee_bullet INTERFACE)
target_link_libraries(perigee_bullet INTERFACE bullet)

set(VERSION 1.0.18)
set(SODIUM_LIBRARY_VERSION_MAJOR 10)
set(SODIUM_LIBRARY_VERSION_MINOR 3)
configure_file(${sodium}/include/sodium/version.h.in ${CMAKE_BINARY_DIR}/sodium/sodium/version.h @ONLY)
add_library(sodium STATIC
  ${CMAKE_CURRENT_LIST_DIR}/sodium_init.c
  ${sodium}/crypto_aead/chacha20poly1305/sodium/aead_chacha20poly1305.c
  ${sodium}/crypto_aead/xchacha20poly1305/sodium/aead_xchacha20poly1305.c
  ${sodium}/crypto_core/hchacha20/core_hchacha20.c
  ${sodium}/crypto_onetimeauth/poly1305/donna/poly1305_donna.c
  ${sodium}/crypto_onetimeauth/poly1305/onetimeauth_poly1305.c
  ${sodium}/crypto_shorthash/siphash24/ref/shorthash_siphash24_ref.c
  ${sodium}/crypto_stream/chacha20/ref/chacha20_ref.c
  ${sodium}/crypto_stream/chacha20/stream_chacha20.c
  ${sodium}/crypto_verify/sodium/verify.c
  ${sodium}/sodium/utils.c)
if(WIN32)  # its linker wants what a room's functions call that are then left out
  target_sources(sodium PRIVATE
    ${sodium}/crypto_generichash/crypto_generichash.c
    ${sodium}/crypto_generichash/blake2b/ref/blake2b-compress-ref.c
    ${sodium}/crypto_generichash/blake2b/ref/blake2b-ref.c
    ${sodium}/crypto_generichash/blake2b/ref/generichash_blake2b.c
    ${sodium}/crypto_kdf/blake2b/kdf_blake2b.c
    ${sodium}/crypto_kdf/crypto_kdf.c
    ${sodium}/crypto_shorthash/crypto_shorthash.c
    ${sodium}/crypto_shorthash/siphash24/shorthash_siphash24.c)
endif()
target_include_directories(sodium SYSTEM PUBLIC
  ${sodium}/include ${sodium}/include/sodium ${CMAKE_BINARY_DIR}/sodium ${CMAKE_BINARY_DIR}/sodium/sodium)
target_compile_definitions(sodium PRIVATE CONFIGURED=1 _WASI_EMULATED_SIGNAL) # declares raise(), which is not called
target_compile_options(sodium PRIVATE -w)
add_library(PkgConfig::SODIUM ALIAS sodium)
