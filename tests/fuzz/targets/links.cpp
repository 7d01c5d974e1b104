// Two workers' links, and an attacker that is a third member of their map. The workers' bytes to
// each other arrive in pieces of any size, connections are cut, time passes. The attacker dials
// either worker and sends any bytes.
#include <map>
#include <memory>

#include "fuzz/fuzz.hpp"
#include "perigee/base/speaks.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::fuzz {
namespace {

using namespace peers;

enum Step : std::uint8_t { pass, dial, member, attack, say, cut, wait, steps };

constexpr std::size_t attacker = 0;  // the lowest slot, so that the others accept its hello

ClusterMap three_workers() {
  ClusterMap map;
  map.cluster_id = 5;
  for (const WorkerSlot slot : worker_slots(3)) {
    map.workers.push_back(
        {.slot = slot,
         .fabric = Address::v4(10, 0, 0, 1, static_cast<std::uint16_t>(40 + slot.number)),
         .alive = true,
         .incarnation = Incarnation{1}});
    map.regions.push_back({.region = RegionId{slot.number}, .epoch = Epoch{1}, .owner = slot});
  }
  return map;
}

/// As the attacker says it to the worker with that slot.
Bytes hello_to(std::size_t slot) {
  Bytes hello = bytes_of(as_bytes_of("peripee", 7));
  hello.push_back(static_cast<std::byte>('0' + workers_version));
  append(hello, std::uint32_t{5});
  append(hello, std::uint16_t{attacker});
  append(hello, static_cast<std::uint16_t>(slot));
  append(hello, std::uint32_t{1});
  append(hello, std::uint32_t{1});
  return hello;
}

struct Side final : Sockets {
  ConnectionId dial(const Address&) override { return dialled = ++made; }
  void write(ConnectionId to, Input bytes) override {
    PERIGEE_ASSERT(to != 0 && to <= made, "it writes to what there is");
    if (to == current) append(unread, bytes);
  }
  std::size_t unsent_bytes(ConnectionId) const override { return 0; }
  void close(ConnectionId which) override {
    if (which == current) current = 0;
    if (which == attacked) attacked = 0;
  }

  ConnectionId made = 0, dialled = 0;
  ConnectionId current = 0;              ///< the one to the other side
  ConnectionId attacked = 0;             ///< the attacker's newest one
  Bytes unread;                          ///< by the other side
  std::uint32_t sent = 0, received = 0;  ///< numbered messages
  std::unique_ptr<Core> core;
};

struct Pair {
  Micros now_us = 1;
  std::array<Side, 2> sides;  // slots 1 and 2

  static WorkerSlot slot_of(std::size_t side) { return WorkerSlot::at(side + 1); }
  Pair() {
    for (std::size_t i = 0; i < sides.size(); ++i) {
      Side& side = sides[i];
      const Side& other = sides[1 - i];
      side.core = std::make_unique<Core>(
          side, Core::Events{.message =
                                 [&side, &other](WorkerSlot from, Input message) {
                                   PERIGEE_ASSERT(!message.empty(), "a message has bytes");
                                   if (from.index() == attacker) return;
                                   std::uint32_t number = 0;
                                   PERIGEE_ASSERT(message.size() == sizeof number,
                                                  "messages come whole");
                                   std::memcpy(&number, message.data(), sizeof number);
                                   PERIGEE_ASSERT(number > side.received && number <= other.sent,
                                                  "only what was said, once and in order");
                                   side.received = number;
                                 },
                             .linked = {},
                             .lost = {}});
      side.core->on_map(now_us, three_workers(), slot_of(i));
    }
    connect();
  }
  void connect() {
    if (sides[0].dialled == 0) return;
    for (Side& side : sides) side.unread.clear();
    sides[0].current = std::exchange(sides[0].dialled, 0);
    sides[1].current = ++sides[1].made;
    sides[1].core->on_accepted(now_us, sides[1].current);
    sides[0].core->on_connected(now_us, sides[0].current);
  }
  /// The first bytes of what the other side has written.
  void receive(Side& side, Side& from, std::size_t size) {
    const Bytes piece(
        from.unread.begin(),
        from.unread.begin() + static_cast<std::ptrdiff_t>(std::min(size, from.unread.size())));
    from.unread.erase(from.unread.begin(),
                      from.unread.begin() + static_cast<std::ptrdiff_t>(piece.size()));
    if (side.current != 0 && !piece.empty()) side.core->on_bytes(now_us, side.current, piece);
  }
  void end() {
    for (Side& side : sides) {
      const ConnectionId id = std::exchange(side.current, 0);
      if (id != 0) side.core->on_closed(now_us, id);
    }
  }
  void call(Side& side) {
    side.attacked = ++side.made;
    side.core->on_accepted(now_us, side.attacked);
  }
  void say_to(Side& side, Input bytes) const {
    if (side.attacked != 0) side.core->on_bytes(now_us, side.attacked, bytes);
  }
  void step(Choices& choices) {
    const auto what = static_cast<Step>(choices.byte() % steps);
    const std::size_t at = choices.byte() % 2;
    Side& one = sides[at];
    Side& other = sides[1 - at];
    switch (what) {
      case pass:
        return receive(other, one, choices.byte() + std::size_t{1});
      case dial:
        return call(one);
      case member:
        call(one);
        return say_to(one, hello_to(slot_of(at).number));
      case attack:
        return say_to(one, choices.bytes());
      case say:
        ++one.sent;
        return one.core->send(now_us, slot_of(1 - at), std::as_bytes(std::span(&one.sent, 1)));
      case cut:
        return end();
      default:
        now_us += 10'000 * Micros{choices.byte()};
        for (Side& side : sides) side.core->advance(now_us);
        return connect();
    }
  }
};

void run(Input input) {
  Pair pair;
  Choices choices(input);
  while (!choices.empty()) pair.step(choices);
  for (const Side& side : pair.sides) {
    PERIGEE_ASSERT(side.core->links() <= 2, "one link for each pair");
  }
}

std::vector<Bytes> seeds() {
  const auto script = [](std::initializer_list<int> bytes) {
    Bytes out;
    for (const int b : bytes) out.push_back(static_cast<std::byte>(b));
    return out;
  };
  // Hello, welcome; then messages in both directions.
  const Bytes linked =
      script({pass, 0, 99, pass, 1, 99, say, 0, pass, 0, 4, pass, 0, 99, say, 1, pass, 1, 99});
  std::vector<Bytes> out{linked};
  Bytes strange = linked;
  append(strange, script({dial, 1, attack, 1}));
  append_sized(strange, as_bytes_of("peripee2, and more", 18));
  append(strange, script({cut, 0, wait, 0, 11, pass, 0, 99, pass, 1, 99, say, 0, pass, 0, 99}));
  out.push_back(strange);
  for (const std::string_view group :
       {std::string_view("\6\0\0\0\2\0\0\0ab", 10), std::string_view("\4\0\0\0\0\0\0\0", 8),
        std::string_view("\xff\xff\xff\xff", 4), std::string_view("\0\0\0\0", 4)}) {
    Bytes lying = linked;
    append(lying, script({member, 0, attack, 0}));
    append_sized(lying, as_bytes_of(group.data(), group.size()));
    append(lying, script({member, 0, say, 0, pass, 0, 99}));
    out.push_back(lying);
  }
  return out;
}

}  // namespace

const Target target{run, seeds};

}  // namespace perigee::fuzz
