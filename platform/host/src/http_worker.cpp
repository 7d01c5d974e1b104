#include "http_worker.hpp"

#include <utility>

#include "perigee/base/assert.hpp"
#include "worker_thread.hpp"

namespace perigee::host {

HttpWorker::HttpWorker(Make make, std::function<void()> made)
    : make_(std::move(make)), made_(std::move(made)) {
  thread_ = start_worker_thread([this] { run(); });
}

void HttpWorker::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  given_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool HttpWorker::idle() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::Idle;
}

void HttpWorker::begin(Job job) {
  {
    const std::lock_guard lock(mutex_);
    PERIGEE_ASSERT(state_ == State::Idle, "answers are made one at a time");
    job_ = std::move(job);
    state_ = State::Given;
  }
  given_.notify_one();
}

std::optional<HttpWorker::Made> HttpWorker::take() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::Ready) return std::nullopt;
  state_ = State::Idle;
  return std::move(answer_);
}

void HttpWorker::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    given_.wait(lock, [this] { return stopping_ || state_ == State::Given; });
    if (stopping_) return;
    const Job job = std::move(job_);
    lock.unlock();
    HttpAnswer answer = make_(job.request, job.client);
    lock.lock();
    answer_ = {job.id, std::move(answer)};
    state_ = State::Ready;
    lock.unlock();
    made_();
    lock.lock();
  }
}

}  // namespace perigee::host
