#include "cipher.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "perigee/fabric_seal/seal.hpp"

namespace perigee::fabric_seal {
namespace {

TEST(TheTwoLibraries, MakeTheSameTags) {
  ASSERT_TRUE(init_crypto());
  if (library_for(FabricSealing::Tag) != Library::Sodium) {
    GTEST_SKIP() << "this processor has not the instructions that libsodium needs";
  }
  const FabricKeyBytes key{std::byte{7}};
  Cipher by_sodium(Direction::Seals, FabricSealing::Tag, key, Library::Sodium);
  Cipher by_openssl(Direction::Seals, FabricSealing::Tag, key, Library::OpenSsl);
  Cipher opens_by_sodium(Direction::Opens, FabricSealing::Tag, key, Library::Sodium);
  Cipher opens_by_openssl(Direction::Opens, FabricSealing::Tag, key, Library::OpenSsl);
  for (std::size_t size = 0; size <= 1'366; size = size < 100 ? size + 1 : size + 61) {
    const std::vector<std::byte> records(size, static_cast<std::byte>(size));
    std::vector<std::byte> one(sealed_header_bytes + size + tag_bytes);
    std::vector<std::byte> two = one;
    by_sodium.seal(size, records, one.data());
    by_openssl.seal(size, records, two.data());
    ASSERT_EQ(one, two) << size;
    EXPECT_TRUE(opens_by_openssl.open(size, one));
    EXPECT_TRUE(opens_by_sodium.open(size, two));
    EXPECT_FALSE(opens_by_openssl.open(size + 1, one));
    EXPECT_FALSE(opens_by_sodium.open(size + 1, two));
  }
}

}  // namespace
}  // namespace perigee::fabric_seal
