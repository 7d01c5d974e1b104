#include "perigee/base/wire_voxels.hpp"

#include "perigee/base/bytes.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee {
namespace {

template <class Cursor, class Report>
bool walk_report(Cursor& cursor, Report& report) {
  return cursor.number(report.has.patch) && cursor.number(report.has.chunk) &&
         cursor.number(report.has.version) && cursor.flag(report.lacks);
}

template <class Cursor, class Frame>
bool walk_chunks(Cursor& cursor, Frame& frame) {
  auto kind = ClientFrame::Chunks;
  auto count = static_cast<std::uint8_t>(frame.reports.size());
  if (!cursor.enumerator(kind, ClientFrame::last) || kind != ClientFrame::Chunks ||
      !cursor.number(frame.stream_epoch) || !cursor.number(count) || count == 0 ||
      count > ChunkFrame::reports_max) {
    return false;
  }
  if constexpr (Cursor::reading) frame.reports.resize(count);
  for (auto& report : frame.reports) {
    if (!walk_report(cursor, report)) return false;
  }
  return true;
}

}  // namespace

std::span<const std::byte> write_chunks(const ChunkFrame& frame, std::span<std::byte> out) {
  ByteWriter writer(out);
  return walk_chunks(writer, frame) ? writer.written() : std::span<const std::byte>{};
}

bool read_chunks(std::span<const std::byte> bytes, ChunkFrame& frame) {
  ByteReader reader(bytes);
  return walk_chunks(reader, frame) && reader.at_end();
}

}  // namespace perigee
