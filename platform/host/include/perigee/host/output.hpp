/// Standard output and standard error of a process with a loop: a separate thread writes, so the
/// caller never blocks. A full pipe or disk costs lines, never the loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "perigee/base/tick.hpp"

namespace perigee::host {

enum class Stream : std::uint8_t { Out, Error, last = Error };

/// At exit the process waits this long for each stream to be written.
inline constexpr Micros output_patience_us = 500'000;

/// Queues `text` for the stream. Any thread; never blocks.
void write_output(Stream stream, std::string text);
/// Waits until everything queued is written. False: `patience_us` was not enough.
bool flush_output(Micros patience_us);
/// Texts that were dropped on both streams since the start of the process.
std::uint64_t output_dropped();
/// Waits at most `patience_us` for the queues to become empty. Safe in signal handlers: takes no
/// lock and allocates nothing.
void await_output_in_signal(Micros patience_us) noexcept;

/// The queue of one file descriptor and the thread that writes it.
class LineWriter {
 public:
  /// Bytes of queued text. Beyond that the oldest text is dropped: a process's last lines matter
  /// most.
  static constexpr std::size_t waiting_bytes_max = 256U << 10;

  /// `after_loss(count)` is called on the writing thread once writing works again after `count`
  /// texts were dropped. The descriptor is not closed.
  LineWriter(int fd, std::function<void(std::uint64_t count)> after_loss);
  /// Does not wait: the thread ends once its current write returns.
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  void push(std::string text);
  bool flush(Micros patience_us);
  std::uint64_t dropped() const;
  /// Nothing is queued or being written. Takes no lock.
  bool idle() const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace perigee::host
