#include "perigee/host/http_request.hpp"

#include <algorithm>

namespace perigee::host {
namespace {

/// Index of the empty line after the header fields; npos: not received yet.
std::size_t header_end(std::string_view bytes) {
  const std::size_t crlf = bytes.find("\r\n\r\n");
  const std::size_t lf = bytes.find("\n\n");
  return std::min(crlf, lf);
}

bool visible(char c) { return c > ' ' && c < 0x7f; }

/// Takes the next word of the request line; words are separated by single spaces.
std::string_view take_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

}  // namespace

HttpRequest read_http_request(std::string_view bytes) {
  const std::size_t end = header_end(bytes.substr(0, http_request_bytes_max));
  if (end == std::string_view::npos) {
    const bool full = bytes.size() >= http_request_bytes_max;
    return {full ? HttpRead::TooLong : HttpRead::Incomplete, {}, {}};
  }
  std::string_view line = bytes.substr(0, std::min(bytes.find_first_of("\r\n"), end));
  const std::string_view method = take_word(line);
  const std::string_view target = take_word(line);
  const bool good = !method.empty() && target.starts_with('/') && line.starts_with("HTTP/1.") &&
                    std::all_of(method.begin(), method.end(), visible) &&
                    std::all_of(target.begin(), target.end(), visible);
  if (!good) return {HttpRead::Malformed, {}, {}};
  return {HttpRead::Complete, method, target.substr(0, target.find('?'))};
}

}  // namespace perigee::host
