#include "perigee/replay/crash_report.hpp"

#include <array>

#include "file_codec.hpp"
#include "perigee/base/input_codec.hpp"
#include "perigee/replay/step_codec.hpp"

namespace perigee::replay {
namespace {

constexpr std::array magic{'p', 'e', 'r', 'i', 'g', 'e', 'e', ' ', 'l',  'a',
                           's', 't', ' ', 'w', 'o', 'r', 'd', 's', '\n', '\x1a'};

template <class Cursor, class P>
bool walk_player(Cursor& cursor, P& player) {
  return cursor.number(player.client_id) && cursor.number(player.session) &&
         cursor.number(player.avatar) && cursor.number(player.parent) &&
         walk_state(cursor, player.state) && walk_game(cursor, player.game) &&
         cursor.number(player.delay_ticks) &&
         walk_counted<std::uint8_t>(cursor, player.inputs, CrashReport::inputs_max,
                                    [&](auto& input) { return walk_input(cursor, input); });
}

template <class Cursor, class W>
bool walk_report(Cursor& cursor, W& report) {
  return walk_text(cursor, report.game) && cursor.number(report.schema_hash) &&
         walk_text(cursor, report.build) && cursor.number(report.cluster_id) &&
         cursor.id(report.slot) && cursor.id(report.incarnation) && cursor.tick(report.tick) &&
         cursor.tick(report.written) && cursor.enumerator(report.fate, Fate::last) &&
         walk_input_fields(cursor, report.input_fields) &&
         walk_counted<std::uint16_t>(cursor, report.players, CrashReport::players_max,
                                     [&](auto& player) { return walk_player(cursor, player); });
}

}  // namespace

bool begins_as_crash_report(std::span<const std::byte> bytes) {
  const auto begin = std::as_bytes(std::span(magic));
  return bytes.size() >= begin.size() && std::equal(begin.begin(), begin.end(), bytes.begin());
}

std::vector<std::byte> write_crash_report(const CrashReport& report) {
  return written(crash_report_bytes_max, [&](ByteWriter& writer) {
    return writer.copy(std::as_bytes(std::span(magic))) && writer.number(crash_report_version) &&
           walk_report(writer, report);
  });
}

Result<CrashReport> read_crash_report(std::span<const std::byte> bytes) {
  if (!begins_as_crash_report(bytes)) {
    return Error{"not a crash report of a worker's players: the file begins otherwise"};
  }
  ByteReader reader(bytes.subspan(magic.size()));
  std::uint16_t version = 0;
  if (reader.number(version) && version != crash_report_version) {
    return Error{"the crash report has version " + std::to_string(version) +
                 ", this program reads version " + std::to_string(crash_report_version) +
                 "; use the version of perigee that wrote it"};
  }
  CrashReport report;
  if (!walk_report(reader, report) || !reader.at_end()) {
    return Error{"the crash report is truncated or damaged: invalid at byte " +
                 std::to_string(magic.size() + reader.position()) + " of " +
                 std::to_string(bytes.size())};
  }
  return report;
}

}  // namespace perigee::replay
