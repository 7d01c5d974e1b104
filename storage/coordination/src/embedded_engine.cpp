#include "embedded_engine.hpp"

#include <algorithm>
#include <chrono>

namespace perigee::coordination {
namespace {

using namespace std::chrono_literals;

/// A failed election (the disk is full) is retried.
constexpr auto election_retry = 500ms;

std::size_t size_of(const Entry& entry) { return entry.key.size() + entry.value.size(); }

std::vector<Change> changes_of(const Txn& txn, Revision revision) {
  std::vector<Change> out;
  out.reserve(txn.puts.size() + txn.erases.size());
  for (const auto& put : txn.puts) out.push_back({put.key, put.value, revision});
  for (const auto& key : txn.erases) out.push_back({key, std::nullopt, revision});
  return out;
}

void post(Inbox& inbox, const WatchEvents& events, std::vector<Change> changes) {
  if (changes.empty()) return;
  inbox.post([changed = events.changed, changes = std::move(changes)] { changed(changes); });
}

}  // namespace

Embedded::Engine::Engine(std::filesystem::path path, host::FileLock lock, EmbeddedState state)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      store_id_(state.store_id),
      state_(std::move(state)),
      forgotten_(state_.revision) {
  for (const auto& [key, entry] : state_.entries) bytes_ += size_of(entry);
  thread_ = std::thread([this] { run(); });
}

Embedded::Engine::~Engine() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Embedded::Engine::ask(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void Embedded::Engine::run() {
  for (std::unique_lock lock(mutex_);;) {
    changed_.wait_for(lock, election_retry, [this] { return stopped_ || !jobs_.empty(); });
    if (jobs_.empty() && stopped_) return;
    std::function<void()> job = [] {};
    if (!jobs_.empty()) {
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    lock.unlock();
    job();
    if (!term_) elect();
    lock.lock();
  }
}

Snapshot Embedded::Engine::read(std::string_view prefix) const {
  Snapshot out{{}, state_.revision};
  for (auto at = state_.entries.lower_bound(std::string(prefix));
       at != state_.entries.end() && at->first.starts_with(prefix); ++at) {
    out.entries.push_back(at->second);
  }
  return out;
}

Outcome Embedded::Engine::commit(SideId side, std::optional<Revision> guard, const Txn& txn) {
  if (guard && (term_ != guard || candidates_.front().side != side)) return NotLeader{};
  Stale stale;
  bool fits = true;
  for (const auto& compare : txn.compares) {
    const auto found = state_.entries.find(compare.key);
    const bool present = found != state_.entries.end();
    if (present) stale.present.push_back(found->second);
    fits = fits && compare.revision == (present ? found->second.revision : 0);
  }
  if (!fits) return stale;
  if (const auto applied = apply(txn); !applied) return applied.error();
  notify(changes_of(txn, state_.revision));
  return Committed{state_.revision};
}

Result<Ok> Embedded::Engine::room_for(const Txn& txn) const {
  std::size_t bytes = bytes_;
  for (const auto& put : txn.puts) {
    const auto found = state_.entries.find(put.key);
    if (found != state_.entries.end()) bytes -= size_of(found->second);
    bytes += put.key.size() + put.value.size();
  }
  if (bytes <= bytes_max) return Ok{};
  return Error{path_.string() + " would hold " + std::to_string(bytes) + " bytes, at most " +
               std::to_string(bytes_max) + "; a cluster of that size needs etcd"};
}

/// Changes the state once it is on disk.
Result<Ok> Embedded::Engine::apply(const Txn& txn) {
  if (const auto room = room_for(txn); !room) return room.error();
  EmbeddedState next = state_;
  ++next.revision;
  for (const auto& put : txn.puts) next.entries[put.key] = {put.key, put.value, next.revision};
  for (const auto& key : txn.erases) next.entries.erase(key);
  if (const auto written = write_state(path_, next); !written) return written.error();
  state_ = std::move(next);
  bytes_ = 0;
  for (const auto& [key, entry] : state_.entries) bytes_ += size_of(entry);
  return Ok{};
}

void Embedded::Engine::notify(const std::vector<Change>& changes) {
  for (const Change& change : changes) history_.push_back(change);
  while (history_.size() > history_max) {  // drops whole revisions: a part of one would be a gap
    forgotten_ = history_.front().revision;
    while (!history_.empty() && history_.front().revision == forgotten_) history_.pop_front();
  }
  for (auto& [id, watcher] : watchers_) {
    std::vector<Change> wanted;
    for (const Change& change : changes) {
      if (change.key.starts_with(watcher.prefix)) wanted.push_back(change);
    }
    post(*watcher.inbox, watcher.events, std::move(wanted));
  }
}

void Embedded::Engine::watch(SideId side, WatchId id, std::string prefix, Revision after,
                             Inbox& inbox, WatchEvents events) {
  if (after < forgotten_ || after > state_.revision) {
    inbox.post([behind = events.behind] {
      behind("changes since that revision are no longer kept; read again");
    });
    return;
  }
  std::vector<Change> wanted;
  for (const Change& change : history_) {
    if (change.revision > after && change.key.starts_with(prefix)) wanted.push_back(change);
  }
  post(inbox, events, std::move(wanted));
  watchers_.emplace(std::pair(side, id), Watcher{std::move(prefix), &inbox, std::move(events)});
}

void Embedded::Engine::unwatch(SideId side, WatchId id) { watchers_.erase({side, id}); }

void Embedded::Engine::campaign(SideId side, std::function<void(Revision)> leads,
                                std::function<void(const Error&)> fails) {
  candidates_.push_back({side, std::move(leads), std::move(fails)});
}

void Embedded::Engine::resign(SideId side) {
  if (!candidates_.empty() && candidates_.front().side == side) term_.reset();
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.side == side; });
}

/// A term is a revision of its own, on disk, so that terms increase across restarts.
void Embedded::Engine::elect() {
  if (candidates_.empty()) return;
  if (const auto elected = apply({}); !elected) return candidates_.front().fails(elected.error());
  term_ = state_.revision;
  candidates_.front().leads(*term_);
}

}  // namespace perigee::coordination
