// Prints the hash of the scene that has the same bits everywhere; 1 if it is another one.
#include "unit/skiff/same_bits_scene.hpp"

#include <cinttypes>
#include <cstdio>

int main() {
  const std::uint64_t hash = perigee::skiff::SameBitsScene().play();
  std::printf("%016" PRIx64 "\n", hash);
  return hash == perigee::skiff::SameBitsScene::expected_hash ? 0 : 1;
}
