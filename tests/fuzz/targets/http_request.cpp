// A request to an HTTP port: whole, and cut into two or into many pieces.
#include <algorithm>
#include <string_view>

#include "fuzz/fuzz.hpp"
#include "perigee/host/http_request.hpp"

namespace perigee::fuzz {
namespace {

constexpr std::uint32_t body_max = 64;

void expect_consistent(const host::HttpReader& reader) {
  const host::HttpRequest& request = reader.request();
  const host::HttpRead read = reader.read();
  const bool complete = read == host::HttpRead::Complete;
  PERIGEE_ASSERT(!(complete || read == host::HttpRead::Body) || reader.has_head(),
                 "a body comes after its head");
  PERIGEE_ASSERT(!reader.has_head() || (!request.method.empty() && request.path.starts_with('/')),
                 "a head has a method and a path");
  PERIGEE_ASSERT(request.fields.size() <= host::http_fields_max, "fields are bounded");
  PERIGEE_ASSERT(request.body.size() <= body_max, "the body is bounded");
  PERIGEE_ASSERT(!complete || request.body.size() == request.content_length.value_or(0),
                 "the body has the length that was announced");
}

/// `piece`: the number of bytes of each piece. 0: grows from 1 on.
void expect_same(const host::HttpReader& whole, std::string_view text, std::size_t piece) {
  host::HttpReader pieces(body_max);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = piece != 0 ? piece : 1 + at / 8;
    const host::HttpRead before = pieces.read();
    const host::HttpRead after = pieces.take(text.substr(at, size));
    expect_consistent(pieces);
    PERIGEE_ASSERT(after >= before, "what was decided stays decided when more bytes come");
    at += size;
  }
  PERIGEE_ASSERT(pieces.read() == whole.read() && pieces.has_head() == whole.has_head(),
                 "pieces of a request are read as the whole is");
  PERIGEE_ASSERT(whole.read() != host::HttpRead::Refused || pieces.fault() == whole.fault(),
                 "and refused for the same reason");
  const host::HttpRequest &a = whole.request(), &b = pieces.request();
  PERIGEE_ASSERT(!whole.has_head() ||
                     (a.method == b.method && a.path == b.path && a.body == b.body &&
                      a.fields.size() == b.fields.size() && a.content_length == b.content_length),
                 "and have the same content");
}

void run(Input input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  host::HttpReader whole(body_max);
  whole.take(text);
  expect_consistent(whole);
  expect_same(whole, text, 0);
  expect_same(whole, text, std::max<std::size_t>(1, (text.size() + 1) / 2));
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  for (const std::string_view text :
       {"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:40100\r\nAccept: */*\r\n\r\n",
        "HEAD /live?now HTTP/1.0\n\n", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab",
        "POST /v1/log_in HTTP/1.1\r\nOrigin: http://localhost:8080\r\nContent-Type: "
        "application/json\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n"
        "{\"playerName\":\"Ada\"}GET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "OPTIONS /v1/log_in HTTP/1.1\r\nAccess-Control-Request-Method: POST\r\n\r\n"}) {
    out.push_back(bytes_of(as_bytes_of(text.data(), text.size())));
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 9000};

}  // namespace perigee::fuzz
