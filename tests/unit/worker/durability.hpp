/// Workers with their outcomes and checkpoint parts collected, and workers restored from them.
#pragma once

#include <gtest/gtest.h>

#include "crowd.hpp"

namespace perigee::worker {

inline constexpr Tick at_checkpoint{7200};
using Parts = std::vector<Bytes>;

inline PlayerInput press(Tick tick, std::uint8_t button, std::uint16_t yaw = 0,
                         std::int16_t pitch = 0) {
  PlayerInput input{.tick = tick, .yaw = yaw, .pitch = pitch};
  input.view_age = 6 * 16;
  input.samples.push_back({.pressed = button});
  return input;
}

inline ClusterMap to_restore(ClusterMap map) {
  for (RegionEntry& region : map.regions) {
    ++region.epoch;
    region.created_epoch = region.epoch;
    region.from_checkpoint = true;
  }
  for (WorkerEntry& worker : map.workers) {
    worker.incarnation = worker.incarnation.next();
    worker.handle_base.number += 10 * worker.handle_count;
  }
  ++map.version;
  return map;
}

/// A restored worker.
struct Successor {
  ClusterMap map;
  Settings settings;
  std::vector<CheckpointPart> parts;
  std::unique_ptr<Core> core;
  std::vector<std::pair<Address, Bytes>> sent;

  Successor(const world::GameModule& game, const ClusterMap& with,
            const std::optional<WholeCheckpoint>& checkpoint, Tick start,
            WorkerSlot slot = WorkerSlot{0})
      : map(with), settings(without_claims()) {
    core = std::make_unique<Core>(settings, game, slot,
                                  [this](const Address& to, std::span<const std::byte> bytes) {
                                    sent.emplace_back(to, Bytes(bytes.begin(), bytes.end()));
                                  });
    core->outputs.to_checkpoint = [this](CheckpointPart part) { parts.push_back(std::move(part)); };
    core->on_map(map, start);
    EXPECT_TRUE(core->awaits_checkpoint());
    EXPECT_FALSE(core->ready());
    core->restore(checkpoint, start);
  }
  void receive(const Address& from, FabricSender kind, std::uint8_t slot, const auto& record) {
    Bytes out(fabric_datagram_bytes_max);
    FabricWriter writer(out, {map.cluster_id, kind, slot, 0});
    ASSERT_TRUE(writer.add(record));
    core->on_fabric({core->next_tick().count << 8}, from, writer.datagram());
  }
};

struct Durability : testing::Test {
  std::vector<OutcomeRow> rows;
  std::vector<CheckpointPart> parts;

  void store(Bench& bench) {
    bench.core->outputs.to_store = [this](const OutcomeRow& row) { rows.push_back(row); };
    bench.core->outputs.to_checkpoint = [this](CheckpointPart part) {
      parts.push_back(std::move(part));
    };
  }
  static void tick_to(Bench& bench, Tick tick) {
    while (before(bench.core->next_tick(), tick)) bench.tick();
  }
  /// The newest part alone, with the journal's entries.
  WholeCheckpoint checkpoint(const world::GameModule& game) const {
    auto joined = join_parts(parts.back().tick, Parts{parts.back().bytes}, game);
    EXPECT_TRUE(joined.ok()) << joined.error().message;
    WholeCheckpoint out = std::move(joined).value();
    for (const OutcomeRow& row : rows) {
      if (before(out.settled, row.entry.tick)) out.journal.push_back(row.entry);
    }
    return out;
  }
};

}  // namespace perigee::worker
