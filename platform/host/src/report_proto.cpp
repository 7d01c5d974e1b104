#include "perigee/host/report_proto.hpp"

#include <algorithm>

#include "directory.pb.h"

namespace perigee::host {
namespace v1 = directory::v1;

void write_report(const WorkerReport& report, v1::WorkerReport& message) {
  message.set_incarnation(report.incarnation.number);
  message.set_map_version(report.map_version);
  message.set_entities(report.entities);
  message.set_players(report.players);
  message.set_load_ms(report.load_ms);
  message.set_overhead_ms(report.overhead_ms);
  message.set_copies_ms(report.copies_ms);
  message.set_leaving(report.leaving);
  message.set_level(static_cast<v1::OverloadLevel>(report.level));
  message.set_tick_p99_ms(report.tick_p99_ms);
  message.set_late_ms(report.late_ms);
  message.set_pace_ms(report.pace_ms);
  message.set_largest_island_ms(report.largest_island_ms);
  message.set_standby_word(report.standby_word);
  for (const HandleBlock block : report.handle_blocks) message.add_handle_blocks(block.number);
  for (const CellCost& from : report.cells) {
    v1::CellCost& to = *message.add_cells();
    to.set_x(from.cell[0]);
    to.set_y(from.cell[1]);
    to.set_z(from.cell[2]);
    to.set_ms(from.ms);
  }
  for (const RegionThings& from : report.regions) {
    v1::RegionThings& to = *message.add_regions();
    to.set_region(from.region.number);
    to.set_entities(from.entities);
  }
  const auto write = [](const WorkerIncarnation& from, v1::WorkerIncarnation& to) {
    to.set_slot(from.slot.number);
    to.set_incarnation(from.incarnation.number);
  };
  if (report.in_sync_with) write(*report.in_sync_with, *message.mutable_in_sync_with());
  for (const WorkerIncarnation& from : report.suspects) write(from, *message.add_suspects());
}

WorkerReport read_report(const v1::WorkerReport& message) {
  WorkerReport report{
      .incarnation = Incarnation{message.incarnation()},
      .map_version = message.map_version(),
      .entities = message.entities(),
      .players = message.players(),
      .load_ms = message.load_ms(),
      .overhead_ms = message.overhead_ms(),
      .copies_ms = message.copies_ms(),
      .leaving = message.leaving(),
      .standby_word = message.standby_word(),
      // An invalid level stays invalid and is rejected.
      .level = static_cast<OverloadLevel>(std::clamp(static_cast<int>(message.level()), 0, 255)),
      .tick_p99_ms = message.tick_p99_ms(),
      .late_ms = message.late_ms(),
      .pace_ms = message.pace_ms(),
      .largest_island_ms = message.largest_island_ms()};
  report.handle_blocks.reserve(static_cast<std::size_t>(message.handle_blocks_size()));
  for (const std::uint32_t block : message.handle_blocks()) {
    report.handle_blocks.emplace_back(block);
  }
  for (const v1::CellCost& from : message.cells()) {
    report.cells.push_back({{from.x(), from.y(), from.z()}, from.ms()});
  }
  for (const v1::RegionThings& from : message.regions()) {
    report.regions.push_back({RegionId{from.region()}, from.entities()});
  }
  const auto read = [](const v1::WorkerIncarnation& from) {
    return WorkerIncarnation{WorkerSlot::at(std::min<std::uint32_t>(from.slot(), 65'535)),
                             Incarnation{from.incarnation()}};  // 255 is not a valid slot
  };
  if (message.has_in_sync_with()) report.in_sync_with = read(message.in_sync_with());
  for (const v1::WorkerIncarnation& from : message.suspects())
    report.suspects.push_back(read(from));
  return report;
}

}  // namespace perigee::host
