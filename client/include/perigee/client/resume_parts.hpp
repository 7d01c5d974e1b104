/// Joins the parts of a resume token. Parts may be lost, repeated, and arrive in any order.
#pragma once

#include <cstdint>

#include "perigee/base/gateway_frame.hpp"
#include "perigee/transport/connect_token.hpp"

namespace perigee::client {

class ResumeParts {
 public:
  /// Returns the token with this part's number once all of its parts have arrived, and again for
  /// each repetition; valid until the next call. A part of another token discards the earlier one.
  const transport::ConnectToken* add(const ResumeFrame& part);
  void clear() { parts_seen_ = 0, token_bytes_ = 0; }

 private:
  transport::ConnectToken token_{};
  std::uint32_t number_ = 0;
  std::size_t token_bytes_ = 0;   ///< 0: no part has arrived
  std::uint32_t parts_seen_ = 0;  ///< a bit for each part
};

}  // namespace perigee::client
