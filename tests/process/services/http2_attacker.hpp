/// A client that writes HTTP/2 byte by byte, with any protocol violation that a test needs.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::process_test {

namespace http2 {

enum Type : std::uint8_t {
  data = 0,
  headers = 1,
  rst_stream = 3,
  settings = 4,
  ping = 6,
  continuation = 9
};
inline constexpr std::uint8_t end_stream = 0x1, end_headers = 0x4;

std::string frame(Type type, std::uint8_t flags, std::uint32_t stream, std::string_view payload);
/// The client's first bytes. With a window of 0 the server cannot send a response.
std::string preface(bool window = true);
/// Fields without indexing and without Huffman codes.
std::string header_block(const std::vector<std::pair<std::string, std::string>>& fields);
/// The complete headers of a call.
std::string call(std::uint32_t stream, const std::string& path, const std::string& encoding = {});
/// A gRPC message, as one frame or several of 16 KiB, with or without the end of the stream.
std::string message(std::uint32_t stream, std::string_view bytes, bool compressed = false,
                    bool last = true);
/// A gzip file of `bytes` zeros, about `bytes` / 158 bytes long.
std::string zeros_in_gzip(std::size_t bytes);

}  // namespace http2

/// One connection to a port of 127.0.0.1, from another loopback address.
class RawClient {
 public:
  explicit RawClient(unsigned port, const char* from = "127.0.0.2");
  ~RawClient();
  RawClient(RawClient&& other) noexcept
      : received_(std::move(other.received_)), socket_(std::exchange(other.socket_, -1)) {}
  RawClient& operator=(RawClient&&) = delete;
  /// False once the server has closed the connection, or accepts no data for a second.
  bool send_all(std::string_view bytes);
  /// Sends the frames of one message, as fast as the server opens its windows, until `over`.
  bool send_in_windows(std::string_view frames, const std::atomic<bool>& over);
  /// Reads all that has arrived, without waiting.
  void drain();
  /// Sends no more, and still reads.
  void close_half() const;
  bool open() const { return socket_ >= 0; }

 private:
  std::string received_;  // of an incomplete frame
  std::int64_t connection_window_ = 65'535, initial_window_ = 65'535, stream_window_ = 65'535;
  int socket_ = -1;
};

}  // namespace perigee::process_test
