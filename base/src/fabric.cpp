#include "perigee/base/fabric.hpp"

#include <algorithm>

#include "perigee/base/walk.hpp"

namespace perigee {
namespace {

template <class Cursor, class Header>
bool walk_header(Cursor& cursor, Header& header) {
  return walk_constant(cursor, fabric_magic) && walk_constant(cursor, fabric_version) &&
         cursor.number(header.cluster_id) && cursor.enumerator(header.kind, FabricSender::last) &&
         cursor.number(header.slot) && cursor.number(header.sequence);
}

template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, JoinRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.number(r.client_id) && c.id(r.region) && c.number(r.issue) &&
         walk(c, r.account) && c.flag(r.alone);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, LeaveRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.flag(r.lost);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, LeftRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, InputRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.number(r.received.count) && c.number(r.stream) &&
         walk_rest(c, r.frame);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, JoinedRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.number(r.avatar);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, RefusedRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.enumerator(r.reason, RefuseReason::last);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, BlockRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.number(r.priority) && walk_rest(c, r.block);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, ObserverRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.tick(r.effective) && c.vec3(r.position) && c.vec3(r.velocity) &&
         c.number(r.radius_m) && c.number(r.stretch) && c.number(r.near_m);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, TallyRecord>
bool walk(Cursor& c, R& r) {
  return c.number(r.session) && c.tick(r.counted) && c.number(r.bytes) &&
         std::all_of(r.within.begin(), r.within.end(),
                     [&](auto& count) { return c.number(count); });
}

}  // namespace

FabricWriter::FabricWriter(std::span<std::byte> buffer, const FabricHeader& header)
    : writer_(buffer) {
  const bool fits = walk_header(writer_, header);
  PERIGEE_ASSERT(fits, "a fabric buffer must hold at least its header");
}

template <class Record>
bool FabricWriter::add_record(FabricRecord type, const Record& record) {
  const std::size_t start = writer_.size();
  const std::uint16_t length = 0;
  if (!writer_.number(static_cast<std::uint8_t>(type)) || !writer_.number(length) ||
      !walk(writer_, record)) {
    writer_.rewind(start);
    return false;
  }
  writer_.patch(start + 1, static_cast<std::uint16_t>(writer_.size() - start - 3));
  ++records_;
  return true;
}

bool FabricWriter::add(const JoinRecord& r) { return add_record(FabricRecord::Join, r); }
bool FabricWriter::add(const LeaveRecord& r) { return add_record(FabricRecord::Leave, r); }
bool FabricWriter::add(const InputRecord& r) { return add_record(FabricRecord::Input, r); }
bool FabricWriter::add(const JoinedRecord& r) { return add_record(FabricRecord::Joined, r); }
bool FabricWriter::add(const RefusedRecord& r) { return add_record(FabricRecord::Refused, r); }
bool FabricWriter::add(const LeftRecord& r) { return add_record(FabricRecord::Left, r); }
bool FabricWriter::add(const BlockRecord& r) { return add_record(FabricRecord::Block, r); }
bool FabricWriter::add(const ObserverRecord& r) { return add_record(FabricRecord::Observer, r); }
bool FabricWriter::add(const TallyRecord& r) { return add_record(FabricRecord::Tally, r); }

FabricReader::FabricReader(std::span<const std::byte> datagram) : reader_(datagram) {
  ok_ = walk_header(reader_, header_);
}

std::optional<FabricRecord> FabricReader::next() {
  if (!ok_ || reader_.at_end()) return std::nullopt;
  FabricRecord type{};
  std::span<const std::byte> body;
  ok_ = reader_.enumerator(type, FabricRecord::last) && walk_sized<std::uint16_t>(reader_, body);
  if (!ok_) return std::nullopt;
  body_ = ByteReader(body);
  return type;
}

template <class Record>
bool FabricReader::read_record(Record& record) {
  Record copy;
  ok_ = ok_ && walk(body_, copy) && body_.at_end();
  if (ok_) record = copy;
  return ok_;
}

bool FabricReader::read(JoinRecord& r) { return read_record(r); }
bool FabricReader::read(LeaveRecord& r) { return read_record(r); }
bool FabricReader::read(InputRecord& r) { return read_record(r); }
bool FabricReader::read(JoinedRecord& r) { return read_record(r); }
bool FabricReader::read(RefusedRecord& r) { return read_record(r); }
bool FabricReader::read(LeftRecord& r) { return read_record(r); }
bool FabricReader::read(BlockRecord& r) { return read_record(r); }
bool FabricReader::read(ObserverRecord& r) { return read_record(r); }
bool FabricReader::read(TallyRecord& r) { return read_record(r); }

}  // namespace perigee
