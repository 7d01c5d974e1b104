// A request to the admin port, whole and in pieces.
#include <string_view>

#include "fuzz/fuzz.hpp"
#include "perigee/host/http_request.hpp"

namespace perigee::fuzz {
namespace {

void run(Input input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const host::HttpRequest whole = host::read_http_request(text);
  const bool complete = whole.read == host::HttpRead::Complete;
  PERIGEE_ASSERT(complete == !whole.method.empty(), "a request that is complete has a method");
  PERIGEE_ASSERT(complete == whole.path.starts_with('/'), "and a path");
  for (std::size_t size = 0; size < text.size(); size += 1 + size / 8) {
    const host::HttpRequest part = host::read_http_request(text.substr(0, size));
    PERIGEE_ASSERT(part.read == host::HttpRead::Incomplete || part.read == whole.read,
                   "what was decided stays decided when more bytes come");
    PERIGEE_ASSERT(part.read != host::HttpRead::Complete || part.path == whole.path,
                   "and names the same page");
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  for (const std::string_view text :
       {"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:40100\r\nAccept: */*\r\n\r\n",
        "HEAD /live?now HTTP/1.0\n\n", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab"}) {
    out.push_back(bytes_of(as_bytes_of(text.data(), text.size())));
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 8000};

}  // namespace perigee::fuzz
