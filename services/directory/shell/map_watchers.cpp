#include "map_watchers.hpp"

#include <utility>
#include <vector>

namespace perigee::directory {
namespace {

grpc::Status stopping() { return {grpc::StatusCode::UNAVAILABLE, "the directory is stopping"}; }

class RefusedCall final : public grpc::ServerWriteReactor<v1::ClusterMap> {
 public:
  explicit RefusedCall(const grpc::Status& status) { Finish(status); }
  void OnDone() override { delete this; }
};

}  // namespace

/// One call. Guarded by the owner's mutex; while a write is under way, only gRPC uses it.
class MapWatchers::Watcher final : public grpc::ServerWriteReactor<v1::ClusterMap> {
 public:
  explicit Watcher(MapWatchers& owner) : owner_(owner) {}
  void OnWriteDone(bool ok) override { owner_.on_written(*this, ok); }
  void OnCancel() override { owner_.on_cancelled(*this); }
  void OnDone() override { delete this; }

  std::shared_ptr<const v1::ClusterMap> map;  ///< the newest that was sent to it
  bool writing = false;
  bool cancelled = false;

 private:
  MapWatchers& owner_;
};

MapWatchers::MapWatchers(std::uint32_t watchers_max)
    : watchers_max_(watchers_max), writer_([this] { run(); }) {}
MapWatchers::~MapWatchers() { stop(); }

grpc::ServerWriteReactor<v1::ClusterMap>* MapWatchers::refuse(const grpc::Status& status) {
  return new RefusedCall(status);
}

grpc::ServerWriteReactor<v1::ClusterMap>* MapWatchers::add() {
  const std::lock_guard lock(mutex_);
  if (stopping_) return refuse(stopping());
  if (watchers_.size() == watchers_max_) {
    return refuse({grpc::StatusCode::RESOURCE_EXHAUSTED, "too many watchers; try again later"});
  }
  auto* watcher = new Watcher(*this);
  watchers_.insert(watcher);
  woken_.notify_one();
  return watcher;
}

void MapWatchers::send(std::shared_ptr<const v1::ClusterMap> newest) {
  const std::lock_guard lock(mutex_);
  newest_ = std::move(newest);
  woken_.notify_one();
}

// gRPC may call a watcher back before StartWrite() has returned, so writes start without the mutex.
// A watcher that is marked as writing ends only after OnWriteDone(), so it still exists.
void MapWatchers::run() {
  std::unique_lock lock(mutex_);
  std::vector<Watcher*> due;
  while (!stopping_) {
    due.clear();
    for (Watcher* watcher : watchers_) {
      if (watcher->writing || watcher->cancelled || watcher->map == newest_) continue;
      watcher->map = newest_;
      watcher->writing = true;
      due.push_back(watcher);
    }
    if (due.empty()) {
      woken_.wait(lock);
      continue;
    }
    lock.unlock();
    for (Watcher* watcher : due) watcher->StartWrite(watcher->map.get());
    lock.lock();
  }
}

void MapWatchers::on_written(Watcher& watcher, bool ok) {
  std::unique_lock lock(mutex_);
  watcher.writing = false;
  if (ok && !watcher.cancelled && !stopping_) return woken_.notify_one();
  watchers_.erase(&watcher);
  const grpc::Status status = stopping_ ? stopping() : grpc::Status::CANCELLED;
  lock.unlock();
  watcher.Finish(status);
}

void MapWatchers::on_cancelled(Watcher& watcher) {
  std::unique_lock lock(mutex_);
  watcher.cancelled = true;
  if (watcher.writing || watchers_.erase(&watcher) == 0) return;  // ended by another call
  lock.unlock();
  watcher.Finish(grpc::Status::CANCELLED);
}

void MapWatchers::stop() {
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

std::uint32_t MapWatchers::count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(watchers_.size());
}

}  // namespace perigee::directory
