#include "process/child.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string>

namespace perigee::process_test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int pipe_bytes = 1 << 20;  // the kernel grants this size to unprivileged users

/// Whether no socket listens on the port. Connections left by a former listener (TIME_WAIT) do not
/// block a server: our servers, gRPC's and etcd's bind with SO_REUSEADDR as well.
bool port_is_free(int type, unsigned port) {
  const int fd = socket(AF_INET, type, 0);
  const int on = type == SOCK_STREAM ? 1 : 0;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool is_free = bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return is_free;
}

/// Only this end is non-blocking, and only while it is filled: the child gets an ordinary pipe.
void fill(int writing_end) {
  fcntl(writing_end, F_SETPIPE_SZ, 4096);
  fcntl(writing_end, F_SETFL, O_NONBLOCK);
  const std::string page(4096, '.');
  while (write(writing_end, page.data(), page.size()) > 0) {
  }
  while (write(writing_end, page.data(), 1) > 0) {
  }
  fcntl(writing_end, F_SETFL, 0);
}

}  // namespace

Child::Child(std::vector<std::string> command, Pipe pipe) : kind_(pipe) {
  std::vector<char*> arguments;
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  // A full pipe would stop the child: bots write a line per second, which fills 64 KiB in 8
  // minutes.
  pipe == Pipe::Full ? fill(ends[1]) : void(fcntl(ends[0], F_SETPIPE_SZ, pipe_bytes));
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execv(arguments[0], arguments.data());
    if (pipe != Pipe::Full) std::perror(arguments[0]);
    _exit(127);
  }
  close(ends[1]);
  pipe_ = ends[0];
}

Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(pipe_);
}

// A child that has ended has no pid, and kill(-1) would signal every process.
void Child::signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

bool Child::runs() const {
  siginfo_t ended{};
  return pid_ > 0 &&
         waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

bool Child::read_some(int timeout_ms) {
  pollfd ready{pipe_, POLLIN, 0};
  if (poll(&ready, 1, timeout_ms) <= 0) return true;  // nothing yet
  char buffer[4096];
  const ssize_t got = read(pipe_, buffer, sizeof buffer);
  if (got <= 0) return false;
  output_.append(buffer, static_cast<std::size_t>(got));
  return true;
}

bool Child::says(const std::string& text, std::size_t begin) {
  const auto deadline = Clock::now() + patience;
  while (output_.find(text, begin) == std::string::npos) {
    if (Clock::now() > deadline || !read_some(50)) break;
  }
  return output_.find(text, begin) != std::string::npos;
}

int Child::wait() {
  const auto deadline = Clock::now() + patience;
  while (kind_ == Pipe::Read && Clock::now() < deadline && read_some(50)) {
  }
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) return -1;
    usleep(5'000);
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

namespace {

/// Ports of one test: base to base + 299.
constexpr unsigned ports_per_base = 300;
constexpr unsigned first_base = 20'000, bases = 33;

/// Reserves a base of ports: two concurrent tests never get the same one, because a lock is held
/// until the process ends. Runs with different TMPDIR share the ports, so they share the locks,
/// too. -1: another test holds it.
int lock_base(unsigned base) {
  const std::string file = "/tmp/perigee-test-ports-" + std::to_string(base);
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

bool ports_are_free(unsigned base) {
  for (const unsigned offset : {0U,   10U,  11U,  12U,  13U,  20U, 21U, 30U,  40U,  41U,
                                100U, 101U, 102U, 110U, 111U, 80U, 81U, 120U, 190U, 200U}) {
    if (!port_is_free(SOCK_STREAM, base + offset) || !port_is_free(SOCK_DGRAM, base + offset)) {
      return false;
    }
  }
  return true;
}

}  // namespace

unsigned free_port_base() {
  static std::map<unsigned, int> held;
  const unsigned start = static_cast<unsigned>(getpid()) % bases;
  const auto deadline = Clock::now() + patience;
  do {
    for (unsigned i = 0; i < bases; ++i) {
      const unsigned base = first_base + (start + i) % bases * ports_per_base;
      const bool ours = held.contains(base);
      const int lock = ours ? held[base] : lock_base(base);
      if (lock < 0) continue;
      if (ports_are_free(base)) {
        held[base] = lock;
        return base;
      }
      if (!ours) close(lock);
    }
    usleep(100'000);
  } while (Clock::now() < deadline);
  std::fprintf(stderr, "no free ports between %u and %u: ss -ltnup shows who has them\n",
               first_base, first_base + bases * ports_per_base);
  std::abort();
}

namespace {

/// -1: the port is closed, or its backlog is full for 2 s.
int connect_to(unsigned port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience_s{2 * slowness, 0};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience_s, sizeof patience_s);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return fd;
  close(fd);
  return -1;
}

}  // namespace

std::string http_get(unsigned port, const std::string& path, int patience_ms) {
  const int fd = connect_to(port);
  if (fd < 0) return {};
  const timeval limit{patience_ms / 1'000, patience_ms % 1'000 * 1'000};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  std::string answer;
  const std::string request = "GET " + path + " HTTP/1.0\r\n\r\n";
  if (write(fd, request.data(), request.size()) > 0) {
    char buffer[4096];
    for (ssize_t got = 0; (got = read(fd, buffer, sizeof buffer)) > 0;) {
      answer.append(buffer, static_cast<std::size_t>(got));
    }
  }
  close(fd);
  return answer;
}

IdleConnection::IdleConnection(unsigned port, const std::string& begin) : fd_(connect_to(port)) {
  if (fd_ >= 0 && !begin.empty()) (void)!send(fd_, begin.data(), begin.size(), MSG_NOSIGNAL);
}
IdleConnection::~IdleConnection() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace perigee::process_test
