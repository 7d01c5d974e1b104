/// Reads one HTTP/1.x request from the bytes of a connection, as they come. The body's length is
/// given by Content-Length only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/host/http_answer.hpp"
#include "perigee/host/http_limits.hpp"

namespace perigee::host {

/// Request line and header fields together; longer ones are refused.
inline constexpr std::size_t http_head_bytes_max = 8'192;
inline constexpr std::size_t http_fields_max = 100;

struct HttpRequest {
  std::string method;
  std::string path;               ///< without the query
  std::vector<HttpField> fields;  ///< as received, with names in lower case
  std::optional<std::uint64_t> content_length;
  bool expects_continue = false;  ///< the client waits for "100 Continue" before it sends the body
  std::string body;

  /// The first field of this name (in lower case); null: there is none.
  const std::string* field(std::string_view name) const;
};

/// The reason for refusing a request, whatever it asks for.
enum class HttpFault : std::uint8_t {
  Malformed,
  HeadTooLong,
  BodyTooLong,
  NoLength,     ///< Transfer-Encoding instead of Content-Length
  Expectation,  ///< an Expect other than 100-continue
  Ended,        ///< the client has closed its side before the end of the request
  Late,         ///< the request was not complete in time
  Busy,         ///< the answer was not made in time
  last = Busy
};
int status_of(HttpFault fault);
std::string sentence_of(HttpFault fault, const HttpLimits& limits);

enum class HttpRead : std::uint8_t {
  Head,  ///< more bytes of the head are needed
  Body,  ///< the head is known; more bytes of the body are needed
  Complete,
  Refused
};

class HttpReader {
 public:
  explicit HttpReader(std::uint32_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  /// Takes the next bytes. Those after the end of the request, or after a refusal, are ignored.
  HttpRead take(std::string_view bytes);
  HttpRead read() const { return read_; }
  bool begun() const { return begun_; }
  /// Method, path and fields are known; also of a request that is refused because of its body.
  bool has_head() const { return has_head_; }
  /// Why the request is refused.
  HttpFault fault() const { return fault_; }
  const HttpRequest& request() const { return request_; }

 private:
  std::string_view take_head(std::string_view bytes);
  std::size_t find_end();
  void read_head(std::string_view head);
  bool read_request_line(std::string_view line);
  bool read_field(std::string_view line);
  void frame();
  void refuse(HttpFault fault);

  std::uint32_t body_bytes_max_;
  HttpRead read_ = HttpRead::Head;
  HttpFault fault_ = HttpFault::Malformed;
  bool begun_ = false;
  bool has_head_ = false;
  bool may_continue_ = false;  // HTTP/1.0 has no Expect
  std::string head_;
  std::size_t searched_ = 0;  // of head_
  HttpRequest request_;
};

}  // namespace perigee::host
