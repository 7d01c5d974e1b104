#include "perigee/client/cue_log.hpp"

#include <algorithm>

namespace perigee::client {
namespace {

/// A verdict may change until the tick has left the server's window; after that none arrives.
constexpr std::int32_t open_ticks_max = 120;
constexpr std::size_t news_max = 256;

}  // namespace

CueLog::CueLog() {
  open_.reserve(open_max);
  news_.reserve(news_max);
}

void CueLog::add(const CueNews& cue, CueState state) {
  if (news_.size() == news_max) return;
  news_.push_back(cue);
  news_.back().state = state;
}

void CueLog::on_step(const world::StepRecord& record) {
  const auto& cues = record.wishes.cues;
  std::erase_if(open_, [&](const Open& open) {
    if (open.cue.tick != record.tick) return false;
    const bool stands = std::any_of(cues.begin(), cues.end(), [&](const world::Cue& cue) {
      return cue.index == open.cue.index && cue.effect == open.cue.effect;
    });
    if (!stands) add(open.cue, CueState::Cancelled);
    return !stands;
  });
  for (const world::Cue& cue : cues) {
    const bool known = std::any_of(open_.begin(), open_.end(), [&](const Open& open) {
      return open.cue.tick == record.tick && open.cue.index == cue.index;
    });
    if (known) continue;
    if (open_.size() == open_max) open_.erase(open_.begin());
    open_.push_back({{record.tick, cue.index, cue.effect, cue.subject}, cue.judged});
    add(open_.back().cue, CueState::Played);
  }
}

void CueLog::on_verdict(const EffectEvent& event) {
  for (Open& open : open_) {
    if (open.cue.tick != event.target || open.cue.index != event.index) continue;
    open.received = true;
    open.cue.reason = event.reason;
    open.cue.detail = event.detail;
    const bool confirmed = event.verdict == Verdict::Confirmed;
    add(open.cue, confirmed ? CueState::Confirmed : CueState::Cancelled);
  }
}

void CueLog::on_final(Tick final_tick) {
  std::erase_if(open_, [&](const Open& open) {
    if (!before(open.cue.tick, final_tick)) return false;
    if (!open.judged) add(open.cue, CueState::Confirmed);
    return !open.judged || ticks_between(open.cue.tick, final_tick) > open_ticks_max;
  });
}

void CueLog::cancel_all() {
  for (const Open& open : open_) {
    if (!open.received) add(open.cue, CueState::Cancelled);
  }
  open_.clear();
}

}  // namespace perigee::client
