#include "perigee/host/http_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace perigee::host {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::Pointee;

constexpr std::uint32_t body_max = 16;
constexpr std::string_view in_full =
    "POST /v1/log_in?now=1 HTTP/1.1\r\nHost: a\r\nX-Twice:  y \r\ncontent-LENGTH: 4\r\n\r\nbody";

HttpReader reader_of(std::string_view bytes) {
  HttpReader reader(body_max);
  reader.take(bytes);
  return reader;
}
/// A request with these fields, each with its end of line, and a body.
HttpReader with_fields(std::string_view fields, std::string_view body = "") {
  return reader_of("POST / HTTP/1.1\r\n" + std::string(fields) + "\r\n" + std::string(body));
}
void expect_refused(const HttpReader& reader, HttpFault fault, std::string_view what) {
  EXPECT_EQ(reader.read(), HttpRead::Refused) << what;
  EXPECT_EQ(reader.fault(), fault) << what;
}

TEST(AnHttpRequest, HasMethodPathFieldsAndBody) {
  const HttpReader reader = reader_of(in_full);
  ASSERT_EQ(reader.read(), HttpRead::Complete);
  const HttpRequest& request = reader.request();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/v1/log_in") << "without its query";
  EXPECT_THAT(request.field("x-twice"), Pointee(std::string("y"))) << "without blanks";
  EXPECT_EQ(request.field("origin"), nullptr);
  EXPECT_EQ(request.body, "body");
  EXPECT_FALSE(request.expects_continue);
}

TEST(AnHttpRequest, IsTheSameInAnyPieces) {
  for (std::size_t piece = 1; piece < in_full.size(); ++piece) {
    HttpReader reader(body_max);
    for (std::size_t at = 0; at < in_full.size(); at += piece) {
      EXPECT_NE(reader.read(), HttpRead::Complete) << piece;
      reader.take(in_full.substr(at, piece));
    }
    ASSERT_EQ(reader.read(), HttpRead::Complete) << piece;
    EXPECT_EQ(reader.request().body, "body");
    EXPECT_EQ(reader.request().fields.size(), 3U);
  }
}

TEST(AnHttpRequest, HasAHeadBeforeItHasItsBody) {
  HttpReader reader = reader_of(in_full.substr(0, in_full.size() - 4));
  EXPECT_EQ(reader.read(), HttpRead::Body);
  EXPECT_TRUE(reader.has_head());
  EXPECT_EQ(reader.take("bod"), HttpRead::Body);
  EXPECT_EQ(reader.take("y and the next request"), HttpRead::Complete);
  EXPECT_EQ(reader.request().body, "body") << "the rest is ignored";
}

TEST(AnHttpRequest, MayBeWrittenByHand) {
  EXPECT_EQ(reader_of("HEAD /live HTTP/1.0\n\n").request().path, "/live");
  EXPECT_EQ(reader_of("GET / HTTP/1.1\nHost: a\n\r\n").read(), HttpRead::Complete);
}

TEST(AnHttpRequest, IsRefusedWhenItIsSomethingElse) {
  for (const char* text :
       {"\r\n\r\n", "GET\r\n\r\n", "GET / \r\n\r\n", "GET live HTTP/1.1\r\n\r\n",
        " / HTTP/1.1\r\n\r\n", "GET /\x01 HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        "GET / HTTP/1.1x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n", "\x16\x03\x01\n\n"}) {
    expect_refused(reader_of(text), HttpFault::Malformed, text);
    EXPECT_FALSE(reader_of(text).has_head()) << text;
  }
}

TEST(AnHttpRequest, IsRefusedForAFieldThatIsNone) {
  for (const char* field : {"no colon\r\n", ": no name\r\n", "A : b\r\n", " folded: line\r\n",
                            "A: b\r\n folded\r\n", "A: \x01\r\n", "A\r: b\r\n", "A: b\rC: d\r\n"}) {
    expect_refused(with_fields(field), HttpFault::Malformed, field);
  }
  EXPECT_EQ(with_fields("A:\r\nB: \t\r\nC: \xc3\xa9\r\n").read(), HttpRead::Complete);
}

TEST(AnHttpRequest, IsRefusedForALengthThatIsNone) {
  for (const char* length : {"", "-1", "+1", "0x1", "1 1", "1, 1", "1.0", "18446744073709551616"}) {
    expect_refused(with_fields("Content-Length: " + std::string(length) + "\r\n"),
                   HttpFault::Malformed, length);
  }
  expect_refused(with_fields("Content-Length: 1\r\nContent-Length: 1\r\n", "x"),
                 HttpFault::Malformed, "twice");
}

TEST(AnHttpRequest, IsRefusedWhenItsBodyIsTooLong) {
  EXPECT_EQ(with_fields("Content-Length: 16\r\n").read(), HttpRead::Body);
  const HttpReader reader = with_fields("Content-Length: 17\r\n");
  expect_refused(reader, HttpFault::BodyTooLong, "before the body is read");
  EXPECT_TRUE(reader.has_head());
  expect_refused(with_fields("Content-Length: 18446744073709551615\r\n"), HttpFault::BodyTooLong,
                 "by far");
}

TEST(AnHttpRequest, IsRefusedWhenItsBodyIsInChunks) {
  expect_refused(with_fields("Transfer-Encoding: chunked\r\n", "0\r\n\r\n"), HttpFault::NoLength,
                 "chunks");
  expect_refused(with_fields("Content-Length: 1\r\ntransfer-encoding: identity\r\n", "x"),
                 HttpFault::NoLength, "both");
}

TEST(AnHttpRequest, MayWaitBeforeItSendsItsBody) {
  EXPECT_TRUE(with_fields("Expect: 100-Continue\r\n").request().expects_continue);
  expect_refused(with_fields("Expect: tea\r\n"), HttpFault::Expectation, "tea");
  const HttpReader old = reader_of("POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(old.read(), HttpRead::Complete);
  EXPECT_FALSE(old.request().expects_continue) << "HTTP/1.0 has no 100 Continue";
}

TEST(AnHttpRequest, IsRefusedWhenItsHeadIsTooLong) {
  std::string text = "GET / HTTP/1.1\r\nX: ";
  text.resize(http_head_bytes_max - 1, 'x');
  EXPECT_EQ(reader_of(text).read(), HttpRead::Head);
  text += 'x';
  expect_refused(reader_of(text), HttpFault::HeadTooLong, "one byte");
  expect_refused(reader_of(text + "\r\n\r\n"), HttpFault::HeadTooLong, "and its end");
  std::string fields;
  for (std::size_t i = 0; i < http_fields_max; ++i) fields += "a:\r\n";
  EXPECT_EQ(with_fields(fields).read(), HttpRead::Complete);
  expect_refused(with_fields(fields + "a:\r\n"), HttpFault::HeadTooLong, "fields");
}

TEST(AnHttpFault, HasAStatusAndASentence) {
  const HttpLimits limits{.body_bytes_max = 4'096, .request_us_max = 10'000'000};
  EXPECT_EQ(status_of(HttpFault::BodyTooLong), 413);
  EXPECT_THAT(sentence_of(HttpFault::BodyTooLong, limits), HasSubstr("4096 bytes"));
  EXPECT_EQ(status_of(HttpFault::Late), 408);
  EXPECT_THAT(sentence_of(HttpFault::Late, limits), HasSubstr("10 s"));
  for (std::size_t i = 0; i < enum_count<HttpFault>; ++i) {
    const auto fault = static_cast<HttpFault>(i);
    EXPECT_THAT(bytes_of(plain_answer(status_of(fault), ""), true), Not(HasSubstr(" Error\r\n")))
        << "a phrase of its own";
    EXPECT_NE(sentence_of(fault, limits), "refused");
  }
}

}  // namespace
}  // namespace perigee::host
