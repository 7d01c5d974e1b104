// Classic BPF programs that choose between two sockets of one port; they need no privileges. They
// check a datagram's size and first byte, then its sender: a hash of address and port, looked up in
// a search tree of known peers.
#include <linux/filter.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "perigee/host/secrets.hpp"
#include "udp_bind.hpp"

namespace perigee::host {
namespace {

constexpr std::uint32_t first_socket = 0;
constexpr std::uint32_t second_socket = 1;
constexpr std::size_t leaf_hashes = 16;  // compared one by one; with more hashes the tree branches

class Program {
 public:
  std::size_t size() const { return code_.size(); }
  void add(const sock_filter& instruction) { code_.push_back(instruction); }
  void choose(std::uint32_t socket) { add(BPF_STMT(BPF_RET | BPF_K, socket)); }
  /// Chooses the second socket unless the accumulator is within [min, max].
  void demand(std::uint32_t min, std::uint32_t max) {
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, min, 1, 0));
    choose(second_socket);
    add(BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, max, 0, 1));
    choose(second_socket);
  }
  /// A jump with a distance that land() fills in later.
  std::size_t leap() {
    add(BPF_STMT(BPF_JMP | BPF_JA, 0));
    return code_.size() - 1;
  }
  void land(std::size_t leap) { code_[leap].k = static_cast<std::uint32_t>(size() - leap - 1); }
  Result<Ok> attach(int fd) {
    if (code_.size() > BPF_MAXINSNS) return Error{"too many peers for one BPF program"};
    const sock_fprog filter{static_cast<unsigned short>(code_.size()), code_.data()};
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &filter, sizeof filter) == 0) {
      return Ok{};
    }
    return Error{"udp " + to_string(bound_address(fd)) +
                 ": the kernel cannot separate sessions from handshakes (" +
                 std::string(std::strerror(errno)) + "); this needs Linux 4.5 or newer"};
  }

 private:
  std::vector<sock_filter> code_;
};

void demand_shape(Program& program, const UdpShape& shape) {
  program.add(BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0));  // of the payload
  program.demand(shape.bytes_min, std::numeric_limits<std::uint32_t>::max());
  program.add(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0));
  program.add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x0f));
  program.demand(shape.low_nibble_min, shape.low_nibble_max);
  program.add(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0));
  program.add(BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 4));
  program.demand(shape.high_nibble_min, shape.high_nibble_max);
}

/// Unauthenticated senders must not be able to find addresses with the hash of a known peer: the
/// factor is random per process.
std::uint32_t factor() {
  static const auto drawn = static_cast<std::uint32_t>(random_u64()) | 1;
  return drawn;
}

/// The kernel reads these as big-endian numbers.
std::uint32_t word_at(const Address& address, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | address.ip[at + i];
  return word;
}

/// 31 bits, because the kernel's constants are signed. load_hash() computes the same in BPF.
std::uint32_t hash_of(const Address& address) {
  std::uint32_t hash = 0;
  const std::size_t words = address.family == Address::Family::IPv4 ? 1 : 4;
  for (std::size_t i = 0; i < words; ++i) hash = (hash ^ word_at(address, 4 * i)) * factor();
  return (hash ^ address.port) * factor() >> 1;
}

void load_hash(Program& program, std::uint32_t address_at, std::uint32_t words,
               std::uint32_t port_at) {
  const auto net = static_cast<std::uint32_t>(SKF_NET_OFF);
  program.add(BPF_STMT(BPF_LDX | BPF_W | BPF_IMM, 0));
  for (std::uint32_t i = 0; i < words; ++i) {
    program.add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, net + address_at + 4 * i));
    program.add(BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0));
    program.add(BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, factor()));
    program.add(BPF_STMT(BPF_MISC | BPF_TAX, 0));
  }
  program.add(BPF_STMT(BPF_LD | BPF_H | BPF_ABS, net + port_at));
  program.add(BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0));
  program.add(BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, factor()));
  program.add(BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 1));
}

/// Chooses the first socket if the accumulator is one of these sorted hashes, else the second.
void search(Program& program, std::span<const std::uint32_t> hashes) {
  if (hashes.size() > leaf_hashes) {
    const std::size_t middle = hashes.size() / 2;
    program.add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, hashes[middle], 0, 1));
    const std::size_t to_upper = program.leap();
    search(program, hashes.first(middle));
    program.land(to_upper);
    return search(program, hashes.subspan(middle));
  }
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    // Skips the remaining comparisons and one RET.
    const auto found = static_cast<std::uint8_t>(hashes.size() - i);
    program.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, hashes[i], found, 0));
  }
  program.choose(second_socket);
  program.choose(first_socket);
}

void search_family(Program& program, std::span<const Address> peers, Address::Family family) {
  std::vector<std::uint32_t> hashes;
  for (const Address& peer : peers) {
    if (peer.family == family) hashes.push_back(hash_of(peer));
  }
  std::sort(hashes.begin(), hashes.end());
  search(program, hashes);
}

void demand_peer(Program& program, std::span<const Address> peers) {
  // Without options: the port is at a fixed offset.
  constexpr std::uint32_t plain_ipv4_header = 0x45;
  program.add(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, static_cast<std::uint32_t>(SKF_NET_OFF)));
  program.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, plain_ipv4_header, 1, 0));
  const std::size_t to_ipv6 = program.leap();
  load_hash(program, 12, 1, 20);
  search_family(program, peers, Address::Family::IPv4);
  program.land(to_ipv6);
  program.add(BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 4));
  program.demand(6, 6);
  load_hash(program, 8, 4, 40);
  search_family(program, peers, Address::Family::IPv6);
}

}  // namespace

Result<Ok> steer(int fd, const UdpShape& first, std::optional<std::span<const Address>> peers) {
  Program program;
  demand_shape(program, first);
  if (peers) {
    demand_peer(program, *peers);
  } else {
    program.choose(first_socket);
  }
  return program.attach(fd);
}

}  // namespace perigee::host
