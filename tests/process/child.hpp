/// A process started by a test and ended with it.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "process/slowness.hpp"

namespace perigee::process_test {

class Child {
 public:
  /// Standard output and error go to a pipe that output() reads.
  explicit Child(std::vector<std::string> command);
  /// SIGKILL, if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  /// Waits up to 20 s (times `slowness`) for the end. Exit code, 128 + signal, or -1 if it did not
  /// end.
  int wait();
  /// Reads until `text` appeared in the output from `begin` on, the output ended, or 20 s (times
  /// `slowness`) passed.
  bool says(const std::string& text, std::size_t begin = 0);
  /// What was read so far; after wait() everything.
  const std::string& output() const { return output_; }

 private:
  bool read_some(int timeout_ms);
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string output_;
};

/// A base such that all ports that a cluster uses above it are free right now.
unsigned free_port_base();

/// What GET `path` on loopback answers, header included; empty if nobody listens.
std::string http_get(unsigned port, const std::string& path);

}  // namespace perigee::process_test
