/// Numbers that name something: strong types, so that one cannot stand where another is meant.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace perigee {

/// The base of each identifier. It is made from a number explicitly, and compared and ordered only
/// with identifiers of its own type. Bytes: `CursorTypes::id` writes the number.
template <class Self, std::unsigned_integral T>
struct Id {
  using Number = T;
  Number number = 0;

  constexpr Id() = default;
  explicit constexpr Id(Number value) : number(value) {}

  friend constexpr bool operator==(const Self& a, const Self& b) { return a.number == b.number; }
  friend constexpr auto operator<=>(const Self& a, const Self& b) { return a.number <=> b.number; }
  /// As a number, also if it has one byte. The caller includes <ostream>.
  friend std::ostream& operator<<(std::ostream& out, const Self& id) { return out << +id.number; }
};

/// One run of a worker process: number of the process under its name, counted from 1; 0: none. A
/// new incarnation has none of the state of the former one.
struct Incarnation : Id<Incarnation, std::uint32_t> {
  using Id::Id;
  constexpr Incarnation next() const { return Incarnation{number + 1}; }
};

/// Index of a worker in the map, 0 .. workers_max-1; stream 1 + slot carries its blocks.
struct WorkerSlot : Id<WorkerSlot, std::uint16_t> {
  using Id::Id;
  /// `index` must be less than 65,536.
  static constexpr WorkerSlot at(std::integral auto index) {
    return WorkerSlot{static_cast<std::uint16_t>(index)};
  }
  constexpr std::size_t index() const { return number; }
};

/// The first `count` slots, in order, for a range-based for.
class WorkerSlots {
 public:
  class Iterator {
   public:
    explicit constexpr Iterator(std::size_t index) : index_(index) {}
    constexpr WorkerSlot operator*() const { return WorkerSlot::at(index_); }
    constexpr Iterator& operator++() {
      ++index_;
      return *this;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::size_t index_;
  };

  explicit constexpr WorkerSlots(std::size_t count) : count_(count) {}
  constexpr Iterator begin() const { return Iterator{0}; }
  constexpr Iterator end() const { return Iterator{count_}; }

 private:
  std::size_t count_;
};
constexpr WorkerSlots worker_slots(std::size_t count) { return WorkerSlots{count}; }

/// Index of a gateway in the map, 0 .. gateways_max-1.
struct GatewaySlot : Id<GatewaySlot, std::uint16_t> {
  using Id::Id;
  /// `index` must be less than 65,536.
  static constexpr GatewaySlot at(std::integral auto index) {
    return GatewaySlot{static_cast<std::uint16_t>(index)};
  }
  constexpr std::size_t index() const { return number; }
};

/// A region of the map. Ids of regions that were merged are never used again.
struct RegionId : Id<RegionId, std::uint32_t> {
  using Id::Id;
  constexpr RegionId next() const { return RegionId{number + 1}; }
};

/// Grows with each change of the owner of a region, or of an incarnation's log; older ones are
/// refused. 0: before the first owner.
struct Epoch : Id<Epoch, std::uint32_t> {
  using Id::Id;
  constexpr Epoch& operator++() {
    ++number;
    return *this;
  }
  constexpr Epoch next() const { return Epoch{number + 1}; }
};

/// First of the entity handles that only one incarnation may grant. It names the incarnation in the
/// map, where it differs for all incarnations that may have entities.
struct HandleBase : Id<HandleBase, std::uint32_t> {
  using Id::Id;
};

/// Number of a block of entity handles. It names the incarnation that grants these handles, and the
/// log of that incarnation.
struct HandleBlock : Id<HandleBlock, std::uint32_t> {
  using Id::Id;
};

/// The block with this handle. All blocks of a cluster have `handle_count` handles.
constexpr HandleBlock block_of(std::uint32_t handle, std::uint32_t handle_count) {
  return HandleBlock{handle / handle_count};
}
constexpr HandleBlock block_of(HandleBase base, std::uint32_t handle_count) {
  return block_of(base.number, handle_count);
}
constexpr HandleBase base_of(HandleBlock block, std::uint32_t handle_count) {
  return HandleBase{block.number * handle_count};
}

}  // namespace perigee
