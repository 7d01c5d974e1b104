// A collector of traces over real HTTP, as a process reaches it: also one that is slow, down or
// lying.
#include "collector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "perigee/tracing/otlp_json.hpp"
#include "process/child.hpp"
#include "process/played_http_service.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;
using tracing::Collector;
using tracing::CollectorAnswer;
using tracing::TracingOptions;
using Reply = PlayedHttpService::Reply;

constexpr long brief_ms = 100;  // for a collector that never answers
constexpr long patient_ms = 60'000;

struct ACollector : testing::Test {
  ~ACollector() override { std::filesystem::remove(headers); }
  static CollectorAnswer send_to(const std::string& url, long ms_max = patient_ms) {
    return Collector::open({.endpoint = url}).value()->send("{}", ms_max, nullptr);
  }
  /// The answer to one batch, from a collector with this reply.
  static CollectorAnswer answer_of(const Reply& reply) {
    PlayedHttpService service([&](const std::string&) { return reply; });
    return send_to(service.url(""), reply.hang ? brief_ms : patient_ms);
  }
  std::string why_not(const std::string& lines) const {
    write(lines);
    const auto opened =
        Collector::open({.endpoint = "http://127.0.0.1:1", .headers_file = headers});
    return opened ? "" : opened.error().message;
  }
  void write(const std::string& lines) const {
    std::ofstream(headers) << lines;
    std::filesystem::permissions(
        headers, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  const std::string headers =
      (std::filesystem::temp_directory_path() / ("otlp_headers_" + std::to_string(getpid())))
          .string();
};

TEST_F(ACollector, GetsJsonAtThePathOfTracesWithTheOperatorsHeaders) {
  write("Authorization: Basic abc\n\nX-Scope-OrgID: game\n");
  PlayedHttpService service([](const std::string&) { return PlayedHttpService::json(200, "{}"); });
  const auto collector =
      Collector::open({.endpoint = service.url("/otlp/"), .headers_file = headers}).value();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(collector->send(R"({"resourceSpans":[]})", patient_ms, nullptr).status, 200);
  }
  const auto requests = service.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[1].rfind("POST /otlp/v1/traces HTTP/1.1\r\n", 0), 0U) << requests[1];
  EXPECT_THAT(requests[1], HasSubstr("\r\nContent-Type: application/json\r\n"));
  EXPECT_THAT(requests[1], HasSubstr("\r\nAuthorization: Basic abc\r\n"));
  EXPECT_THAT(requests[1], HasSubstr("\r\nX-Scope-OrgID: game\r\n"));
  EXPECT_THAT(requests[1], HasSubstr("\r\n\r\n{\"resourceSpans\":[]}"));
}

TEST_F(ACollector, SaysHowLongToWaitAndWhatItRejects) {
  const CollectorAnswer busy =
      answer_of({"HTTP/1.1 503 x\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(busy.retry_after_us, Micros{7'000'000});
  const CollectorAnswer partly =
      answer_of(PlayedHttpService::json(200, R"({"partialSuccess":{"rejectedSpans":"2"}})"));
  EXPECT_EQ(partly.status, 200);
  EXPECT_EQ(partly.rejected_spans, 2U);
  EXPECT_EQ(partly.retry_after_us, std::nullopt);
}

TEST_F(ACollector, IsNotFollowedElsewhere) {
  const CollectorAnswer answer =
      answer_of({"HTTP/1.1 307 x\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_EQ(answer.status, 307) << "the headers are for this collector alone";
}

TEST_F(ACollector, HasNoAnswerIfItIsSilentAwayOrTalksNonsense) {
  EXPECT_EQ(answer_of({.bytes = "", .hang = true}).status, 0);
  EXPECT_EQ(answer_of({.bytes = "HTTP/1.1 200", .hang = true}).status, 0);
  EXPECT_EQ(answer_of({.bytes = "SSH-2.0-nonsense\r\n", .hang = true}).status, 0);
  EXPECT_EQ(send_to("http://127.0.0.1:" + std::to_string(free_port_base())).status, 0);
}

TEST_F(ACollector, HasTakenABatchAlsoWithAnAnswerThatIsTooLong) {
  const std::string body(2 * tracing::answer_bytes_max, ' ');
  EXPECT_EQ(answer_of(PlayedHttpService::json(200, body)).status, 200);
}

TEST_F(ACollector, DoesNotHoldUpAProcessThatEnds) {
  PlayedHttpService service([](const std::string&) { return Reply{.bytes = "", .hang = true}; });
  const auto collector = Collector::open({.endpoint = service.url("")}).value();
  std::atomic<bool> stopping = false;
  std::jthread ends([&] {
    while (service.requests().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stopping = true;
  });
  EXPECT_EQ(collector->send("{}", patient_ms, &stopping).status, 0);
}

TEST_F(ACollector, NeedsAFileOfHeadersThatIsOne) {
  EXPECT_EQ(why_not("Name: value\n"), "");
  EXPECT_THAT(why_not("Name: value\nsecret\n"), HasSubstr("is not of the form 'Name: value'"));
  std::filesystem::permissions(headers, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  const auto opened = Collector::open({.endpoint = "http://127.0.0.1:1", .headers_file = headers});
  EXPECT_THAT(opened.error().message, HasSubstr("otlp.headers_file"));
  std::filesystem::remove(headers);
  const auto missing = Collector::open({.endpoint = "http://127.0.0.1:1", .headers_file = headers});
  EXPECT_THAT(missing.error().message, HasSubstr("otlp.headers_file"));
}

}  // namespace
}  // namespace perigee::process_test
