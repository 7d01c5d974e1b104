/// The session service of a virtual cluster: the real core over a store in memory. Its replies take
/// the time of a call and a write to disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "perigee/base/technique_order.hpp"
#include "perigee/lab/cluster_clock.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/session/core.hpp"
#include "perigee/session/order_book.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::lab {

class SessionHost {
 public:
  static constexpr Micros delay_us = 2'000;  ///< of a reply

  struct Needs {
    EventQueue& queue;
    RandomStream& random;
    const transport::Key& key;  ///< gateways have it, too
    std::uint32_t players = 1;  ///< as many may log in at once
  };
  explicit SessionHost(Needs needs);

  /// Answers at once.
  std::variant<session::Admitted, session::Refused> log_in(const std::string& player_name,
                                                           const Address& source, RegionId region,
                                                           const ClusterMap& map);
  void claim(const transport::ClaimRequest& request, std::uint64_t gateway_instance,
             std::function<void(transport::Server::ClaimAnswer)> reply);
  /// There is no reply if there is no such session.
  void issue_resume(std::uint64_t client_id, const ClusterMap& map,
                    std::function<void(const transport::ConnectToken&)> reply);
  void release(const session::Release& release);

  /// Opens an operator's order. Later `deliver` is called for each client that the order concerns.
  std::variant<std::uint64_t, session::OrderRefused> order(
      const session::SessionName& name, std::string_view settings,
      std::function<void(std::uint64_t client_id, std::uint64_t order, const TechniqueOrder&)>
          deliver);
  session::OrderBook& orders() { return orders_; }

 private:
  EventQueue& queue_;
  ClusterClock clock_;
  session::DevelopmentSecret secret_;
  std::unique_ptr<session::SessionStore> store_;
  session::Core core_;
  session::OrderBook orders_;
};

}  // namespace perigee::lab
