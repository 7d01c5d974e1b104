/// Techniques that an operator orders for players. An order is sent to the players' clients until
/// these answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/base/technique_order.hpp"
#include "perigee/gateway/client_payloads.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/outputs.hpp"
#include "perigee/gateway/sessions.hpp"

namespace perigee::gateway {

class TechniqueOrders {
 public:
  static constexpr Micros repeat_us = 250'000;
  /// 10 s; then the order is given up, and the operator has to repeat it.
  static constexpr std::uint32_t repeats_max = 40;

  struct Needs {
    const Sessions& sessions;
    ClientPayloads& payloads;
    Outputs& outputs;
    Counts<Count>& counts;
    Counts<Drop>& drops;
  };
  explicit TechniqueOrders(Needs needs) : needs_(needs), orders_(needs.sessions.slots()) {}

  /// A session begins in that slot.
  void start(std::uint32_t slot) { orders_[slot] = Order{}; }
  /// Sends the order to that client, if it is here; client 0: to all.
  void order(Micros now_us, std::uint64_t client_id, std::uint64_t order_id,
             const TechniqueOrder& wanted);
  void on_answer(std::uint32_t slot, std::span<const std::byte> bytes);
  /// Repeats what is due.
  void advance(Micros now_us);

 private:
  /// An operator's order to the client, until it is answered.
  struct Order {
    bool open = false;  ///< neither answered nor given up
    std::uint32_t sends_left = 0;
    Micros next_send_us = 0;
    std::uint64_t id = 0;             ///< id of the newest order
    std::uint32_t number = 0;         ///< number of the newest order, within the session
    TechniqueOrder wanted;            ///< all unanswered orders combined
    std::uint32_t desync_number = 0;  ///< number of the newest order with a desync
  };
  void order_slot(Micros now_us, std::uint32_t slot, std::uint64_t order_id,
                  const TechniqueOrder& wanted);
  void send(Micros now_us, std::uint32_t slot);

  Needs needs_;
  std::vector<Order> orders_;  ///< by client slot
  bool any_open_ = false;      ///< some session has an open order
};

}  // namespace perigee::gateway
