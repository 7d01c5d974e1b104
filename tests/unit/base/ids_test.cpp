// Identifiers: what must not compile, and their bytes.
#include "perigee/base/ids.hpp"

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <ostream>
#include <type_traits>
#include <vector>

#include "perigee/base/bytes.hpp"
#include "perigee/base/cluster_map.hpp"

namespace perigee {
namespace {

template <class... T>
struct Types {};
using Ids = Types<Incarnation, WorkerSlot, GatewaySlot, RegionId, Epoch, HandleBase, HandleBlock>;

/// `A` cannot stand where `B` is meant.
template <class A, class B>
constexpr bool apart = !std::is_convertible_v<A, B> && !std::is_constructible_v<B, A> &&
                       !std::is_assignable_v<B&, A> && !std::equality_comparable_with<A, B> &&
                       !requires(A a, B b) { a == b; } && !requires(A a, B b) { a < b; };

template <class A, class... B>
constexpr bool apart_from_others(Types<B...>) {
  return ((std::is_same_v<A, B> || apart<A, B>) && ...);
}
template <class... A>
constexpr bool all_apart(Types<A...> types) {
  return (apart_from_others<A>(types) && ...);
}
static_assert(all_apart(Ids{}), "identifiers of different things are different types");

/// A number becomes an identifier only by name, and an identifier no number.
template <class A>
constexpr bool explicit_only =
    !std::is_convertible_v<typename A::Number, A> && !std::is_convertible_v<int, A> &&
    std::is_constructible_v<A, typename A::Number> &&
    !std::is_convertible_v<A, typename A::Number> &&
    !std::is_constructible_v<typename A::Number, A> && !std::is_convertible_v<A, bool> &&
    !requires(void (&f)(A)) { f({1}); };
/// There is no arithmetic, nor a comparison with numbers.
template <class A>
constexpr bool no_number = !requires(A a) { a + 1U; } && !requires(A a) {
  a + a;
} && !requires(A a) { a / 2U; } && !requires(A a) { a == 1U; } && !requires(A a) { a < 1U; };
/// It costs no more than its number.
template <class A>
constexpr bool as_cheap_as_a_number =
    std::is_trivially_copyable_v<A> && sizeof(A) == sizeof(typename A::Number) &&
    alignof(A) == alignof(typename A::Number);

template <class... A>
constexpr bool all_strong(Types<A...>) {
  return ((explicit_only<A> && no_number<A> && as_cheap_as_a_number<A>) && ...);
}
static_assert(all_strong(Ids{}));

// Mix-ups of the three names of one run of a worker.
template <class Name>
constexpr bool names_a_failover =
    requires(const ClusterMap& map, Name name) { map.failover_record(name); };
static_assert(names_a_failover<HandleBase>);
static_assert(!names_a_failover<HandleBlock> && !names_a_failover<Incarnation>);
// A region's epoch is no region.
template <class Name>
constexpr bool names_a_region = requires(const ClusterMap& map, Name name) { map.region(name); };
static_assert(names_a_region<RegionId> && !names_a_region<Epoch> && !names_a_region<int>);

TEST(Ids, AreOrderedByTheirNumbers) {
  EXPECT_LT(Incarnation{1}, Incarnation{2});
  EXPECT_EQ(Incarnation{1}.next(), Incarnation{2});
  EXPECT_EQ(Incarnation{}, Incarnation{0});
}

TEST(Epochs, OnlyGrow) {
  Epoch epoch{7};
  EXPECT_EQ(++epoch, Epoch{8});
  EXPECT_GT(epoch, Epoch{7});
}

TEST(Ids, TakeTheBytesOfTheirNumbersOnTheWire) {
  std::array<std::byte, 4> as_id{}, as_number{};
  ByteWriter id_writer(as_id), number_writer(as_number);
  const HandleBlock block{0x1234};
  EXPECT_TRUE(id_writer.id(block));
  EXPECT_TRUE(number_writer.number(std::uint32_t{0x1234}));
  EXPECT_EQ(as_id, as_number);
  ByteReader reader(as_id);
  HandleBlock read;
  EXPECT_TRUE(reader.id(read));
  EXPECT_EQ(read, block);
  EXPECT_FALSE(reader.id(read)) << "the bytes have ended";
}

TEST(WorkerSlots, AreTheFirstOnesInOrder) {
  std::vector<WorkerSlot> all;
  for (const WorkerSlot slot : worker_slots(3)) all.push_back(slot);
  EXPECT_EQ(all, (std::vector{WorkerSlot{0}, WorkerSlot{1}, WorkerSlot{2}}));
  EXPECT_EQ(worker_slots(0).begin(), worker_slots(0).end());
}

TEST(Ids, AreShownAsNumbers) { EXPECT_EQ(testing::PrintToString(HandleBase{4096}), "4096"); }

TEST(HandleBlocks, StartAtTheirFirstHandle) {
  constexpr std::uint32_t count = 1U << 20;
  EXPECT_EQ(base_of(HandleBlock{3}, count), HandleBase{3U << 20});
  EXPECT_EQ(block_of(HandleBase{3U << 20}, count), HandleBlock{3});
  EXPECT_EQ(block_of((3U << 20) + 77, count), HandleBlock{3}) << "a handle within it";
  EXPECT_EQ((WorkerEntry{.handle_base = HandleBase{200}, .handle_count = 100}).block(),
            HandleBlock{2});
}

}  // namespace
}  // namespace perigee
