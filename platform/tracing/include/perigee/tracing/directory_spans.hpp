/// Spans of the directory's decisions: from the cause to the moment at which members get the map.
/// These are the first spans of their traces.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>

#include "perigee/base/cluster_map.hpp"
#include "perigee/tracing/map_events.hpp"

namespace perigee::tracing {

/// Why the directory has decided something.
struct Cause {
  std::string_view text = "load";  ///< a literal: registration, load, report, …
  Micros since_us = 0;             ///< of the end of a worker: when it was first suspected; 0: now
};

class DirectorySpans {
 public:
  static constexpr std::size_t open_max = 256;  ///< further events are left out

  explicit DirectorySpans(std::function<void(Span)> emit) : emit_(std::move(emit)) {}

  /// After each decision, with the map that it has made.
  void decided(Micros now_us, const ClusterMap& map, const Cause& cause);
  /// The store has confirmed this map, and members get it.
  void published(Micros now_us, const ClusterMap& map);
  /// Another directory leads: nothing that is open here will be published.
  void forget();

 private:
  struct Open {
    MapEvent event;
    std::uint64_t version = 0;
    Cause cause;
    Micros decided_us = 0;
  };
  void end(Micros now_us, const Open& open);

  const std::function<void(Span)> emit_;
  std::optional<ClusterMap> decided_;
  std::uint64_t published_version_ = 0;
  std::deque<Open> open_;
};

}  // namespace perigee::tracing
