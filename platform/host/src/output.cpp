#include "perigee/host/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <mutex>
#include <string_view>
#include <utility>

#include "perigee/base/counts.hpp"
#include "perigee/host/log.hpp"
#include "worker_thread.hpp"

namespace perigee::host {
namespace {

/// Blocks until the text is written. False: the descriptor rejects it, e.g. on a full disk.
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote > 0) {
      text.remove_prefix(static_cast<std::size_t>(wrote));
    } else if (wrote < 0 && errno == EAGAIN) {
      // Another process that shares the pipe has made it non-blocking.
      pollfd room{fd, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (wrote == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

struct LineWriter::State {
  const int fd;
  const std::function<void(std::uint64_t)> after_loss;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> waiting;  // guarded by mutex
  std::size_t waiting_bytes = 0;    // guarded by mutex
  bool stopping = false;            // guarded by mutex
  std::atomic<bool> idle = true;    // written under mutex
  std::atomic<std::uint64_t> dropped = 0;

  State(int to, std::function<void(std::uint64_t)> call) : fd(to), after_loss(std::move(call)) {}

  void run() {
    std::uint64_t sent = 0;
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (waiting.empty()) {
        idle = true;
        changed.notify_all();
        changed.wait(lock);
        continue;
      }
      const std::string text = std::move(waiting.front());
      waiting.pop_front();
      waiting_bytes -= text.size();
      lock.unlock();
      // A loss is reported only after a success: on a full disk the report would be lost, too.
      if (!write_all(fd, text)) {
        ++dropped;
      } else if (const std::uint64_t lost = dropped; lost != sent) {
        after_loss(lost - std::exchange(sent, lost));
      }
      lock.lock();
    }
  }
};

LineWriter::LineWriter(int fd, std::function<void(std::uint64_t)> after_loss)
    : state_(std::make_shared<State>(fd, std::move(after_loss))) {
  start_worker_thread([state = state_] { state->run(); }).detach();
}

LineWriter::~LineWriter() {
  const std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_all();
}

void LineWriter::push(std::string text) {
  if (text.empty()) return;
  const std::lock_guard lock(state_->mutex);
  State& state = *state_;
  state.waiting_bytes += text.size();
  state.waiting.push_back(std::move(text));
  while (state.waiting_bytes > waiting_bytes_max) {
    state.waiting_bytes -= state.waiting.front().size();
    state.waiting.pop_front();
    ++state.dropped;
  }
  if (state.waiting.empty()) return;
  state.idle = false;
  state.changed.notify_all();
}

bool LineWriter::flush(Micros patience_us) {
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, std::chrono::microseconds(patience_us),
                                  [&] { return state_->idle.load(); });
}

std::uint64_t LineWriter::dropped() const { return state_->dropped; }
bool LineWriter::idle() const noexcept { return state_->idle; }

namespace {

std::array<std::atomic<LineWriter*>, enum_count<Stream>> writers;

/// Never destroyed: threads may write until the process has ended.
LineWriter& writer_of(Stream stream) {
  static std::mutex mutex;
  auto& slot = writers[static_cast<std::size_t>(stream)];
  if (LineWriter* const made = slot) return *made;
  const std::lock_guard lock(mutex);
  if (slot == nullptr) {
    slot = new LineWriter(
        stream == Stream::Out ? STDOUT_FILENO : STDERR_FILENO, [stream](std::uint64_t count) {
          log_warning("output dropped: it was not read in time",
                      {{"stream", stream == Stream::Out ? "stdout" : "stderr"}, {"texts", count}});
        });
    static const bool flushed_at_exit = std::atexit([] { flush_output(output_patience_us); }) == 0;
    static_cast<void>(flushed_at_exit);
  }
  return *slot;
}

}  // namespace

void write_output(Stream stream, std::string text) { writer_of(stream).push(std::move(text)); }

bool flush_output(Micros patience_us) {
  bool all = true;
  for (const auto& slot : writers) {
    if (LineWriter* const writer = slot) all = writer->flush(patience_us) && all;
  }
  return all;
}

std::uint64_t output_dropped() {
  std::uint64_t sum = 0;
  for (const auto& slot : writers) {
    if (const LineWriter* const writer = slot) sum += writer->dropped();
  }
  return sum;
}

void await_output_in_signal(Micros patience_us) noexcept {
  constexpr long nap_ns = 1'000'000;
  for (Micros waited_us = 0; waited_us < patience_us; waited_us += nap_ns / 1'000) {
    bool idle = true;
    for (const auto& slot : writers) {
      if (const LineWriter* const writer = slot) idle = writer->idle() && idle;
    }
    if (idle) return;
    const timespec nap{0, nap_ns};
    nanosleep(&nap, nullptr);
  }
}

}  // namespace perigee::host
