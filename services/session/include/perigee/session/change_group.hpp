/// Changes of the store by several threads, in groups: the changes that arrive while one group is
/// committed are the next group. A disk that commits in 4 ms then takes more than 250 changes a
/// second.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "perigee/base/result.hpp"

namespace perigee::session {

class ChangeGroup {
 public:
  /// Bounds the time that one group holds the store.
  static constexpr std::size_t changes_max = 64;

  /// Runs the changes in one transaction; called by one thread at a time.
  using RunAll = std::function<Result<Ok>(std::span<const std::function<void()>>)>;
  explicit ChangeGroup(RunAll run_all) : run_all_(std::move(run_all)) {}

  /// Returns after the transaction with `change` has ended, on this thread or another one. An
  /// error: nothing of the group has happened.
  Result<Ok> run(std::function<void()> change);

 private:
  struct Waiting {
    std::function<void()> change;
    std::optional<Result<Ok>> result;
  };
  void run_group(std::unique_lock<std::mutex>& lock);

  RunAll run_all_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<Waiting*> waiting_;  ///< in the order of arrival
  bool running_ = false;
};

}  // namespace perigee::session
