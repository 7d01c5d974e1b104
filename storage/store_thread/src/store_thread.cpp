#include "perigee/store_thread/store_thread.hpp"

#include <algorithm>
#include <chrono>

#include "perigee/base/assert.hpp"
#include "perigee/host/log.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::store_thread {
namespace {

using std::chrono::microseconds;

}  // namespace

StoreThread::StoreThread(host::Loop& loop, world_store::Store& store, const world::GameModule& game,
                         Events events)
    : loop_(loop), store_(store), keeper_(store, game), events_(std::move(events)) {
  thread_ = std::thread([this] { run(); });
}

StoreThread::~StoreThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void StoreThread::begin(const world_keeper::Self& self) {
  {
    const std::lock_guard lock(mutex_);
    generation_of_loop_ = ++generation_;
    self_ = self;
    begun_ = false;
    load_.reset();
    rows_.clear();
    parts_.clear();
    lasting_.clear();
    profiles_.clear();
  }
  wake_.notify_one();
}

void StoreThread::store(const OutcomeRow& row) {
  {
    const std::lock_guard lock(mutex_);
    PERIGEE_ASSERT(rows_.size() < worker::Core::outcomes_waiting_max,
                   "more outcomes waiting than Core::outcomes_waiting_max");
    rows_.push_back(row);
  }
  wake_.notify_one();
}

void StoreThread::store(CheckpointPart part) {
  {
    const std::lock_guard lock(mutex_);
    if (parts_.size() == parts_max) {
      ++status_.parts_dropped;
      parts_.pop_front();
    }
    parts_.push_back(std::move(part));
  }
  wake_.notify_one();
}

void StoreThread::store(const LastingRow& row) {
  {
    const std::lock_guard lock(mutex_);
    lasting_.push_back(row);
  }
  wake_.notify_one();
}

void StoreThread::take_profile(std::uint64_t number, std::uint64_t owner) {
  {
    const std::lock_guard lock(mutex_);
    if (profiles_.size() >= taken_waiting_max) profiles_.pop_front();
    profiles_.push_back({number, owner});
  }
  wake_.notify_one();
}

void StoreThread::load(const ClusterMap& map) {
  {
    const std::lock_guard lock(mutex_);
    load_ = map;
  }
  wake_.notify_one();
}

void StoreThread::fence(const ClusterMap& map) {
  {
    const std::lock_guard lock(mutex_);
    fence_ = map;
  }
  wake_.notify_one();
}

StoreThread::Status StoreThread::status() {
  const std::lock_guard lock(mutex_);
  Status out = status_;
  status_.parts_us.clear();
  out.rows_waiting = rows_.size();
  return out;
}

bool StoreThread::behind() {
  const std::lock_guard lock(mutex_);
  return status_.behind;
}

bool StoreThread::has_work() const {
  return self_ && (!begun_ || load_ || fence_ || !rows_.empty() || !parts_.empty() ||
                   !lasting_.empty() || !profiles_.empty());
}

void StoreThread::run() {
  Lock lock(mutex_);
  const auto stops = [this] { return stopping_; };
  while (!stopping_) {
    wake_.wait_for(lock, microseconds(tidy_us), [this] { return stopping_ || has_work(); });
    if (begun_ && !load_ && parts_.empty() && profiles_.empty())
      wake_.wait_for(lock, microseconds(gather_us), stops);
    if (stopping_) return;
    const auto done = turn(lock);
    note(done);
    if (!done) wake_.wait_for(lock, microseconds(retry_us), stops);
  }
}

Result<Ok> StoreThread::turn(Lock& lock) {
  if (!self_) return Ok{};
  for (const auto step :
       {&StoreThread::begin_now, &StoreThread::fence_now, &StoreThread::load_now,
        &StoreThread::write_rows, &StoreThread::write_lasting, &StoreThread::take_profiles,
        &StoreThread::write_part, &StoreThread::tidy}) {
    const std::uint64_t generation = generation_;
    auto done = (this->*step)(lock);
    status_.faults = store_.faults();
    if (!done) return done;
    if (generation != generation_) return Ok{};  // the rest belongs to another incarnation
  }
  return Ok{};
}

Result<Ok> StoreThread::begin_now(Lock& lock) {
  if (begun_) return Ok{};
  const world_keeper::Self self = *self_;
  const std::uint64_t generation = generation_;
  lock.unlock();
  auto begun = keeper_.begin(self);
  lock.lock();
  if (!begun || generation != generation_) return begun;
  begun_ = true;
  answer([this] { events_.begun(); });
  return Ok{};
}

Result<Ok> StoreThread::fence_now(Lock& lock) {
  if (!fence_) return Ok{};
  const world_keeper::Self self = *self_;
  const ClusterMap map = *fence_;
  lock.unlock();
  auto fenced = keeper_.fence(self, map);
  lock.lock();
  if (fenced && fence_ && fence_->version == map.version) fence_.reset();
  return fenced;
}

Result<Ok> StoreThread::load_now(Lock& lock) {
  if (!load_) return Ok{};
  const world_keeper::Self self = *self_;
  const ClusterMap map = *load_;
  const std::uint64_t generation = generation_;
  lock.unlock();
  auto loaded = keeper_.load(self, map);
  lock.lock();
  if (!loaded) return loaded.error();
  if (generation != generation_) return Ok{};
  load_.reset();
  answer(
      [this, checkpoint = std::move(*loaded)]() mutable { events_.loaded(std::move(checkpoint)); });
  return Ok{};
}

Result<Ok> StoreThread::write_rows(Lock& lock) {
  if (rows_.empty()) return Ok{};
  const world_keeper::Self self = *self_;
  const std::size_t count = std::min(rows_.size(), world_store::Store::batch_rows_max);
  const std::vector<OutcomeRow> batch(rows_.begin(),
                                      rows_.begin() + static_cast<std::ptrdiff_t>(count));
  const std::uint64_t generation = generation_;
  lock.unlock();
  auto became = keeper_.append(self, batch);
  lock.lock();
  write_failed_ = !became.ok();
  if (!became) return became.error();
  if (generation != generation_) return Ok{};
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count));
  status_.rows_stored += count;
  answer([this, batch, became = std::move(*became)] {
    for (std::size_t i = 0; i < batch.size(); ++i) events_.stored(batch[i].number, became[i]);
  });
  return Ok{};
}

Result<Ok> StoreThread::write_lasting(Lock& lock) {
  if (lasting_.empty()) return Ok{};
  const world_keeper::Self self = *self_;
  std::vector<LastingRow> batch;
  for (std::size_t bytes = 0; batch.size() < lasting_.size() && bytes < lasting_batch_bytes;) {
    batch.push_back(lasting_[batch.size()]);
    bytes += batch.back().bytes.size();
  }
  const std::uint64_t generation = generation_;
  lock.unlock();
  auto became = keeper_.keep(self, batch, host::Loop::wall_us() / 1'000'000);
  lock.lock();
  write_failed_ = !became.ok();
  if (!became) return became.error();
  if (generation != generation_) return Ok{};
  lasting_.erase(lasting_.begin(), lasting_.begin() + static_cast<std::ptrdiff_t>(batch.size()));
  answer([this, batch, became = std::move(*became)] {
    for (std::size_t i = 0; i < batch.size(); ++i) events_.kept(batch[i].number, became[i]);
  });
  return Ok{};
}

// After the writes: a player that comes back gets what it has saved here.
Result<Ok> StoreThread::take_profiles(Lock& lock) {
  if (profiles_.empty()) return Ok{};
  const world_keeper::Self self = *self_;
  const std::size_t count = std::min(profiles_.size(), taken_batch);
  const std::vector<Question> batch(profiles_.begin(),
                                    profiles_.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::uint64_t> owners;
  for (const Question& each : batch) owners.push_back(each.owner);
  const std::uint64_t generation = generation_;
  lock.unlock();
  auto taken = keeper_.take_profiles(self, owners);
  lock.lock();
  if (!taken) return taken.error();
  if (generation != generation_) return Ok{};
  const std::uint64_t last = batch.back().number;
  while (!profiles_.empty() && profiles_.front().number <= last) profiles_.pop_front();
  answer([this, batch, taken = std::move(*taken)] {
    for (std::size_t i = 0; i < batch.size(); ++i) events_.profile(batch[i].number, taken[i]);
  });
  return Ok{};
}

Result<Ok> StoreThread::write_part(Lock& lock) {
  if (parts_.empty()) return Ok{};
  const world_keeper::Self self = *self_;
  const CheckpointPart part = parts_.front();
  lock.unlock();
  const Micros began_us = host::Loop::clock_us();
  const auto written = keeper_.write(self, part);
  const Micros took_us = host::Loop::clock_us() - began_us;
  lock.lock();
  write_failed_ = !written.ok();
  if (!written) return written.error();
  if (!parts_.empty() && parts_.front().tick == part.tick) parts_.pop_front();
  ++(*written ? status_.parts_written : status_.parts_dropped);
  if (*written) status_.parts_us.push_back(took_us);
  tidy_at_us_ = 0;
  return Ok{};
}

Result<Ok> StoreThread::tidy(Lock& lock) {
  const Micros now_us = host::Loop::clock_us();
  if (!begun_ || now_us < tidy_at_us_) return Ok{};
  const world_keeper::Self self = *self_;
  lock.unlock();
  const auto last = keeper_.last_checkpoint(self);
  const auto removed = last ? keeper_.tidy() : Result<bool>(last.error());
  lock.lock();
  if (!removed) return removed.error();
  status_.last_checkpoint = *last;
  tidy_at_us_ = *removed ? 0 : now_us + tidy_us;
  return Ok{};
}

// A turn without a write does not clear the fault of a failed write.
void StoreThread::note(const Result<Ok>& done) {
  if (done && !write_failed_ && std::exchange(status_.behind, false)) {
    host::log_info("the world store works again");
  } else if (!done && !std::exchange(status_.behind, true)) {
    host::log_warning("the world store does not work; retrying", {{"error", done.error().message}});
  }
}

}  // namespace perigee::store_thread
