#include "records.hpp"

#include <array>

namespace hover_tag {

using namespace perigee;

namespace {

constexpr std::size_t record_bytes_max = 64;
using RecordBytes = FixedVector<std::byte, record_bytes_max>;

template <class Record>
RecordBytes bytes_of(const Record& record) {
  std::array<std::byte, record_bytes_max> buffer;
  ByteWriter writer(buffer);
  static_assert(sizeof(Record) <= record_bytes_max, "so it fits");
  walk(writer, record);
  RecordBytes out;
  for (const std::byte byte : writer.written()) out.push_back(byte);
  return out;
}

}  // namespace

std::optional<Profile> read_profile(std::span<const std::byte> bytes) {
  return read_whole<Profile>(
      bytes, [](ByteReader& reader, Profile& profile) { return walk(reader, profile); });
}
std::optional<ResultRow> read_result(std::span<const std::byte> bytes) {
  return read_whole<ResultRow>(
      bytes, [](ByteReader& reader, ResultRow& row) { return walk(reader, row); });
}

std::optional<Profile> profile_of(const world::Journal& journal, Handle actor) {
  const auto bytes = journal.profile(actor);
  if (!bytes) return std::nullopt;
  return bytes->empty() ? Profile{} : read_profile(*bytes);
}

world::KeepRefusal save(world::Journal& journal, Handle actor, const Profile& profile) {
  const RecordBytes bytes = bytes_of(profile);
  return journal.save(actor, {bytes.begin(), bytes.size()});
}

world::KeepRefusal keep(world::Journal& journal, std::uint16_t match, std::uint16_t place,
                        const ResultRow& row) {
  const RecordBytes bytes = bytes_of(row);
  return journal.keep({.match = match, .place = place, .bytes = {bytes.begin(), bytes.size()}});
}

}  // namespace hover_tag
