#include "perigee/host/http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <list>
#include <mutex>
#include <string>

#include "tcp_client.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string posted(std::string_view body, std::string_view fields = "") {
  return "POST /echo HTTP/1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(fields) + "\r\n" + std::string(body);
}

/// Answers a POST with its body and the client's address, on the second thread; the body "wait"
/// once `open` is counted down. GET is prompt.
class AnHttpServer : public testing::Test {
 protected:
  AnHttpServer() { start({.connections_max = 8, .body_bytes_max = 100}); }
  ~AnHttpServer() override {
    if (!open.try_wait()) open.count_down();
  }
  void start(const HttpLimits& limits, std::size_t answers_at_once = 1) {
    server.reset();
    server = HttpServer::start(
                 {.name = "test port",
                  .listen = listen,
                  .limits = limits,
                  .answers_at_once = answers_at_once},
                 {.prompt = [](const HttpRequest& head) -> std::optional<HttpAnswer> {
                    if (head.method == "POST") return std::nullopt;
                    return plain_answer(200, "prompt");
                  },
                  .answer =
                      [this](const HttpRequest& request, const Address& client) {
                        const std::string source = to_string({client.family, 0, client.ip});
                        if (++begun == 2) second_client = source;
                        if (request.body == "wait") open.wait();
                        HttpAnswer answer = plain_answer(200, request.body);
                        answer.fields.push_back({"Client", source});
                        return answer;
                      },
                  .refusal =
                      [limits](const HttpRequest& head, HttpFault fault) {
                        return plain_answer(status_of(fault),
                                            head.method + ": " + sentence_of(fault, limits));
                      },
                  .dropped =
                      [this](HttpDrop reason) {
                        const std::lock_guard lock(mutex);
                        drops.add(reason);
                      },
                  .answered = [this](int) { ++answers; }})
                 .value();
  }
  std::uint64_t dropped(HttpDrop reason) {
    const std::lock_guard lock(mutex);
    return drops[reason];
  }
  std::string answer_to(std::string_view bytes, const char* from = "127.0.0.1") const {
    return TcpClient(listen, bytes, from).rest();
  }

  const Address listen = free_port();
  std::latch open{1};
  std::atomic<int> begun = 0, answers = 0;
  std::string second_client;  // of the worker
  std::mutex mutex;
  Counts<HttpDrop> drops;  // guarded by mutex
  std::unique_ptr<HttpServer> server;
};

TEST_F(AnHttpServer, TakesABodyAndNamesItsClient) {
  const std::string answer = answer_to(posted("hello"), "127.0.0.3");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nClient: 127.0.0.3:0\r\n"));
  EXPECT_THAT(answer, testing::EndsWith("\r\n\r\nhello"));
  EXPECT_EQ(answers, 1);
}

TEST_F(AnHttpServer, TellsAClientThatWaitsToSendItsBody) {
  TcpClient client(listen, "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_TRUE(client.receives("HTTP/1.1 100 Continue\r\n\r\n"));
  client.send_more("ab");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer_to("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n"),
              StartsWith("HTTP/1.1 413 "))
      << "or not to send it";
}

TEST_F(AnHttpServer, AnswersOneRequestOfAConnection) {
  const std::string both = answer_to(posted("one") + posted("two"));
  EXPECT_THAT(both, testing::EndsWith("\r\n\r\none"));
  EXPECT_EQ(answers, 1);
}

TEST_F(AnHttpServer, RefusesInTheFormOfItsHandler) {
  EXPECT_THAT(answer_to(posted(std::string(101, 'x'))),
              testing::EndsWith("\r\n\r\nPOST: the body may have 100 bytes"));
  EXPECT_THAT(answer_to("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
              StartsWith("HTTP/1.1 411 "));
  EXPECT_THAT(answer_to("nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_EQ(dropped(HttpDrop::Malformed), 3U);
}

// A client that closes both halves cannot be told from one that closes one.
TEST_F(AnHttpServer, RefusesARequestWhoseEndNeverComes) {
  TcpClient client(listen, posted("hello").substr(0, 44));
  client.close_half();
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 400 "));
}

TEST_F(AnHttpServer, RefusesARequestThatComesTooSlowly) {
  start({.body_bytes_max = 100, .request_us_max = 300'000});
  EXPECT_THAT(answer_to(posted("hello").substr(0, 44)), StartsWith("HTTP/1.1 408 "));
  EXPECT_EQ(answer_to(""), "") << "without a byte there is no request";
  EXPECT_EQ(dropped(HttpDrop::Slow), 2U);
}

TEST_F(AnHttpServer, IsPromptWhileAnAnswerIsBeingMade) {
  const TcpClient slow(listen, posted("wait"));
  while (begun == 0) std::this_thread::yield();
  EXPECT_THAT(answer_to("GET / HTTP/1.1\r\n\r\n"), testing::EndsWith("prompt"));
  open.count_down();
  EXPECT_THAT(slow.rest(), testing::EndsWith("wait"));
}

TEST_F(AnHttpServer, MakesAsManyAnswersAtOnceAsItsOptionsSay) {
  start({.body_bytes_max = 100}, 2);
  const TcpClient slow(listen, posted("wait"));
  while (begun == 0) std::this_thread::yield();
  EXPECT_THAT(answer_to(posted("hello")), testing::EndsWith("hello"));
  EXPECT_THAT(answer_to(posted("again")), testing::EndsWith("again"));
  open.count_down();
  EXPECT_THAT(slow.rest(), testing::EndsWith("wait"));
}

TEST_F(AnHttpServer, SaysThatItIsBusyWhenAnAnswerIsNotMadeInTime) {
  start({.body_bytes_max = 100, .answer_us_max = 300'000});
  const TcpClient first(listen, posted("wait"));
  const TcpClient second(listen, posted("hello"));
  EXPECT_THAT(first.rest(), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(second.rest(), StartsWith("HTTP/1.1 503 "));
  EXPECT_EQ(begun, 1) << "the second one was not begun";
  open.count_down();
  EXPECT_THAT(answer_to(posted("hello")), StartsWith("HTTP/1.1 200 "));
}

TEST_F(AnHttpServer, AnswersTheAddressWithFewestRequestsFirst) {
  const TcpClient slow(listen, posted("wait"));
  while (begun == 0) std::this_thread::yield();
  std::list<TcpClient> crowd;
  for (int i = 0; i < 5; ++i) crowd.emplace_back(listen, posted("wait"));
  const TcpClient member(listen, posted("hello"), "127.0.0.2");
  // The requests have arrived when a later one on the same thread is answered.
  EXPECT_THAT(answer_to("GET / HTTP/1.1\r\n\r\n"), testing::EndsWith("prompt"));
  open.count_down();
  EXPECT_THAT(member.rest(), testing::EndsWith("hello"));
  EXPECT_EQ(second_client, "127.0.0.2:0") << "five others have waited longer";
}

TEST_F(AnHttpServer, ClosesAConnectionOfTheAddressWithMost) {
  const TcpClient member(listen, "POST /", "127.0.0.2");
  EXPECT_THAT(answer_to("GET / HTTP/1.1\r\n\r\n", "127.0.0.2"), testing::EndsWith("prompt"));
  std::list<TcpClient> crowd;
  for (int i = 0; i < 40; ++i) crowd.emplace_back(listen, i % 2 == 0 ? "" : "POST / HT");
  EXPECT_EQ(crowd.front().rest(), "");
  member.send_more("echo HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
  EXPECT_THAT(member.rest(), testing::EndsWith("ab"));
  EXPECT_GE(dropped(HttpDrop::Crowded), 32U);
}

TEST_F(AnHttpServer, NamesItsPortWhenItIsBusy) {
  const auto twin = HttpServer::start({.name = "test port", .listen = listen, .limits = {}}, {});
  ASSERT_FALSE(twin.ok());
  EXPECT_THAT(twin.error().message, StartsWith("test port 127.0.0.1:"));
}

}  // namespace
}  // namespace perigee::host
