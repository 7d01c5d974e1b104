/// Shared state of several directories, safe across restarts and lost replies. It consists of keys
/// with values and revisions, which are changed by compare-and-swap and can be watched. One
/// directory at a time leads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::coordination {

/// Counts the changes of a store; each commit has its own, and larger is later. Never 0.
using Revision = std::uint64_t;

inline constexpr std::size_t key_bytes_max = 256;
inline constexpr std::size_t value_bytes_max = 64 * 1024;
/// Per transaction: compares, and puts and erases together. etcd's own default is 128.
inline constexpr std::size_t ops_max = 100;
/// Keys and values of one transaction. etcd's own default is 1.5 MiB.
inline constexpr std::size_t txn_bytes_max = 5 * 256 * 1024;
/// Commits queued behind the one under way.
inline constexpr std::size_t commits_max = 256;

struct Entry {
  std::string key;
  std::string value;
  Revision revision = 0;  ///< of its newest change
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Snapshot {
  std::vector<Entry> entries;  ///< by key
  Revision revision = 0;       ///< a watch continues from here
};

struct Change {
  std::string key;
  std::optional<std::string> value;  ///< none: erased
  Revision revision = 0;
  friend bool operator==(const Change&, const Change&) = default;
};

/// Atomic. No key is put or erased twice in it.
struct Txn {
  struct Compare {
    std::string key;
    Revision revision = 0;  ///< the key's present revision; 0: the key does not exist
  };
  struct Put {
    std::string key;
    std::string value;
  };
  std::vector<Compare> compares;
  std::vector<Put> puts;
  std::vector<std::string> erases;
};

struct Committed {
  Revision revision = 0;
};
/// A comparison failed; nothing was changed.
struct Stale {
  std::vector<Entry> present;  ///< of the compared keys; a key missing here does not exist
};
/// Committed while not leading, or after the term ended; nothing was changed.
struct NotLeader {};
/// Error: nothing was changed, and nothing will be.
using Outcome = std::variant<Committed, Stale, NotLeader, Error>;

/// Whether a store accepts the transaction at all.
Result<Ok> check(const Txn& txn);

struct WatchEvents {
  /// In order, each change once; all changes of one revision come together.
  std::function<void(std::span<const Change>)> changed;
  /// The watch has ended because changes were missed: read again, then watch from there.
  std::function<void(const std::string& why)> behind;
};
using WatchId = std::uint32_t;

struct LeadershipEvents {
  /// Terms only increase. Commits from here until lost() are guarded by this term.
  std::function<void(Revision term)> leads;
  /// The campaign continues, for a new term.
  std::function<void(const std::string& why)> lost;
};

/// Used by one thread at a time; all callbacks come from poll(), none from other calls. A callback
/// may call anything but poll() and the destructor. No call blocks on disk or network.
class Store {
 public:
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Processes what has arrived and what is due. `now_us`: of Loop::clock_us(). Call it at least
  /// every 100 ms, and soon after `wake` was called, which happens on any thread.
  virtual void poll(Micros now_us) = 0;
  virtual void wake_by(std::function<void()> wake) = 0;

  /// Whether the store answers; the error gives the reason and the remedy.
  virtual Result<Ok> ready() const = 0;
  /// Identifies the store's history; it changes when the store was recreated or restored from a
  /// backup. Then all watches are behind() and leadership is lost(). None: not known yet.
  virtual std::optional<std::uint64_t> store_id() const = 0;

  virtual void read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) = 0;
  /// `done` is called once the result is certain. If the store becomes unreachable during the
  /// commit, this can take until it is back; a commit that was not sent yet fails after seconds.
  /// Commits are carried out in the order of calling.
  virtual void commit(Txn txn, std::function<void(const Outcome&)> done) = 0;
  /// Watches changes with later revisions than `after`, of keys that begin with `prefix`.
  virtual WatchId watch(const std::string& prefix, Revision after, WatchEvents events) = 0;
  virtual void unwatch(WatchId id) = 0;
  /// From now on every commit of this store requires its leadership.
  virtual void campaign(LeadershipEvents events) = 0;
  /// Gives up leadership at once, without lost(); commits no longer require it. The destructor does
  /// the same.
  virtual void resign() = 0;

 protected:
  Store() = default;
};

}  // namespace perigee::coordination
