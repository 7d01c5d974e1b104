/// The subset of HTTP that the admin port needs: one GET or HEAD per connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee::host {

/// Request line and header fields together; longer ones are rejected.
inline constexpr std::size_t http_request_bytes_max = 8'192;

enum class HttpRead : std::uint8_t {
  Incomplete,  ///< more bytes are needed
  TooLong,
  Malformed,
  Complete,
  last = Complete
};

struct HttpRequest {
  HttpRead read = HttpRead::Incomplete;
  // Set for complete requests only; views into the bytes that were read.
  std::string_view method;
  std::string_view path;  ///< without the query
};

/// `bytes`: everything that the client has sent so far. Header fields are ignored.
HttpRequest read_http_request(std::string_view bytes);

}  // namespace perigee::host
