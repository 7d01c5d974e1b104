#include "http2_attacker.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>

namespace perigee::process_test {
namespace http2 {
namespace {

std::string big_endian(std::uint64_t value, int bytes) {
  std::string out;
  while (bytes-- > 0) out += static_cast<char>(value >> (8 * bytes));
  return out;
}

/// Bits as packed by deflate (RFC 1951): numbers with the lowest bit first, codes with the highest
/// bit first.
class Bits {
 public:
  void number(std::uint32_t value, int bits) {
    for (int i = 0; i < bits; ++i) bit(value >> i & 1U);
  }
  void code(std::uint32_t value, int bits) {
    while (bits-- > 0) bit(value >> bits & 1U);
  }
  std::string bytes;

 private:
  void bit(std::uint32_t value) {
    if (used_ == 8) bytes += '\0', used_ = 0;
    bytes.back() = static_cast<char>(bytes.back() | static_cast<char>(value << used_));
    ++used_;
  }
  int used_ = 8;
};

}  // namespace

std::string frame(Type type, std::uint8_t flags, std::uint32_t stream, std::string_view payload) {
  std::string out = big_endian(payload.size(), 3);
  out += static_cast<char>(type);
  out += static_cast<char>(flags);
  out += big_endian(stream, 4);
  return out.append(payload);
}

std::string preface(bool window) {
  constexpr std::uint16_t initial_window_size = 4;
  const std::string none = big_endian(initial_window_size, 2) + big_endian(0, 4);
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(settings, 0, 0, window ? "" : none);
}

std::string header_block(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string out;
  for (const auto& [name, value] : fields) {
    out += '\0';
    out += static_cast<char>(name.size()) + name;
    out += static_cast<char>(value.size()) + value;
  }
  return out;
}

std::string call(std::uint32_t stream, const std::string& path, const std::string& encoding) {
  std::vector<std::pair<std::string, std::string>> fields{{":method", "POST"},
                                                          {":scheme", "http"},
                                                          {":path", path},
                                                          {":authority", "perigee"},
                                                          {"content-type", "application/grpc"},
                                                          {"te", "trailers"}};
  if (!encoding.empty()) fields.emplace_back("grpc-encoding", encoding);
  return frame(headers, end_headers, stream, header_block(fields));
}

std::string message(std::uint32_t stream, std::string_view bytes, bool compressed, bool last) {
  std::string all(1, static_cast<char>(compressed));
  all += big_endian(bytes.size(), 4);
  all.append(bytes);
  std::string out;
  constexpr std::size_t frame_bytes_max = 16'384;
  for (std::size_t at = 0; at < all.size(); at += frame_bytes_max) {
    const bool end = at + frame_bytes_max >= all.size();
    out += frame(data, end && last ? end_stream : 0, stream,
                 std::string_view(all).substr(at, frame_bytes_max));
  }
  return out;
}

std::string zeros_in_gzip(std::size_t bytes) {
  Bits bits;
  bits.number(1, 1);   // the last block
  bits.number(1, 2);   // with the fixed codes
  bits.code(0x30, 8);  // literal zero
  for (std::size_t announced = 1; announced < bytes; announced += 258) {
    bits.code(0xc5, 8);  // a length of 258 bytes
    bits.code(0, 5);     // at a distance of one byte
  }
  bits.code(0, 7);  // the end of the block
  // RFC 1952. The wrong checksum is detected only after everything has been decompressed.
  return std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + bits.bytes + std::string(8, '\0');
}

}  // namespace http2

namespace {

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (const char byte : bytes.substr(at, size))
    value = value << 8U | static_cast<std::uint8_t>(byte);
  return value;
}

}  // namespace

RawClient::RawClient(unsigned port, const char* from) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  // The port is chosen by connect(), which may take one of a connection that has just ended.
  const int later = 1;
  setsockopt(socket_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &later, sizeof later);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  inet_pton(AF_INET, from, &here.sin_addr);
  sockaddr_in there = here;
  there.sin_port = htons(static_cast<std::uint16_t>(port));
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(socket_, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 ||
      connect(socket_, reinterpret_cast<sockaddr*>(&there), sizeof there) != 0) {
    close(std::exchange(socket_, -1));
  }
}

RawClient::~RawClient() {
  if (socket_ >= 0) close(socket_);
}

bool RawClient::send_all(std::string_view bytes) {
  while (socket_ >= 0 && !bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      close(std::exchange(socket_, -1));
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return socket_ >= 0;
}

bool RawClient::send_in_windows(std::string_view frames, const std::atomic<bool>& over) {
  while (!frames.empty() && !over) {
    const auto payload = static_cast<std::int64_t>(number_at(frames, 0, 3));
    if (payload > std::min(connection_window_, stream_window_)) {
      pollfd news{socket_, POLLIN, 0};
      poll(&news, 1, 100);
      drain();
      if (!open()) return false;
      continue;
    }
    connection_window_ -= payload;
    stream_window_ -= payload;
    const std::size_t whole = 9 + static_cast<std::size_t>(payload);
    if (!send_all(frames.substr(0, whole))) return false;
    frames.remove_prefix(whole);
  }
  return true;
}

// Parses only the updates of the flow-control windows.
void RawClient::close_half() const { shutdown(socket_, SHUT_WR); }

void RawClient::drain() {
  char room[16'384];
  ssize_t got = 0;
  while (socket_ >= 0 && (got = recv(socket_, room, sizeof room, MSG_DONTWAIT)) > 0) {
    received_.append(room, static_cast<std::size_t>(got));
  }
  if (got == 0 && socket_ >= 0) close(std::exchange(socket_, -1));
  while (received_.size() >= 9 && received_.size() >= 9 + number_at(received_, 0, 3)) {
    constexpr int window_update = 8;
    if (received_[3] == window_update) {
      const auto more = static_cast<std::int64_t>(number_at(received_, 9, 4));
      (number_at(received_, 5, 4) == 0 ? connection_window_ : stream_window_) += more;
    }
    if (received_[3] == http2::settings && received_[4] == 0) {
      for (std::size_t at = 9; at < 9 + number_at(received_, 0, 3); at += 6) {
        constexpr std::uint64_t initial_window_size = 4;
        if (number_at(received_, at, 2) != initial_window_size) continue;
        stream_window_ +=
            static_cast<std::int64_t>(number_at(received_, at + 2, 4)) - initial_window_;
        initial_window_ = static_cast<std::int64_t>(number_at(received_, at + 2, 4));
      }
    }
    received_.erase(0, 9 + number_at(received_, 0, 3));
  }
}

}  // namespace perigee::process_test
