// Two workers' links, with an attacker between and next to them: bytes are passed on, changed,
// dropped, duplicated, made up; connections are cut, time passes.
#include <deque>
#include <map>
#include <memory>

#include "fuzz/fuzz.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::fuzz {
namespace {

using namespace peers;

enum Step : std::uint8_t { pass, flip, leave_out, repeat, inject, stranger, say, cut, wait, steps };

ClusterMap two_workers() {
  ClusterMap map;
  map.cluster_id = 5;
  for (const WorkerSlot slot : worker_slots(2)) {
    map.workers.push_back(
        {.slot = slot,
         .fabric = Address::v4(10, 0, 0, 1, static_cast<std::uint16_t>(40 + slot.number)),
         .alive = true,
         .incarnation = Incarnation{1}});
    map.regions.push_back({.region = RegionId{slot.number}, .epoch = Epoch{1}, .owner = slot});
  }
  return map;
}

struct Side final : Sockets {
  ConnectionId dial(const Address&) override { return dialled = ++made; }
  void write(ConnectionId to, Input bytes) override {
    PERIGEE_ASSERT(to <= made, "it writes to what there is");
    if (to == current) unread.push_back(bytes_of(bytes));
  }
  std::size_t unsent_bytes(ConnectionId) const override { return 0; }
  void close(ConnectionId which) override {
    if (which == current) current = 0;
  }

  ConnectionId made = 0, dialled = 0, current = 0;  ///< current: the one to the other side
  std::deque<Bytes> unread;
  std::uint32_t sent = 0, received = 0;  ///< numbered messages
  std::unique_ptr<Core> core;
};

struct Pair {
  Micros now_us = 1;
  std::array<Side, 2> sides;

  Pair() {
    for (const WorkerSlot slot : worker_slots(2)) {
      Side& side = sides[slot.index()];
      side.core = std::make_unique<Core>(
          Keys{}, seeded(slot.number), side,
          Core::Events{.message =
                           [&side, this](WorkerSlot from, Input word) {
                             std::uint32_t number = 0;
                             PERIGEE_ASSERT(word.size() == sizeof number, "words come whole");
                             std::memcpy(&number, word.data(), sizeof number);
                             PERIGEE_ASSERT(
                                 number > side.received && number <= sides[from.index()].sent,
                                 "only what was said, once and in order");
                             side.received = number;
                           },
                       .linked = {},
                       .lost = {}});
      side.core->on_map(now_us, two_workers(), slot);
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
  void receive(Side& side, Input bytes) {
    if (side.current != 0 && !bytes.empty()) side.core->on_bytes(now_us, side.current, bytes);
  }
  void end() {
    for (Side& side : sides) {
      const ConnectionId id = std::exchange(side.current, 0);
      if (id != 0) side.core->on_closed(now_us, id);
    }
  }
  void step(Choices& choices) {
    const auto what = static_cast<Step>(choices.byte() % steps);
    const std::size_t from = choices.byte() % 2;
    Side& speaker = sides[from];
    Side& listener = sides[1 - from];
    if (what == inject) return receive(listener, choices.bytes());
    if (what == stranger) {
      const ConnectionId id = ++listener.made;
      listener.core->on_accepted(now_us, id);
      return listener.core->on_bytes(now_us, id, choices.bytes());
    }
    if (what == say) {
      ++speaker.sent;
      return speaker.core->send(now_us, WorkerSlot::at(1 - from),
                                std::as_bytes(std::span(&speaker.sent, 1)));
    }
    if (what == cut) return end();
    if (what == wait) {
      now_us += 10'000 * Micros{choices.byte()};
      for (Side& side : sides) side.core->advance(now_us);
      return connect();
    }
    if (speaker.unread.empty()) return;
    Bytes bytes = std::move(speaker.unread.front());
    speaker.unread.pop_front();
    if (what == leave_out) return;
    if (what == flip)
      bytes[choices.below(static_cast<std::uint32_t>(bytes.size()))] ^= std::byte{4};
    receive(listener, bytes);
    if (what == repeat) receive(listener, bytes);
  }
};

void run(Input input) {
  static const bool crypto = init_crypto().ok();
  PERIGEE_ASSERT(crypto, "libsodium starts");
  Pair pair;
  Choices choices(input);
  while (!choices.empty()) pair.step(choices);
  for (const Side& side : pair.sides) {
    PERIGEE_ASSERT(side.core->links() <= 1, "one link for each pair");
  }
}

std::vector<Bytes> seeds() {
  const auto script = [](std::initializer_list<int> bytes) {
    Bytes out;
    for (const int b : bytes) out.push_back(static_cast<std::byte>(b));
    return out;
  };
  // Hello, welcome, first frame; then messages in both directions, and faults.
  const Bytes linked = script({pass, 0, pass, 1, pass, 0, say, 0, pass, 0, say, 1, pass, 1});
  std::vector<Bytes> out{linked};
  for (const int what : {flip, leave_out, repeat}) {
    Bytes bent = linked;
    append(bent, script({say, 0, what, 0, 7, 0, say, 0, pass, 0, wait, 0, 20, pass, 0, pass, 1}));
    out.push_back(bent);
  }
  Bytes strange = linked;
  append(strange, script({stranger, 0}));
  append_sized(strange, as_bytes_of("peripee2, and more", 18));
  append(strange, script({cut, 0, wait, 0, 11, pass, 0, pass, 1, pass, 0, say, 0, pass, 0}));
  out.push_back(strange);
  return out;
}

}  // namespace

const Target target{run, seeds};

}  // namespace perigee::fuzz
