/// What the session service must hear although its gateway learns of it only once: how sessions
/// ended, what clients use. Waits here, bounded, until somebody has heard it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <variant>

#include "perigee/netcode/techniques.hpp"

namespace perigee::host {

struct SessionRelease {
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;  ///< of the token of the connection that ended
  bool lost = false;        ///< fell silent; else: said goodbye
};
struct TechniqueReport {
  std::uint64_t client_id = 0;
  std::uint64_t order = 0;
  Techniques techniques;
};

class SessionNews {
 public:
  using Item = std::variant<SessionRelease, TechniqueReport>;
  static constexpr std::size_t waiting_max = 8'192;  ///< one of each kind of 4096 clients

  /// Replaces what waits of this kind and client. False: the oldest of all had to go for it.
  bool add(const Item& item);
  /// Nobody heard it; void if there is something newer of this kind and client.
  bool put_back(const Item& item);
  /// The oldest.
  std::optional<Item> take();

 private:
  std::deque<Item>::iterator find(const Item& item);
  bool append(const Item& item);

  std::deque<Item> waiting_;
};

}  // namespace perigee::host
