#include "perigee/coordination/loop_driver.hpp"

namespace perigee::coordination {
namespace {

constexpr Micros period_us = 50'000;

}  // namespace

LoopDriver::LoopDriver(host::Loop& loop, Store& store)
    : LoopDriver(loop, store, [&store] { store.poll(host::Loop::clock_us()); }) {}

LoopDriver::LoopDriver(host::Loop& loop, Store& store, std::function<void()> poll)
    : store_(store),
      poll_(std::make_shared<const std::function<void()>>(std::move(poll))),
      timer_(loop, [this] { (*poll_)(); }) {
  timer_.every(period_us);
  store.wake_by([&loop, weak = std::weak_ptr(poll_)] {
    loop.post([weak] {
      if (const auto alive = weak.lock()) (*alive)();
    });
  });
}

LoopDriver::~LoopDriver() { store_.wake_by({}); }

}  // namespace perigee::coordination
