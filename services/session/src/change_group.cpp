#include "perigee/session/change_group.hpp"

#include <algorithm>
#include <utility>

namespace perigee::session {

Result<Ok> ChangeGroup::run(std::function<void()> change) {
  Waiting own{std::move(change), std::nullopt};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  while (!own.result) {
    if (running_) {
      ended_.wait(lock);
    } else {
      run_group(lock);
    }
  }
  return *own.result;
}

// On the thread that finds no other one at work. Its own change is in the group, unless more than
// changes_max came before it.
void ChangeGroup::run_group(std::unique_lock<std::mutex>& lock) {
  const auto end =
      waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), changes_max));
  const std::vector<Waiting*> group(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  running_ = true;
  lock.unlock();
  std::vector<std::function<void()>> changes;
  changes.reserve(group.size());
  for (Waiting* one : group) changes.push_back(std::move(one->change));
  const Result<Ok> result = run_all_(changes);
  lock.lock();
  running_ = false;
  for (Waiting* one : group) one->result = result;
  ended_.notify_all();
}

}  // namespace perigee::session
