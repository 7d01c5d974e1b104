/// A process started by a test and ended with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

#include "process/slowness.hpp"

namespace perigee::process_test {

class Child {
 public:
  enum class Pipe : std::uint8_t {
    Read,  ///< read by output()
    Full,  ///< full from the start, and never read
  };
  /// Standard output and error go to a pipe.
  explicit Child(std::vector<std::string> command, Pipe pipe = Pipe::Read);
  /// SIGKILL, if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  /// Whether it has not ended yet.
  bool runs() const;
  /// Waits up to `patience` for the end. Returns the exit code, 128 + signal, or -1 if the process
  /// did not end.
  int wait();
  /// Reads until `text` appears in the output from `begin` on, the output ends, or `patience` has
  /// passed.
  bool says(const std::string& text, std::size_t begin = 0);
  /// The output read so far; after wait() all of it.
  const std::string& output() const { return output_; }

 private:
  bool read_some(int timeout_ms);
  pid_t pid_ = -1;
  int pipe_ = -1;
  Pipe kind_;
  std::string output_;
};

/// A base for which all ports that a cluster uses above it are free right now.
unsigned free_port_base();

/// The answer to GET `path` on loopback, header included. It ends early, and may be empty, if the
/// port is closed or the server sends nothing for `patience_ms` (0: waits for ever).
std::string http_get(unsigned port, const std::string& path, int patience_ms = 0);

/// A TCP connection to loopback that sends `begin` and then stays idle.
class IdleConnection {
 public:
  IdleConnection(unsigned port, const std::string& begin);
  ~IdleConnection();
  IdleConnection(const IdleConnection&) = delete;
  IdleConnection& operator=(const IdleConnection&) = delete;
  /// False if the server did not accept it within 2 s.
  bool connected() const { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace perigee::process_test
