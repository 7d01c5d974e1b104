#include "perigee/replication/cue_queue.hpp"

#include <algorithm>

namespace perigee::replication {

void CueQueue::add(const CueEvent& cue, float faintness, Tick now, CueCounts& counts) {
  if (pending_.size() == pending_max && !make_room(faintness, counts)) return;
  if (pending_.capacity() == 0) pending_.reserve(pending_max);
  const auto at = std::ranges::upper_bound(pending_, faintness, {}, &Pending::faintness);
  pending_.insert(at, {.cue = cue, .faintness = faintness, .added = now});
}

// A cue that was sent twice has most likely arrived.
bool CueQueue::make_room(float faintness, CueCounts& counts) {
  for (std::size_t i = pending_.size(); i-- > 0;) {
    if (pending_[i].sends < 2) continue;
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  const bool louder = faintness < pending_.back().faintness;
  if (!louder || pending_.back().sends == 0) ++counts.crowded_out;
  if (louder) pending_.pop_back();
  return louder;
}

void CueQueue::drop_done(const Turn& turn, CueCounts& counts) {
  std::erase_if(pending_, [&](const Pending& pending) {
    const std::int32_t age_ticks = ticks_between(pending.cue.tick, turn.now);
    const bool late = age_ticks > cue_age_ticks_max || age_ticks < 0;
    if (pending.sends == 0) {
      const bool dropped = late || ticks_between(pending.added, turn.now) > unsent_ticks_max;
      if (dropped) ++counts.crowded_out;
      return dropped;
    }
    return late || pending.sends >= sends_max || turn.sent.arrived(pending.first_sent) ||
           turn.sent.arrived(pending.last_sent);
  });
}

void CueQueue::save_up(const Turn& turn) {
  const std::int32_t ticks = saved_up_at_ ? ticks_between(*saved_up_at_, turn.now) : 0;
  saved_up_at_ = turn.now;
  allowance_ += std::int64_t{turn.budget_bytes_per_s} * std::clamp(ticks, 0, default_tick_rate_hz);
  allowance_ = std::min(allowance_, allowance_max);
}

bool CueQueue::due(const Pending& pending, const Turn& turn) {
  if (pending.sends == 0) return true;
  if (pending.sends == 1 && !turn.narrow) return true;
  return turn.sent.lost(pending.last_sent, turn.now);
}

std::size_t CueQueue::write(const Turn& turn, BlockWriter& writer, CueCounts& counts) {
  save_up(turn);
  drop_done(turn, counts);
  const std::size_t before = writer.bytes().size();
  for (Pending& pending : pending_) {
    if (allowance_ <= 0) break;
    if (!due(pending, turn)) continue;
    const std::size_t start = writer.bytes().size();
    if (!writer.cue(pending.cue)) break;
    ++(pending.sends == 0 ? counts.sent : counts.repeated);
    if (pending.sends == 0) pending.first_sent = turn.now;
    pending.last_sent = turn.now;
    ++pending.sends;
    allowance_ -= static_cast<std::int64_t>(writer.bytes().size() - start) * default_tick_rate_hz;
  }
  return writer.bytes().size() - before;
}

}  // namespace perigee::replication
