/// Messages that wait for one browser. They are bounded, and a newer picture replaces an older one,
/// so that a browser which reads slowly costs the others nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "perigee/base/tick.hpp"

namespace perigee::console {

struct OutgoingMessage {
  std::shared_ptr<const std::string> bytes;
  bool text = false;
  /// A later message of the same kind replaces one that still waits. 0: none is replaced.
  std::uint32_t kind = 0;
  /// It is dropped if it made more wait than that.
  std::size_t waiting_bytes_max = 4U << 20U;
};

class OutgoingQueue {
 public:
  static constexpr Micros stuck_us_max = 10'000'000;

  /// False: there is no room, so the message is dropped.
  bool push(Micros now_us, OutgoingMessage message);
  /// The browser's connection takes a message.
  std::optional<OutgoingMessage> pop(Micros now_us);
  /// Messages have waited longer than stuck_us_max, and none was taken.
  bool stuck(Micros now_us) const;
  std::size_t waiting_bytes() const { return bytes_; }

 private:
  std::deque<OutgoingMessage> messages_;
  std::size_t bytes_ = 0;
  Micros progress_us_ = 0;  ///< last pop, or when the queue became non-empty
};

}  // namespace perigee::console
