/// What several directories, restarts and lost replies must agree on: keys with values and
/// revisions, changed by compare-and-swap, watched, and led by one of them at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "perigee/netcode/result.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::coordination {

/// Counts the changes of a store; each commit has one, and larger is later. Never 0.
using Revision = std::uint64_t;

inline constexpr std::size_t key_bytes_max = 256;
inline constexpr std::size_t value_bytes_max = 64 * 1024;
/// Of one transaction: compares, and puts and erases together. etcd's own default is 128.
inline constexpr std::size_t ops_max = 100;
/// Keys and values of one transaction. etcd's own default is 1.5 MiB.
inline constexpr std::size_t txn_bytes_max = 1024 * 1024;
/// Commits that wait for the one that is under way.
inline constexpr std::size_t commits_max = 256;

struct Entry {
  std::string key;
  std::string value;
  Revision revision = 0;  ///< of its newest change
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct Snapshot {
  std::vector<Entry> entries;  ///< by key
  Revision revision = 0;       ///< a watch goes on from here
};

struct Change {
  std::string key;
  std::optional<std::string> value;  ///< none: erased
  Revision revision = 0;
  friend bool operator==(const Change&, const Change&) = default;
};

/// All of it or nothing. No key is put or erased twice in it.
struct Txn {
  struct Compare {
    std::string key;
    Revision revision = 0;  ///< that it has; 0: there is no such key
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
  std::vector<Entry> present;  ///< of what was compared; what is missing here is absent
};
/// Asked while not leading, or by a leader that is none any more; nothing was changed.
struct NotLeader {};
/// Error: nothing was changed, and nothing will be.
using Outcome = std::variant<Committed, Stale, NotLeader, Error>;

/// Whether a store takes it at all.
Result<Ok> check(const Txn& txn);

struct WatchEvents {
  /// In order, each once; all changes of one revision come together.
  std::function<void(std::span<const Change>)> changed;
  /// The watch has ended, and a gap would follow: read anew, then watch from there.
  std::function<void(const std::string& why)> behind;
};
using WatchId = std::uint32_t;

struct LeadershipEvents {
  /// Terms only grow. What is committed from here until lost() is guarded by this term.
  std::function<void(Revision term)> leads;
  /// It goes on campaigning, for a new term.
  std::function<void(const std::string& why)> lost;
};

/// One thread at a time; every callback comes from poll(), none from other calls. A callback may
/// call anything but poll() and the destructor. No call waits for disk or network.
class Store {
 public:
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Takes what has arrived and does what is due. `now_us`: of Loop::clock_us(). At least every
  /// 100 ms, and soon after `wake` was called, which happens on any thread.
  virtual void poll(Micros now_us) = 0;
  virtual void wake_by(std::function<void()> wake) = 0;

  /// Whether it answers; if not, why, and what to do.
  virtual Result<Ok> ready() const = 0;
  /// Names the store's history; another one once the store was made anew or put back from a
  /// backup. All watches are behind() and leadership is lost() then. None: not heard of yet.
  virtual std::optional<std::uint64_t> incarnation() const = 0;

  virtual void read(const std::string& prefix, std::function<void(Result<Snapshot>)> done) = 0;
  /// `done` is called once it is certain what became of it. That can take as long as the store is
  /// away, if the store went away in the middle; a commit that was not sent yet fails after
  /// seconds. Carried out in the order of calling.
  virtual void commit(Txn txn, std::function<void(const Outcome&)> done) = 0;
  /// Changes of keys that begin with `prefix`, of later revisions than `after`.
  virtual WatchId watch(const std::string& prefix, Revision after, WatchEvents events) = 0;
  virtual void unwatch(WatchId id) = 0;
  /// From now on every commit of this store needs its leadership.
  virtual void campaign(LeadershipEvents events) = 0;
  /// Gives leadership back at once, without lost(); commits need none any more. So does the end of
  /// the store.
  virtual void resign() = 0;

 protected:
  Store() = default;
};

}  // namespace perigee::coordination
