#include "perigee/session/order_book.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"
#include "perigee/base/shown_text.hpp"
#include "perigee/base/techniques.hpp"

namespace perigee::session {

std::optional<OrderRefused> refuse_settings(std::string_view settings) {
  if (settings.size() > OrderBook::text_bytes_max) {
    return OrderRefused{OrderRefusal::BadSettings, "settings must have at most 1024 bytes"};
  }
  const auto order = read_order(settings);
  if (!order) return OrderRefused{OrderRefusal::BadSettings, order.error().message};
  return std::nullopt;
}

std::variant<std::uint64_t, OrderRefused> OrderBook::open(Micros now_us,
                                                          const std::vector<Session>& sessions) {
  Open order;
  const Session* away = nullptr;
  for (const Session& session : sessions) {
    if (session.state == SessionState::Playing) {
      order.players.push_back({session.client_id, session.player_name, {}});
    } else if (!is_over(session.state)) {
      away = &session;
    }
  }
  if (order.players.empty() && away != nullptr) {
    return OrderRefused{
        OrderRefusal::NotConnected,
        shown(away->player_name) +
            " is in a session, but not connected now; repeat the order once the player is back"};
  }
  if (order.players.empty()) {
    return OrderRefused{OrderRefusal::NoSession, "no player of that name or id is in a session"};
  }
  if (open_.size() == open_max) {
    return OrderRefused{OrderRefusal::TooMany,
                        "16 orders wait for their clients' replies; try again in 3 s"};
  }
  last_ = order.order = std::max(last_ + 1, static_cast<std::uint64_t>(now_us));
  order.unanswered = order.players.size();
  open_.push_back(std::move(order));
  return last_;
}

std::vector<std::uint64_t> OrderBook::clients(std::uint64_t order) const {
  std::vector<std::uint64_t> ids;
  const auto open = std::ranges::find(open_, order, &Open::order);
  if (open == open_.end()) return ids;
  for (const TechniquesInUse& player : open->players) ids.push_back(player.client_id);
  return ids;
}

void OrderBook::answered(std::uint64_t order, std::uint64_t client_id,
                         std::string_view techniques) {
  if (techniques.empty() || techniques.size() > text_bytes_max) return;
  for (Open& open : open_) {
    if (open.order > order) continue;
    const auto player = std::ranges::find(open.players, client_id, &TechniquesInUse::client_id);
    if (player == open.players.end() || !player->techniques.empty()) continue;
    player->techniques = techniques;
    --open.unanswered;
  }
}

bool OrderBook::complete(std::uint64_t order) const {
  const auto open = std::ranges::find(open_, order, &Open::order);
  return open == open_.end() || open->unanswered == 0;
}

std::vector<TechniquesInUse> OrderBook::close(std::uint64_t order) {
  const auto open = std::ranges::find(open_, order, &Open::order);
  PERIGEE_ASSERT(open != open_.end(), "the order is not open, or already closed");
  std::vector<TechniquesInUse> players = std::move(open->players);
  open_.erase(open);
  return players;
}

}  // namespace perigee::session
