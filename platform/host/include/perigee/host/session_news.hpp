/// Queue of events that the session service must receive although its gateway sees them only once:
/// ended sessions and the techniques that clients use. Bounded; an event waits until it is
/// acknowledged.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <variant>

#include "perigee/base/techniques.hpp"

namespace perigee::host {

struct SessionRelease {
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;  ///< of the token of the connection that ended
  bool lost = false;        ///< timed out; otherwise the client disconnected
};
struct TechniqueReport {
  std::uint64_t client_id = 0;
  std::uint64_t order = 0;
  Techniques techniques;
};

class SessionNews {
 public:
  using Item = std::variant<SessionRelease, TechniqueReport>;
  static constexpr std::size_t waiting_max = 8'192;  ///< one of each kind for 4096 clients

  /// Replaces the waiting item of this kind and client. False: the oldest item was dropped for it.
  bool add(const Item& item);
  /// Returns an unacknowledged item to the queue, unless a newer one of this kind and client waits.
  /// False: the oldest item was dropped for it.
  bool put_back(const Item& item);
  /// Removes the oldest item.
  std::optional<Item> take();

 private:
  std::deque<Item>::iterator find(const Item& item);
  bool append(const Item& item);

  std::deque<Item> waiting_;
};

}  // namespace perigee::host
