/// Open calls of a streaming method: each is sent the newest message, and then each later one. A
/// watcher costs memory but no thread, and a slow watcher misses messages instead of delaying the
/// others.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "perigee/base/tick.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::host {

template <class Message>
class NewestStream {
 public:
  struct Limits {
    std::uint32_t watchers_max = 0;
    /// A watcher that has not read a message for so long is cancelled. 0: it may take any time.
    Micros unread_us_max = 0;
  };
  struct Counts {
    std::uint32_t watching = 0;
    std::uint64_t cancelled = 0;  ///< watchers that did not read
  };

  using Shared = std::shared_ptr<const Message>;
  /// The message to a watcher in place of `newest`. `had` was the newest message at the watcher's
  /// last write. Null: `newest` itself. Called on this object's thread, without its mutex.
  using Step = std::function<Shared(const Shared& had, const Shared& newest)>;

  explicit NewestStream(const Limits& limits) : limits_(limits), writer_([this] { run(); }) {}
  ~NewestStream() { stop(); }

  /// The call ends at once if there are watchers_max already, or after stop(). With `step` a
  /// watcher gets a whole message first, and after its last one has lost all other owners.
  grpc::ServerWriteReactor<Message>* add(grpc::CallbackServerContext& context, Step step = {});
  /// A call that ends at once.
  static grpc::ServerWriteReactor<Message>* refuse(const grpc::Status& status) {
    return new RefusedCall(status);
  }
  /// Any thread; does not wait for watchers.
  void send(Shared newest);
  /// Ends all watches; a write under way completes first.
  void stop();
  Counts counts() const;

 private:
  class RefusedCall final : public grpc::ServerWriteReactor<Message> {
   public:
    explicit RefusedCall(const grpc::Status& status) { this->Finish(status); }
    void OnDone() override { delete this; }
  };
  class Watcher;
  static grpc::Status stopping() {
    return {grpc::StatusCode::UNAVAILABLE, "the service is stopping"};
  }
  struct Due {
    Watcher* watcher = nullptr;
    Shared had;
    Shared message;
  };
  void run();
  void take_due(std::vector<Due>& due);
  void cancel_stuck();
  void wait(std::unique_lock<std::mutex>& lock);
  void on_written(Watcher& watcher, bool ok);
  void on_cancelled(Watcher& watcher);

  const Limits limits_;
  mutable std::mutex mutex_;
  std::condition_variable woken_;
  std::set<Watcher*> watchers_;
  Shared newest_;
  std::uint64_t sent_ = 0;  ///< number of newest_
  std::uint64_t cancelled_ = 0;
  bool stopping_ = false;
  std::thread writer_;
};

/// One call. Guarded by the owner's mutex; while a write is under way, only gRPC uses it.
template <class Message>
class NewestStream<Message>::Watcher final : public grpc::ServerWriteReactor<Message> {
 public:
  Watcher(NewestStream& owner, grpc::CallbackServerContext& context, Step chosen)
      : step(std::move(chosen)), owner_(owner), context_(context) {}
  void OnWriteDone(bool ok) override { owner_.on_written(*this, ok); }
  void OnCancel() override { owner_.on_cancelled(*this); }
  void OnDone() override { delete this; }
  void cancel() { context_.TryCancel(); }

  const Step step;
  std::weak_ptr<const Message> had;  ///< the newest message at its last write
  std::uint64_t given = 0;           ///< the number of that one
  Shared written;                    ///< while it is written
  Micros writing_since_us = 0;
  bool writing = false;
  bool cancelled = false;

 private:
  NewestStream& owner_;
  grpc::CallbackServerContext& context_;
};

template <class Message>
grpc::ServerWriteReactor<Message>* NewestStream<Message>::add(grpc::CallbackServerContext& context,
                                                              Step step) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return refuse(stopping());
  if (watchers_.size() == limits_.watchers_max) {
    return refuse({grpc::StatusCode::RESOURCE_EXHAUSTED, "too many watchers; try again later"});
  }
  auto* watcher = new Watcher(*this, context, std::move(step));
  watchers_.insert(watcher);
  woken_.notify_one();
  return watcher;
}

template <class Message>
void NewestStream<Message>::send(Shared newest) {
  const std::lock_guard lock(mutex_);
  if (newest == newest_) return;
  newest_ = std::move(newest);
  ++sent_;
  woken_.notify_one();
}

// gRPC may call a watcher back before StartWrite() has returned, so writes start without the mutex.
// A watcher that is marked as writing ends only after OnWriteDone(), so it still exists.
template <class Message>
void NewestStream<Message>::run() {
  std::unique_lock lock(mutex_);
  std::vector<Due> due;
  while (!stopping_) {
    take_due(due);
    if (due.empty()) {
      wait(lock);
      continue;
    }
    lock.unlock();
    for (Due& each : due) {
      const Step& step = each.watcher->step;
      auto stepped = step && each.had ? step(each.had, each.message) : Shared();
      if (stepped) each.message = std::move(stepped);
    }
    lock.lock();
    for (const Due& each : due) each.watcher->written = each.message;
    lock.unlock();
    for (const Due& each : due) each.watcher->StartWrite(each.message.get());
    due.clear();
    lock.lock();
  }
}

template <class Message>
void NewestStream<Message>::take_due(std::vector<Due>& due) {
  for (Watcher* watcher : watchers_) {
    if (watcher->writing || watcher->cancelled || watcher->given == sent_) continue;
    due.push_back({watcher, watcher->had.lock(), newest_});
    watcher->had = newest_;
    watcher->given = sent_;
    watcher->writing = true;
    watcher->writing_since_us = Loop::clock_us();
  }
}

template <class Message>
void NewestStream<Message>::wait(std::unique_lock<std::mutex>& lock) {
  if (limits_.unread_us_max == 0) return woken_.wait(lock);
  woken_.wait_for(lock, std::chrono::microseconds(limits_.unread_us_max));
  cancel_stuck();
}

template <class Message>
void NewestStream<Message>::cancel_stuck() {
  const Micros now_us = Loop::clock_us();
  for (Watcher* watcher : watchers_) {
    const Micros unread_us = now_us - watcher->writing_since_us;
    if (!watcher->writing || watcher->cancelled || unread_us < limits_.unread_us_max) continue;
    watcher->cancelled = true;
    ++cancelled_;
    watcher->cancel();
  }
}

template <class Message>
void NewestStream<Message>::on_written(Watcher& watcher, bool ok) {
  std::unique_lock lock(mutex_);
  watcher.writing = false;
  watcher.written.reset();
  if (ok && !watcher.cancelled && !stopping_) return woken_.notify_one();
  watchers_.erase(&watcher);
  const grpc::Status status = stopping_ ? stopping() : grpc::Status::CANCELLED;
  lock.unlock();
  watcher.Finish(status);
}

template <class Message>
void NewestStream<Message>::on_cancelled(Watcher& watcher) {
  std::unique_lock lock(mutex_);
  watcher.cancelled = true;
  if (watcher.writing || watchers_.erase(&watcher) == 0) return;  // ended by another call
  lock.unlock();
  watcher.Finish(grpc::Status::CANCELLED);
}

template <class Message>
void NewestStream<Message>::stop() {
  std::vector<Watcher*> ended;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    std::erase_if(watchers_, [&](Watcher* watcher) {
      if (!watcher->writing) ended.push_back(watcher);
      return !watcher->writing;
    });
    woken_.notify_one();
  }
  for (Watcher* watcher : ended) watcher->Finish(stopping());
  if (writer_.joinable()) writer_.join();
}

template <class Message>
auto NewestStream<Message>::counts() const -> Counts {
  const std::lock_guard lock(mutex_);
  return {static_cast<std::uint32_t>(watchers_.size()), cancelled_};
}

}  // namespace perigee::host
