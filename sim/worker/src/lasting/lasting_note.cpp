#include "lasting/lasting_codec.hpp"

namespace perigee::worker {

void LastingNote::apply(LastingLogs& logs) const {
  switch (kind) {
    case LastingRecord::Profile:
      logs.profiles[avatar] = profile;
      return;
    case LastingRecord::Gone:
      logs.profiles.erase(avatar);
      return;
    case LastingRecord::Row:
      logs.rows[row.number] = row;
      if (row.kind == LastingKind::Profile && logs.profiles.contains(avatar)) {
        logs.profiles[avatar] = {PlayerProfile::State::Read, row.lease, row.bytes};
      }
      return;
    case LastingRecord::Stored:
      logs.rows.erase(row.number);
      return;
  }
}

}  // namespace perigee::worker
