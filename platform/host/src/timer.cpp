#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

#include <algorithm>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::host {
namespace {

timespec to_timespec(Micros us) { return {us / 1'000'000, us % 1'000'000 * 1'000}; }

}  // namespace

struct Timer::Impl {
  uv_poll_t poll{};
  int fd = -1;
  std::function<void()> due;

  void set(Micros deadline_us, Micros period_us) {
    // A deadline of zero would disarm the timer.
    const itimerspec spec{to_timespec(period_us), to_timespec(std::max<Micros>(deadline_us, 1))};
    const int code = timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, nullptr);
    PERIGEE_ASSERT(code == 0, "timer deadlines and periods must not be negative");
  }
  static void fired(uv_poll_t* poll, int, int) {
    auto* self = static_cast<Impl*>(poll->data);
    std::uint64_t expirations = 0;
    if (read(self->fd, &expirations, sizeof expirations) != sizeof expirations) return;
    self->due();
  }
};

Timer::Timer(Loop& loop, std::function<void()> due) : impl_(new Impl) {
  impl_->due = std::move(due);
  impl_->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  PERIGEE_ASSERT(impl_->fd >= 0, "out of file descriptors for a timer");
  uv_poll_init(loop.native(), &impl_->poll, impl_->fd);
  impl_->poll.data = impl_;
  uv_poll_start(&impl_->poll, UV_READABLE, Impl::fired);
}

Timer::~Timer() {
  if (impl_ == nullptr) return;
  uv_poll_stop(&impl_->poll);
  close(impl_->fd);
  uv_close(reinterpret_cast<uv_handle_t*>(&impl_->poll),
           [](uv_handle_t* handle) { delete static_cast<Impl*>(handle->data); });
}

Timer::Timer(Timer&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
Timer& Timer::operator=(Timer&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

void Timer::at(Micros deadline_us) { impl_->set(deadline_us, 0); }
void Timer::every(Micros period_us) { impl_->set(Loop::clock_us() + period_us, period_us); }
void Timer::stop() {
  const itimerspec disarmed{};
  timerfd_settime(impl_->fd, 0, &disarmed, nullptr);
}

}  // namespace perigee::host
