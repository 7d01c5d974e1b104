#include "perigee/tracing/directory_spans.hpp"

#include <utility>

namespace perigee::tracing {
namespace {

std::string_view name_of(MapEventKind kind) {
  switch (kind) {
    case MapEventKind::Failover:
    case MapEventKind::Loss:
      return "failover";
    case MapEventKind::RegionMove:
      return "region.move";
    case MapEventKind::Drain:
      return "drain";
  }
  return {};
}

}  // namespace

void DirectorySpans::decided(Micros now_us, const ClusterMap& map, const Cause& cause) {
  if (decided_ && decided_->version == map.version) return;
  if (decided_) {
    for (const MapEvent& event : events_between(*decided_, map)) {
      if (open_.size() == open_max) break;
      open_.push_back({event, map.version, cause, now_us});
    }
  }
  decided_ = map;
}

void DirectorySpans::published(Micros now_us, const ClusterMap& map) {
  if (std::exchange(published_version_, map.version) == map.version) return;
  if (!decided_) decided_ = map;
  while (!open_.empty() && open_.front().version <= map.version) {
    end(now_us, open_.front());
    open_.pop_front();
  }
}

void DirectorySpans::forget() {
  decided_.reset();
  published_version_ = 0;
  open_.clear();
}

void DirectorySpans::end(Micros now_us, const Open& open) {
  const MapEvent& event = open.event;
  const bool ends = event.kind == MapEventKind::Failover || event.kind == MapEventKind::Loss;
  const Micros since_us = ends && open.cause.since_us != 0 ? open.cause.since_us : open.decided_us;
  Span span = root_span(name_of(event.kind), event.trace, since_us, now_us);
  span.attributes = {{"perigee.cause", std::string(open.cause.text)},
                     {"perigee.worker", std::int64_t{event.worker.number}},
                     {"perigee.incarnation", std::int64_t{event.incarnation.number}},
                     {"perigee.map_version", static_cast<std::int64_t>(open.version)}};
  if (event.to) span.attributes.push_back({"perigee.to_worker", std::int64_t{event.to->number}});
  if (event.kind == MapEventKind::RegionMove) {
    span.attributes.push_back({"perigee.region", std::int64_t{event.region.number}});
    span.attributes.push_back({"perigee.epoch", std::int64_t{event.epoch.number}});
  }
  if (event.kind == MapEventKind::Loss) {
    span.error = "no standby took over: the regions of the worker start anew";
  }
  span.events = {{"decided", open.decided_us}};
  emit_(std::move(span));
}

}  // namespace perigee::tracing
