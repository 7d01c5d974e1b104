/// Network profiles from files, for --profile-file.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/link_simulator.hpp"

namespace perigee::lab {

/// Owns the names of its profiles.
class ProfileFiles {
 public:
  /// "NAME=PATH[@PING_MS[/JITTER_MS]]", several separated by commas. A PATH that ends in .dist is a
  /// table of delays and needs both; otherwise it is a trace (base/link_trace.hpp), to which a
  /// ping may be added if it has none of its own.
  Result<Ok> read(std::string_view files);
  const std::vector<LinkPair>& profiles() const { return profiles_; }

 private:
  Result<Ok> read_one(std::string_view file);

  std::deque<std::string> texts_;
  std::vector<LinkPair> profiles_;
};

}  // namespace perigee::lab
