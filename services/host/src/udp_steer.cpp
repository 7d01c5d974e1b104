// A classic BPF program over a datagram's size and first byte; it needs no privileges.
#include <linux/filter.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "udp_bind.hpp"

namespace perigee::host {
namespace {

constexpr std::uint32_t first_socket = 0;
constexpr std::uint32_t second_socket = 1;

/// The accumulator is within [min, max], or the program ends with the second socket.
void demand(std::vector<sock_filter>& program, std::uint32_t min, std::uint32_t max) {
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, min, 1, 0));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, second_socket));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, max, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, second_socket));
}

}  // namespace

Result<Ok> steer(int fd, const UdpShape& first) {
  std::vector<sock_filter> program;
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0));  // of the payload
  demand(program, first.bytes_min, std::numeric_limits<std::uint32_t>::max());
  program.push_back(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0));
  program.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x0f));
  demand(program, first.low_nibble_min, first.low_nibble_max);
  program.push_back(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0));
  program.push_back(BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 4));
  demand(program, first.high_nibble_min, first.high_nibble_max);
  program.push_back(BPF_STMT(BPF_RET | BPF_K, first_socket));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &filter, sizeof filter) != 0) {
    return Error{"udp " + to_string(bound_address(fd)) +
                 ": the kernel cannot tell sessions from handshakes (" +
                 std::string(std::strerror(errno)) + "); it takes Linux 4.5 or newer"};
  }
  return Ok{};
}

}  // namespace perigee::host
