#include "perigee/directory/failover_records.hpp"

#include <algorithm>

#include "perigee/directory/handle_blocks.hpp"

namespace perigee::directory {

CrashChain FailoverRecords::chain_after(Micros now_us, HandleBase ended, IncarnationEnd how) const {
  CrashChain out;
  for (const FailoverRecord& record : needs_.records) {
    const bool its = record.successor_handle_base == ended;
    const bool lately = now_us - record.crashing_since_us <= chain_us;
    if (!its || !lately || record.crashes <= out.crashes) continue;
    out = {.crashes = record.crashes, .since_us = record.crashing_since_us};
  }
  if (how == IncarnationEnd::Order) return out;
  if (out.crashes++ == 0) out.since_us = now_us;
  return out;
}

void FailoverRecords::hand_over(HandleBase ended, const WorkerEntry& successor,
                                const CrashChain& chain) {
  needs_.records.push_back({.handle_base = ended, .epoch = Epoch{1}});
  for (FailoverRecord& record : needs_.records) {
    if (record.handle_base != ended && record.successor_handle_base != ended) continue;
    record.successor = successor.slot;
    record.successor_handle_base = successor.handle_base;
    ++record.epoch;
    record.crashes = chain.crashes;
    record.crashing_since_us = chain.since_us;
    record.copied = false;
  }
}

void FailoverRecords::mark_copied(HandleBase successor) {
  for (FailoverRecord& record : needs_.records) {
    if (record.successor_handle_base == successor) record.copied = true;
  }
}

std::uint64_t FailoverRecords::taken_over_by(HandleBase successor) const {
  return static_cast<std::uint64_t>(std::count_if(
      needs_.records.begin(), needs_.records.end(),
      [&](const FailoverRecord& record) { return record.successor_handle_base == successor; }));
}

std::uint64_t FailoverRecords::drop_uncopied(HandleBase successor) {
  return std::erase_if(needs_.records, [&](const FailoverRecord& record) {
    return record.successor_handle_base == successor && !record.copied;
  });
}

void FailoverRecords::drop_obsolete() {
  const auto obsolete = [&](const FailoverRecord& record) {
    const auto still_alive = [&](const WorkerEntry& worker) {
      return worker.alive && worker.handle_base == record.handle_base;
    };
    const WorkerEntry& successor = needs_.workers[record.successor.index()];
    return !successor.alive || successor.handle_base != record.successor_handle_base ||
           std::any_of(needs_.workers.begin(), needs_.workers.end(), still_alive);
  };
  auto& records = needs_.records;
  const std::size_t before = records.size();
  std::erase_if(records, obsolete);
  if (records.size() > records_max) {
    const auto more = static_cast<std::ptrdiff_t>(records.size() - records_max);
    records.erase(records.begin(), records.begin() + more);
  }
  if (records.size() != before) ++needs_.version;
}

bool FailoverRecords::drop(HandleBlock block) {
  const auto of_it = [&](const FailoverRecord& record) {
    return block_of(record.handle_base, handles_per_worker) == block;
  };
  if (std::erase_if(needs_.records, of_it) == 0) return false;
  ++needs_.version;
  return true;
}

}  // namespace perigee::directory
