/// Pending orders of techniques: the clients they concern, and the clients' answers. Plain
/// bookkeeping; the caller informs gateways and handles the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/base/tick.hpp"
#include "perigee/session/store.hpp"

namespace perigee::session {

enum class OrderRefusal : std::uint8_t {
  BadSettings,   ///< unknown technique, or value out of range
  NoSession,     ///< no session with that name or id
  NotConnected,  ///< in a session, but not connected
  NoGateway,     ///< no gateway would receive it
  TooMany,       ///< too many pending orders
  StoreFailed,
  last = StoreFailed
};
struct OrderRefused {
  OrderRefusal reason{};
  std::string sentence;  ///< for the operator, with the remedy
};

/// The techniques that one client uses, as it reports them; empty until it has answered.
struct TechniquesInUse {
  std::uint64_t client_id = 0;
  std::string player_name;
  std::string techniques;
};

class OrderBook {
 public:
  static constexpr std::size_t open_max = 16;  ///< each holds a thread for up to 3 s
  static constexpr std::size_t text_bytes_max = 1'024;

  /// Starts an order to those of `sessions` that are playing. Returns its id, which increases from
  /// call to call, and across restarts as long as the clock does.
  std::variant<std::uint64_t, OrderRefused> open(Micros now_us,
                                                 const std::vector<Session>& sessions);
  std::vector<std::uint64_t> clients(std::uint64_t order) const;
  /// A client has received `order`, and with it all its earlier orders.
  void answered(std::uint64_t order, std::uint64_t client_id, std::string_view techniques);
  bool complete(std::uint64_t order) const;
  /// Returns the answers received so far and forgets the order.
  std::vector<TechniquesInUse> close(std::uint64_t order);

 private:
  struct Open {
    std::uint64_t order = 0;
    std::vector<TechniquesInUse> players;
    std::size_t unanswered = 0;
  };
  std::vector<Open> open_;
  std::uint64_t last_ = 0;
};

/// Why these settings are not a valid order; none if they are valid.
std::optional<OrderRefused> refuse_settings(std::string_view settings);

}  // namespace perigee::session
