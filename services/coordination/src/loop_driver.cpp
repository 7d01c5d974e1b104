#include "perigee/coordination/loop_driver.hpp"

namespace perigee::coordination {
namespace {

constexpr Micros period_us = 50'000;

}  // namespace

LoopDriver::LoopDriver(host::Loop& loop, Store& store)
    : store_(store), timer_(loop, [&store] { store.poll(host::Loop::clock_us()); }) {
  timer_.every(period_us);
  store.wake_by([&loop, &store, alive = std::weak_ptr(alive_)] {
    loop.post([&store, alive] {
      if (!alive.expired()) store.poll(host::Loop::clock_us());
    });
  });
}

LoopDriver::~LoopDriver() { store_.wake_by({}); }

}  // namespace perigee::coordination
