#include "perigee/host/http_request.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace perigee::host {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool visible(char c) { return c > ' ' && c < 0x7f; }

bool in_token(char c) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != none;
}

/// Of a field's value: text in any encoding, without control characters.
bool in_value(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != 0x7f); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == none) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// Takes the next word of the request line; words are separated by single spaces.
std::string_view take_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

/// Takes the next line, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Decimal digits only: no sign, no list of two equal lengths.
std::optional<std::uint64_t> length_of(std::string_view digits) {
  std::uint64_t length = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  const bool whole = code == std::errc{} && end == digits.data() + digits.size();
  return whole ? std::optional(length) : std::nullopt;
}

}  // namespace

const std::string* HttpRequest::field(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const HttpField& each) { return each.name == name; });
  return found == fields.end() ? nullptr : &found->value;
}

int status_of(HttpFault fault) {
  switch (fault) {
    case HttpFault::Malformed:
    case HttpFault::Ended:
      return 400;
    case HttpFault::HeadTooLong:
      return 431;
    case HttpFault::BodyTooLong:
      return 413;
    case HttpFault::NoLength:
      return 411;
    case HttpFault::Expectation:
      return 417;
    case HttpFault::Late:
      return 408;
    case HttpFault::Busy:
      return 503;
  }
  return 500;
}

std::string sentence_of(HttpFault fault, const HttpLimits& limits) {
  switch (fault) {
    case HttpFault::Malformed:
      return "not an HTTP/1.1 request";
    case HttpFault::Ended:
      return "the connection ended before the request";
    case HttpFault::HeadTooLong:
      return "request line and header fields may have " + std::to_string(http_head_bytes_max) +
             " bytes and " + std::to_string(http_fields_max) + " fields";
    case HttpFault::BodyTooLong:
      return "the body may have " + std::to_string(limits.body_bytes_max) + " bytes";
    case HttpFault::NoLength:
      return "send the body with Content-Length, without Transfer-Encoding";
    case HttpFault::Expectation:
      return "the only expectation that is met is 100-continue";
    case HttpFault::Late:
      return "the request was not complete within " +
             std::to_string(limits.request_us_max / 1'000'000) + " s";
    case HttpFault::Busy:
      return "the service is busy; try again in a few seconds";
  }
  return "refused";
}

HttpRead HttpReader::take(std::string_view bytes) {
  begun_ = begun_ || !bytes.empty();
  if (read_ == HttpRead::Head) bytes = take_head(bytes);
  if (read_ != HttpRead::Body) return read_;
  const std::size_t missing =
      static_cast<std::size_t>(request_.content_length.value_or(0)) - request_.body.size();
  request_.body.append(bytes.substr(0, missing));
  if (bytes.size() >= missing) read_ = HttpRead::Complete;
  return read_;
}

/// Returns the bytes after the head.
std::string_view HttpReader::take_head(std::string_view bytes) {
  const std::size_t taken = std::min(bytes.size(), http_head_bytes_max - head_.size());
  head_.append(bytes.substr(0, taken));
  const std::size_t end = find_end();
  if (end == none) {
    if (head_.size() == http_head_bytes_max) refuse(HttpFault::HeadTooLong);
    return {};
  }
  const std::size_t surplus = head_.size() - end;
  head_.resize(end);
  read_head(head_);
  head_ = {};
  return bytes.substr(taken - surplus);
}

/// Bytes of the head with its empty line. Searches each byte once, whatever the pieces are.
std::size_t HttpReader::find_end() {
  for (;;) {
    searched_ = std::min(head_.find('\n', searched_), head_.size());
    const std::string_view rest = std::string_view(head_).substr(searched_);
    if (rest.starts_with("\n\n")) return searched_ + 2;
    if (rest.starts_with("\n\r\n")) return searched_ + 3;
    if (rest.empty() || rest == "\n" || rest == "\n\r") return none;
    ++searched_;
  }
}

void HttpReader::read_head(std::string_view head) {
  if (!read_request_line(take_line(head))) return refuse(HttpFault::Malformed);
  for (std::string_view line = take_line(head); !line.empty(); line = take_line(head)) {
    if (request_.fields.size() == http_fields_max) return refuse(HttpFault::HeadTooLong);
    if (!read_field(line)) return refuse(HttpFault::Malformed);
  }
  frame();
}

bool HttpReader::read_request_line(std::string_view line) {
  const std::string_view method = take_word(line);
  const std::string_view target = take_word(line);
  constexpr std::string_view version = "HTTP/1.";
  const bool good = !method.empty() && target.starts_with('/') &&
                    std::all_of(method.begin(), method.end(), in_token) &&
                    std::all_of(target.begin(), target.end(), visible) &&
                    line.starts_with(version) && line.size() == version.size() + 1 &&
                    line.back() >= '0' && line.back() <= '9';
  if (!good) return false;
  may_continue_ = line.back() != '0';
  request_.method = method;
  request_.path = target.substr(0, target.find('?'));
  return true;
}

bool HttpReader::read_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == none || colon == 0) return false;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!std::all_of(name.begin(), name.end(), in_token)) return false;  // also a folded line's blank
  if (!std::all_of(value.begin(), value.end(), in_value)) return false;
  request_.fields.push_back({in_lower_case(name), std::string(value)});
  return true;
}

void HttpReader::frame() {
  const auto count = [&](std::string_view name) {
    return std::count_if(request_.fields.begin(), request_.fields.end(),
                         [&](const HttpField& each) { return each.name == name; });
  };
  if (const std::string* length = request_.field("content-length")) {
    request_.content_length = length_of(*length);
    // Two lengths: a proxy in front may have read the other one.
    if (!request_.content_length || count("content-length") > 1) {
      return refuse(HttpFault::Malformed);
    }
  }
  has_head_ = true;
  if (request_.field("transfer-encoding") != nullptr) return refuse(HttpFault::NoLength);
  if (request_.content_length.value_or(0) > body_bytes_max_) return refuse(HttpFault::BodyTooLong);
  if (const std::string* expect = request_.field("expect"); expect != nullptr && may_continue_) {
    if (in_lower_case(*expect) != "100-continue") return refuse(HttpFault::Expectation);
    request_.expects_continue = true;
  }
  read_ = HttpRead::Body;
}

void HttpReader::refuse(HttpFault fault) {
  read_ = HttpRead::Refused;
  fault_ = fault;
}

}  // namespace perigee::host
