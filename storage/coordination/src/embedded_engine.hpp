/// Shared by the sides of an embedded store: the state, and the thread that changes it.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "embedded_file.hpp"
#include "inbox.hpp"
#include "perigee/coordination/embedded.hpp"
#include "perigee/host/durable_file.hpp"

namespace perigee::coordination {

class Embedded::Engine {
 public:
  using SideId = std::uint32_t;

  Engine(std::filesystem::path path, host::FileLock lock, EmbeddedState state);
  /// Completes the pending jobs first.
  ~Engine();

  /// Runs on the engine's thread, in the order of the calls. Any thread.
  void ask(std::function<void()> job);
  std::uint64_t store_id() const { return store_id_; }

  // On the engine's thread.
  Snapshot read(std::string_view prefix) const;
  /// Requires `guard`, if any, to be the term of `side`.
  Outcome commit(SideId side, std::optional<Revision> guard, const Txn& txn);
  void watch(SideId side, WatchId id, std::string prefix, Revision after, Inbox& inbox,
             WatchEvents events);
  void unwatch(SideId side, WatchId id);
  /// `fails`: the election failed, and is retried.
  void campaign(SideId side, std::function<void(Revision term)> leads,
                std::function<void(const Error& why)> fails);
  void resign(SideId side);

 private:
  struct Watcher {
    std::string prefix;
    Inbox* inbox;
    WatchEvents events;
  };
  struct Candidate {
    SideId side;
    std::function<void(Revision)> leads;
    std::function<void(const Error&)> fails;
  };
  void run();
  Result<Ok> apply(const Txn& txn);
  Result<Ok> room_for(const Txn& txn) const;
  void notify(const std::vector<Change>& changes);
  void elect();

  const std::filesystem::path path_;
  const host::FileLock lock_;
  const std::uint64_t store_id_;
  // On the engine's thread.
  EmbeddedState state_;
  std::size_t bytes_ = 0;
  std::deque<Change> history_;
  Revision forgotten_;  // newest change that history_ no longer has
  std::map<std::pair<SideId, WatchId>, Watcher> watchers_;
  std::deque<Candidate> candidates_;  // the first leads, if there is a term
  std::optional<Revision> term_;

  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace perigee::coordination
