// A fabric datagram, as gateways and workers read it.
#include "perigee/base/fabric.hpp"
#include "fuzz/fuzz.hpp"

namespace perigee::fuzz {
namespace {

template <class Record>
bool copy(FabricReader& reader, FabricWriter& writer) {
  Record record;
  if (!reader.read(record)) return false;
  PERIGEE_ASSERT(writer.add(record), "what was read can be written");
  return true;
}

bool copy_record(FabricRecord type, FabricReader& reader, FabricWriter& writer) {
  switch (type) {
    case FabricRecord::Join:
      return copy<JoinRecord>(reader, writer);
    case FabricRecord::Leave:
      return copy<LeaveRecord>(reader, writer);
    case FabricRecord::Input:
      return copy<InputRecord>(reader, writer);
    case FabricRecord::Joined:
      return copy<JoinedRecord>(reader, writer);
    case FabricRecord::Refused:
      return copy<RefusedRecord>(reader, writer);
    case FabricRecord::Left:
      return copy<LeftRecord>(reader, writer);
    case FabricRecord::Block:
      return copy<BlockRecord>(reader, writer);
    case FabricRecord::Observer:
      return copy<ObserverRecord>(reader, writer);
    case FabricRecord::Tally:
      return copy<TallyRecord>(reader, writer);
  }
  PERIGEE_ASSERT(false, "the reader names known types only");
  return false;
}

void run(Input input) {
  FabricReader reader(input);
  if (!reader.ok()) {
    PERIGEE_ASSERT(!reader.next(), "no header, no records");
    return;
  }
  Bytes space(input.size());
  FabricWriter writer(space, reader.header());
  while (const auto type = reader.next()) {
    if (!copy_record(*type, reader, writer)) break;
  }
  const Input same = writer.datagram();
  PERIGEE_ASSERT(std::equal(same.begin(), same.end(), input.begin()),
                 "records have one spelling, and those before a malformed one count");
  PERIGEE_ASSERT(reader.ok() == (same.size() == input.size()), "all, or a malformed rest");
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const Bytes few(5, std::byte{9});
  const SessionId session = make_session(GatewaySlot{0}, 1, 2);
  for (const FabricSender kind : {FabricSender::Gateway, FabricSender::Worker}) {
    Bytes space(fabric_datagram_bytes_max);
    FabricWriter writer(space, {7, kind, 1, 9});
    const auto keep = [&] { out.push_back(bytes_of(writer.datagram())); };
    keep();
    writer.add(JoinRecord{session, 7, RegionId{1}, 5}), writer.add(LeaveRecord{session, true}),
        keep();
    writer.add(InputRecord{session, {256}, 0, few}), keep();
    writer.add(JoinedRecord{session, 77}), writer.add(RefusedRecord{session, RefuseReason::Full});
    writer.add(LeftRecord{session}), writer.add(BlockRecord{session, 1, few});
    writer.add(ObserverRecord{session, Tick{10}, {1, 2, 3}, {}, 3000, 1, 300}), keep();
    writer.add(TallyRecord{session, Tick{60}, 700, {1, 2, 3}}), keep();
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 40'000};

}  // namespace perigee::fuzz
