/// Timed events of the bots: their frames, and the packets that an impaired link delays. Bounded;
/// all memory is allocated at construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/link_simulator.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::bots {

struct Packet {
  Address peer;  ///< receiver or sender
  std::size_t size = 0;
  std::array<std::byte, 1500> storage;
  std::span<std::byte> bytes() { return std::span(storage).first(size); }
};

enum class Due : std::uint8_t { Frame, Up, Down };

class Schedule {
 public:
  /// Limit for the longest paths: half a second of both directions at 60 packets/s each, with a
  /// factor of two. 200 kB per bot.
  static constexpr std::size_t packets_per_bot = 128;

  explicit Schedule(std::uint32_t bots, std::size_t packets_each = packets_per_bot);
  /// As many as one bot has on that path at once, with a factor of two; all bots share the sum.
  static std::size_t packets_for(const std::optional<LinkPair>& link);

  void add_frame(Micros due_us, std::uint32_t bot);
  /// Keeps a copy. False: full; the packet is lost.
  bool add_packet(Micros due_us, Due way, std::uint32_t bot, const Address& peer,
                  std::span<const std::byte> bytes);
  /// Time of the earliest event.
  std::optional<Micros> next_us() const;

  struct Entry {
    Micros due_us = 0;
    std::uint64_t order = 0;  ///< order of arrival, for equal times
    Due what = Due::Frame;
    std::uint32_t bot = 0;
    std::uint32_t packet = 0;
  };
  /// Handles the due events, earliest first, at most `entries_max` of them. The packet (none for
  /// frames) is valid during the call of `handle(entry, packet)`.
  template <class Handle>
  void run(Micros now_us, std::size_t entries_max, Handle handle) {
    for (std::size_t i = 0; i < entries_max && !heap_.empty(); ++i) {
      if (heap_.front().due_us > now_us) return;
      const Entry entry = pop();
      const bool frame = entry.what == Due::Frame;
      handle(entry, frame ? nullptr : &packets_[entry.packet]);
      if (!frame) free_.push_back(entry.packet);
    }
  }

 private:
  void push(const Entry& entry);
  Entry pop();

  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_;
  std::vector<Entry> heap_;  ///< a heap with the earliest in front
  std::uint64_t order_ = 0;
};

}  // namespace perigee::bots
