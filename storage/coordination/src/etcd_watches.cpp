#include <algorithm>

#include "etcd_store.hpp"

namespace perigee::coordination {
namespace {

constexpr Micros again_us = 250'000;

}  // namespace

WatchId EtcdStore::watch(const std::string& prefix, Revision after, WatchEvents events) {
  watches_.emplace(++newest_watch_, Watching{prefix, after, std::move(events), nullptr, now_us_});
  inbox_.post([] {});  // the next poll subscribes
  return newest_watch_;
}

void EtcdStore::unwatch(WatchId id) { watches_.erase(id); }

void EtcdStore::advance_watches() {
  if (!ready()) return;
  for (auto& [id, watching] : watches_) {
    if (!watching.subscription && now_us_ >= watching.again_at_us) subscribe(id, watching);
  }
}

/// Resumes where the last subscription ended: changes in between are delivered first.
void EtcdStore::subscribe(WatchId id, Watching& watching) {
  const pb::RangeRequest range = range_below(key_below("keys/", watching.prefix));
  pb::WatchRequest request;
  pb::WatchCreateRequest& create = *request.mutable_create_request();
  create.set_key(range.key());
  create.set_range_end(range.range_end());
  create.set_start_revision(static_cast<std::int64_t>(watching.after) + 1);
  watching.subscription = wire_.watch(
      request, [this, id](const pb::WatchResponse& response) { on_changes(id, response); },
      [this, id, endpoint = wire_.endpoint()](const grpc::Status& status) {
        const auto ended = watches_.find(id);
        if (ended == watches_.end()) return;
        ended->second.subscription.reset();
        ended->second.again_at_us = now_us_ + again_us;
        if (status.error_code() == grpc::StatusCode::UNAVAILABLE) failed(endpoint, status);
      });
}

void EtcdStore::on_changes(WatchId id, const pb::WatchResponse& response) {
  const auto at = watches_.find(id);
  if (at == watches_.end()) return;
  Watching& watching = at->second;
  if (response.compact_revision() > 0) {
    return end_watch(id, "etcd no longer has these changes (compaction); read again");
  }
  if (response.canceled()) {
    watching.subscription.reset();
    watching.again_at_us = now_us_ + again_us;
    return;
  }
  std::vector<Change> changes;
  for (const pb::Event& event : response.events()) {
    const Entry entry = entry_of(event.kv());
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

void EtcdStore::end_watch(WatchId id, const std::string& why) {
  const auto behind = watches_.at(id).events.behind;
  watches_.erase(id);
  behind(why);
}

}  // namespace perigee::coordination
