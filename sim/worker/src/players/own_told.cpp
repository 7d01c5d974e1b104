#include "perigee/worker/players/own_told.hpp"

#include <algorithm>

namespace perigee::worker {

bool OwnTold::basis_due(Tick now) const {
  return !newest_ || ticks_between(*newest_, now) >= basis_every_ticks;
}

bool OwnTold::exact_due(Tick now) const {
  return !exact_ || ticks_between(*exact_, now) >= exact_every_ticks;
}

const OwnBasis* OwnTold::basis(const replication::SentTracks& arrivals, Tick now) const {
  for (std::size_t i = 1; i <= std::min(noted_, bases_max); ++i) {
    const OwnBasis& basis = bases_[(noted_ - i) % bases_max];
    if (ticks_between(basis.tick, now) > basis_ticks_max) return nullptr;
    if (arrivals.arrived(basis.tick)) return &basis;
  }
  return nullptr;
}

void OwnTold::note(const OwnSection& own, Tick now) {
  if (own.exact) exact_ = now;
  if (!own.becomes_basis) return;
  OwnBasis& basis = bases_[noted_++ % bases_max] = own;
  basis.tick = now;
  newest_ = now;
}

OwnTold::SentMotion* OwnTold::find(Handle body) {
  const auto found = std::find_if(motions_.begin(), motions_.end(),
                                  [&](const SentMotion& sent) { return sent.body == body; });
  return found == motions_.end() ? nullptr : found;
}

void OwnTold::keep_motions(std::span<const Handle> near) {
  for (std::size_t i = motions_.size(); i > 0; --i) {
    const bool is_near = std::find(near.begin(), near.end(), motions_[i - 1].body) != near.end();
    if (!is_near) motions_.erase(i - 1);
  }
}

bool OwnTold::owes_motion(Handle body, Tick announced, const replication::SentTracks& arrivals,
                          Tick now) {
  SentMotion* sent = find(body);
  if (sent == nullptr) {
    const bool fits = motions_.push_back({});
    PERIGEE_ASSERT(fits, "motions of other bodies must have been dropped");
    sent = &motions_.back();
  } else if (sent->announced == announced) {
    sent->arrived = sent->arrived || arrivals.arrived(sent->sent);
    if (sent->arrived || !arrivals.lost(sent->sent, now)) return false;
  }
  *sent = {body, announced, now, false};
  return true;
}

}  // namespace perigee::worker
