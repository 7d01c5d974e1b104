#include "perigee/host/http_request.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perigee::host {
namespace {

const std::string whole = "GET /metrics?now=1 HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";

TEST(AnHttpRequest, HasMethodAndPathWithoutItsQuery) {
  const HttpRequest request = read_http_request(whole);
  ASSERT_EQ(request.read, HttpRead::Complete);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.path, "/metrics");
}

TEST(AnHttpRequest, MayBeWrittenByHand) {
  EXPECT_EQ(read_http_request("HEAD /live HTTP/1.0\n\n").path, "/live");
}

TEST(AnHttpRequest, IsIncompleteUntilItsEmptyLine) {
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(read_http_request(whole.substr(0, size)).read, HttpRead::Incomplete) << size;
  }
}

TEST(AnHttpRequest, IsRefusedWhenItIsSomethingElse) {
  for (const char* text : {"\r\n\r\n", "GET\r\n\r\n", "GET / \r\n\r\n", "GET live HTTP/1.1\r\n\r\n",
                           " / HTTP/1.1\r\n\r\n", "GET /\x01 HTTP/1.1\r\n\r\n",
                           "GET / HTTP/2\r\n\r\n", "\x16\x03\x01\n\n"}) {
    EXPECT_EQ(read_http_request(text).read, HttpRead::Malformed) << text;
  }
}

TEST(AnHttpRequest, IsRefusedWhenItIsTooLong) {
  std::string text = "GET / HTTP/1.1\r\nX: ";
  text.resize(http_request_bytes_max - 1, 'x');
  EXPECT_EQ(read_http_request(text).read, HttpRead::Incomplete);
  text += 'x';
  EXPECT_EQ(read_http_request(text).read, HttpRead::TooLong);
  EXPECT_EQ(read_http_request(text + "\r\n\r\n").read, HttpRead::TooLong);
}

}  // namespace
}  // namespace perigee::host
