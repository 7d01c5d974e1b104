#include "process/child.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <initializer_list>

namespace perigee::process_test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto patience = std::chrono::seconds(20 * slowness);

bool port_is_free(int type, unsigned port) {
  const int fd = socket(AF_INET, type, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool is_free = bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return is_free;
}

}  // namespace

Child::Child(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execv(arguments[0], arguments.data());
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

void Child::signal(int number) const { kill(pid_, number); }

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
  while (Clock::now() < deadline && read_some(50)) {
  }
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) return -1;
    usleep(5'000);
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

unsigned free_port_base() {
  // Every test process begins elsewhere, so that those running beside each other do not meet.
  unsigned base = 20'000 + static_cast<unsigned>(getpid()) % 50 * 200;
  for (int attempt = 0; attempt < 60; ++attempt, base = base >= 29'800 ? 20'000 : base + 200) {
    bool all_free = true;
    for (const unsigned offset :
         {0U, 10U, 11U, 12U, 20U, 21U, 30U, 40U, 41U, 100U, 101U, 102U, 110U, 111U, 190U}) {
      all_free = all_free && port_is_free(SOCK_STREAM, base + offset) &&
                 port_is_free(SOCK_DGRAM, base + offset);
    }
    if (all_free) return base;
  }
  return base;
}

std::string http_get(unsigned port, const std::string& path) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) {
    const std::string request = "GET " + path + " HTTP/1.0\r\n\r\n";
    if (write(fd, request.data(), request.size()) > 0) {
      char buffer[4096];
      for (ssize_t got = 0; (got = read(fd, buffer, sizeof buffer)) > 0;) {
        answer.append(buffer, static_cast<std::size_t>(got));
      }
    }
  }
  close(fd);
  return answer;
}

}  // namespace perigee::process_test
