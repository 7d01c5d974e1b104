/// The whole example game has the same bits with every compiler and on every processor. In
/// WebAssembly: tests/process/browser.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "unit/skiff/same_bits_scene.hpp"

namespace perigee::skiff {
namespace {

TEST(SameBits, AreThoseOfEveryCompiler) {
  EXPECT_EQ(SameBitsScene().play(), SameBitsScene::expected_hash);
}

// glibc has other functions for processors without these instructions. Without our own sin, cos and
// atan2 below Bullet the worlds differ after 150 ticks.
TEST(SameBits, AreThoseOfAProcessorWithoutFusedMultiplyAdd) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4 '" + self +
                              "' --gtest_filter=SameBits.AreThoseOfEveryCompiler";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace perigee::skiff
