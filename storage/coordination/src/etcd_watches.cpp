#include "etcd_watches.hpp"

#include <utility>

namespace perigee::coordination {
namespace {

constexpr Micros watch_again_us = 250'000;

}  // namespace

WatchId EtcdWatches::watch(const std::string& prefix, Revision after, WatchEvents events) {
  watches_.emplace(++newest_, Watching{prefix, after, std::move(events), nullptr, needs_.now_us});
  needs_.inbox.post([] {});  // the next poll subscribes
  return newest_;
}

void EtcdWatches::advance() {
  if (!needs_.ready()) return;
  for (auto& [id, watching] : watches_) {
    if (!watching.subscription && needs_.now_us >= watching.again_at_us) subscribe(id, watching);
  }
}

void EtcdWatches::interrupt() {
  for (auto& [id, watching] : watches_) watching.subscription.reset();
}

void EtcdWatches::end_all(const std::string& why) {
  while (!watches_.empty()) end(watches_.begin()->first, why);
}

/// Resumes where the last subscription ended: changes in between are delivered first.
void EtcdWatches::subscribe(WatchId id, Watching& watching) {
  const pb::RangeRequest range = range_below(needs_.keys.of_caller(watching.prefix));
  pb::WatchRequest request;
  pb::WatchCreateRequest& create = *request.mutable_create_request();
  create.set_key(range.key());
  create.set_range_end(range.range_end());
  create.set_start_revision(static_cast<std::int64_t>(watching.after) + 1);
  watching.subscription = needs_.wire.watch(
      request, [this, id](const pb::WatchResponse& response) { on_changes(id, response); },
      [this, id, endpoint = needs_.wire.endpoint()](const grpc::Status& status) {
        const auto ended = watches_.find(id);
        if (ended == watches_.end()) return;
        ended->second.subscription.reset();
        ended->second.again_at_us = needs_.now_us + watch_again_us;
        if (status.error_code() == grpc::StatusCode::UNAVAILABLE) needs_.failed(endpoint, status);
      });
}

void EtcdWatches::on_changes(WatchId id, const pb::WatchResponse& response) {
  const auto at = watches_.find(id);
  if (at == watches_.end()) return;
  Watching& watching = at->second;
  if (response.compact_revision() > 0) {
    return end(id, "etcd no longer has these changes (compaction); read again");
  }
  if (response.canceled()) {
    watching.subscription.reset();
    watching.again_at_us = needs_.now_us + watch_again_us;
    return;
  }
  std::vector<Change> changes;
  for (const pb::Event& event : response.events()) {
    const Entry entry = needs_.keys.entry_of(event.kv());
    if (entry.revision <= watching.after) continue;
    const bool erased = event.type() == pb::Event::DELETE;
    changes.push_back(
        {entry.key, erased ? std::nullopt : std::optional(entry.value), entry.revision});
  }
  if (changes.empty()) return;
  watching.after = changes.back().revision;
  const auto changed = watching.events.changed;  // the callback may unwatch
  changed(changes);
}

void EtcdWatches::end(WatchId id, const std::string& why) {
  const auto behind = watches_.at(id).events.behind;
  watches_.erase(id);
  behind(why);
}

}  // namespace perigee::coordination
