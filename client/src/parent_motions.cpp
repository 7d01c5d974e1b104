#include "perigee/client/parent_motions.hpp"

#include <algorithm>

namespace perigee::client {

const ParentMotions::Known* ParentMotions::find(Handle body) const {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
    return known.received.handle == body;
  });
  return body == no_entity || found == known_.end() ? nullptr : &*found;
}

void ParentMotions::store(const ParentMotion& received, Tick said) {
  const auto older = [](const Known& a, const Known& b) {
    const bool free_a = a.received.handle == no_entity, free_b = b.received.handle == no_entity;
    return free_a != free_b ? free_a : !free_a && before(a.heard, b.heard);
  };
  const Known* same = find(received.handle);
  if (same != nullptr && !before(same->said, said)) return;
  Known& known = same != nullptr ? known_[static_cast<std::size_t>(same - known_.data())]
                                 : *std::min_element(known_.begin(), known_.end(), older);
  known.received = received;
  known.said = said;
  if (same == nullptr || before(known.heard, said)) known.heard = said;
  known.started = false;
}

void ParentMotions::heard(std::span<const Handle> bodies, Tick tick) {
  for (Known& known : known_) {
    if (std::find(bodies.begin(), bodies.end(), known.received.handle) == bodies.end()) continue;
    if (before(known.heard, tick)) known.heard = tick;
  }
}

std::optional<Tick> ParentMotions::tick_of(Handle body) const {
  const Known* known = find(body);
  return known != nullptr ? std::optional(known->received.tick) : std::nullopt;
}

std::optional<Tick> ParentMotions::heard_of(Handle body) const {
  const Known* known = find(body);
  return known != nullptr ? std::optional(known->heard) : std::nullopt;
}

std::optional<Motion> ParentMotions::motion_at(Handle body, Tick tick,
                                               double thrust_limit_m_s2) const {
  const Known* known = find(body);
  if (known == nullptr) return std::nullopt;
  if (!known->started) known->ahead.start(known->received.motion, thrust_limit_m_s2);
  known->started = true;
  return known->ahead.after(ticks_between(known->received.tick, tick));
}

}  // namespace perigee::client
