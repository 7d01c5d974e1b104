#include "perigee/host/loop.hpp"

#include <uv.h>

#include <algorithm>
#include <ctime>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "perigee/base/assert.hpp"
#include "uv_handle.hpp"

namespace perigee::host {
namespace {

Micros read_clock(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return Micros{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

void check(int code, const char* what) {
  PERIGEE_ASSERT(code == 0, (std::string(what) + ": " + uv_strerror(code)).c_str());
}

}  // namespace

struct Loop::Impl {
  uv_loop_t loop{};
  uv_async_t wake{};
  uv_prepare_t turn_end{};
  uv_idle_t awake{};  // while it runs, the loop does not sleep
  uv_signal_t term{};
  uv_signal_t interrupt{};
  uv_signal_t hangup{};
  std::function<void()> on_hangup;
  std::function<void(int)> on_signal;
  bool signalled = false;
  bool stopping = false;
  Micros awake_budget_us = 0;
  Micros active_at_us = 0;
  Micros awake_since_us = 0;  // 0: it sleeps
  Micros awake_us = 0;        // before `awake_since_us`
  std::vector<std::function<void()>> hooks;
  std::vector<TurnOutput*> outputs;  // queued in this turn; null: destroyed since

  std::mutex mutex;
  std::vector<std::function<void()>> posted;  // guarded by mutex
  std::vector<std::function<void()>> running;

  void run_posted() {
    {
      const std::lock_guard lock(mutex);
      running.swap(posted);
    }
    for (auto& call : running) call();
    running.clear();
  }
  void end_turn() {
    for (auto& hook : hooks) hook();
    for (std::size_t i = 0; i < outputs.size(); ++i) {  // sending may queue more
      if (outputs[i] != nullptr) send(*outputs[i]);
    }
    outputs.clear();
  }
  static void send(TurnOutput& output) {
    output.queued_ = false;
    output.send_();
  }
  void doze() {
    const Micros now_us = read_clock(CLOCK_MONOTONIC);
    if (now_us - active_at_us < awake_budget_us) return;
    awake_us += now_us - std::exchange(awake_since_us, 0);
    uv_idle_stop(&awake);
  }
  void signal(int number) {
    if (std::exchange(signalled, true) || !on_signal) {
      stopping = true;
      uv_stop(&loop);
      return;
    }
    on_signal(number);
  }
};

Loop::Loop() : impl_(std::make_unique<Impl>()) {
  std::signal(SIGPIPE, SIG_IGN);
  check(uv_loop_init(&impl_->loop), "uv_loop_init");
  impl_->loop.data = impl_->wake.data = impl_->turn_end.data = impl_->awake.data = impl_.get();
  impl_->term.data = impl_->interrupt.data = impl_->hangup.data = impl_.get();
  check(uv_async_init(&impl_->loop, &impl_->wake,
                      [](uv_async_t* wake) { static_cast<Impl*>(wake->data)->run_posted(); }),
        "uv_async_init");
  uv_prepare_init(&impl_->loop, &impl_->turn_end);
  uv_prepare_start(&impl_->turn_end,
                   [](uv_prepare_t* prepare) { static_cast<Impl*>(prepare->data)->end_turn(); });
  uv_idle_init(&impl_->loop, &impl_->awake);
  check(uv_signal_init(&impl_->loop, &impl_->hangup), "uv_signal_init");
  for (auto [handle, number] : {std::pair{&impl_->term, SIGTERM}, {&impl_->interrupt, SIGINT}}) {
    check(uv_signal_init(&impl_->loop, handle), "uv_signal_init");
    uv_signal_start(
        handle, [](uv_signal_t* h, int n) { static_cast<Impl*>(h->data)->signal(n); }, number);
  }
}

Loop::~Loop() {
  uv_close(as_handle(&impl_->wake), nullptr);
  uv_close(as_handle(&impl_->turn_end), nullptr);
  uv_close(as_handle(&impl_->awake), nullptr);
  uv_close(as_handle(&impl_->term), nullptr);
  uv_close(as_handle(&impl_->interrupt), nullptr);
  uv_close(as_handle(&impl_->hangup), nullptr);
  // Runs the close callbacks. A stop() after the last run ends the first of these at once.
  if (uv_run(&impl_->loop, UV_RUN_DEFAULT) != 0) uv_run(&impl_->loop, UV_RUN_DEFAULT);
  check(uv_loop_close(&impl_->loop), "timers and sockets must be destroyed before their loop");
}

Micros Loop::clock_us() { return read_clock(CLOCK_MONOTONIC); }
Micros Loop::wall_us() { return read_clock(CLOCK_REALTIME); }
Micros Loop::thread_cpu_us() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
ClockPair Loop::clocks() { return {clock_us(), wall_us()}; }

void Loop::run() {
  impl_->stopping = false;
  uv_run(&impl_->loop, UV_RUN_DEFAULT);
  impl_->end_turn();  // uv_stop skips the end of the last turn
}
void Loop::stop() {
  impl_->stopping = true;
  uv_stop(&impl_->loop);
}
bool Loop::stopping() const { return impl_->stopping; }
void Loop::on_signal(std::function<void(int)> handler) { impl_->on_signal = std::move(handler); }

void Loop::on_hangup(std::function<void()> handler) {
  impl_->on_hangup = std::move(handler);
  uv_signal_start(
      &impl_->hangup, [](uv_signal_t* h, int) { static_cast<Impl*>(h->data)->on_hangup(); },
      SIGHUP);
}

void Loop::post(std::function<void()> call) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->posted.push_back(std::move(call));
  }
  uv_async_send(&impl_->wake);
}

void Loop::at_turn_end(std::function<void()> hook) { impl_->hooks.push_back(std::move(hook)); }
void TurnOutput::queue() {
  if (!std::exchange(queued_, true)) loop_.impl_->outputs.push_back(this);
}
TurnOutput::~TurnOutput() {
  if (queued_) std::ranges::replace(loop_.impl_->outputs, this, nullptr);
}
void Loop::stay_awake(Micros budget_us) { impl_->awake_budget_us = budget_us; }
void Loop::note_activity() {
  if (impl_->awake_budget_us == 0) return;
  impl_->active_at_us = clock_us();
  if (impl_->awake_since_us != 0) return;
  impl_->awake_since_us = impl_->active_at_us;
  uv_idle_start(&impl_->awake, [](uv_idle_t* idle) { static_cast<Impl*>(idle->data)->doze(); });
}
Micros Loop::awake_us() const {
  const Micros since_us = impl_->awake_since_us;
  return impl_->awake_us + (since_us == 0 ? 0 : clock_us() - since_us);
}

uv_loop_s* Loop::native() { return &impl_->loop; }

}  // namespace perigee::host
