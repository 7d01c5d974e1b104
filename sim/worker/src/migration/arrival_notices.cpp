#include "perigee/worker/migration/arrival_notices.hpp"

#include <algorithm>

namespace perigee::worker {

void ArrivalNotices::on_detour(SessionId session) {
  const Player* player = needs_.players.find(session);
  if (player == nullptr) return;
  if (!detours_.try_emplace(session, needs_.next).second) return;
  send_joined(session, player->avatar);
}

void ArrivalNotices::send() {
  std::erase_if(arrivals_, [&](const Arrival& arrival) {
    const std::int32_t since = ticks_between(arrival.at, needs_.next);
    if (needs_.players.find(arrival.session) == nullptr) return true;
    if (since % resend_ticks == 0) send_joined(arrival.session, arrival.avatar);
    return since >= times * resend_ticks;
  });
}

void ArrivalNotices::after_tick() {
  send();
  std::erase_if(detours_, [&](const auto& sent) {
    return ticks_between(sent.second, needs_.next) >= detours_apart_ticks;
  });
}

void ArrivalNotices::send_joined(SessionId session, Handle avatar) {
  const GatewayEntry* gateway = needs_.cluster.gateway_of(session);
  if (gateway != nullptr) needs_.fabric.add(gateway->fabric, JoinedRecord{session, avatar});
}

}  // namespace perigee::worker
