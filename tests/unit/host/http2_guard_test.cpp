#include "perigee/host/http2_guard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "perigee/base/bytes.hpp"

namespace perigee::host {
namespace {

enum Type : std::uint8_t {
  data = 0,
  headers = 1,
  rst_stream = 3,
  settings = 4,
  ping = 6,
  window_update = 8,
  continuation = 9
};
constexpr std::uint8_t end_stream = 1, end_headers = 4;
const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

std::string frame(Type type, std::uint8_t flags, std::uint32_t stream, std::size_t payload_bytes) {
  std::string out;
  for (const int shift : {16, 8, 0}) out += static_cast<char>(payload_bytes >> shift);
  out += static_cast<char>(type);
  out += static_cast<char>(flags);
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(stream >> shift);
  return out + std::string(payload_bytes, 'x');
}

class AGuard : public testing::Test {
 protected:
  static constexpr GrpcLimits limits{.calls_per_connection_max = 3,
                                     .request_bytes_max = 1'000,
                                     .metadata_bytes_max = 2'000,
                                     .resets_burst = 2,
                                     .resets_per_s = 1,
                                     .frames_burst = 40,
                                     .frames_per_s = 10,
                                     .pings_burst = 3,
                                     .pings_per_s = 1,
                                     .handshake_us_max = 5'000'000,
                                     .request_us_max = 10'000'000,
                                     .answer_us_max = 20'000'000,
                                     .idle_us_max = 60'000'000};
  AGuard() { EXPECT_EQ(client(preface + frame(settings, 0, 0, 6)), std::nullopt); }

  std::optional<GrpcBreach> client(const std::string& bytes) {
    return guard.client_sent(now_us, as_bytes_of(bytes.data(), bytes.size()));
  }
  void server(const std::string& bytes) {
    guard.server_sent(now_us, as_bytes_of(bytes.data(), bytes.size()));
  }
  static std::string call(std::uint32_t stream, std::uint8_t flags = end_headers) {
    return frame(headers, flags, stream, 100);
  }
  static std::string request(std::uint32_t stream, std::size_t bytes = 50) {
    return frame(data, end_stream, stream, bytes);
  }
  static std::string answer(std::uint32_t stream) {
    return frame(headers, end_headers, stream, 20) + frame(data, 0, stream, 500) +
           frame(headers, end_headers | end_stream, stream, 20);
  }

  Micros now_us = 1'000'000'000;
  Http2Guard guard{limits, now_us};
};

TEST_F(AGuard, LetsCallsPassThatKeepTheLimits) {
  for (std::uint32_t stream = 1; stream < 20; stream += 2) {
    EXPECT_EQ(client(call(stream) + request(stream)), std::nullopt) << stream;
    EXPECT_EQ(guard.calls(), 1U);
    server(answer(stream));
    EXPECT_EQ(guard.calls(), 0U);
  }
}

TEST_F(AGuard, ReadsTheSameHoweverTheBytesAreCut) {
  for (const char byte : call(1) + request(1) + call(3)) {
    ASSERT_EQ(client(std::string(1, byte)), std::nullopt);
  }
  EXPECT_EQ(guard.calls(), 2U);
  for (const char byte : answer(1)) server(std::string(1, byte));
  EXPECT_EQ(guard.calls(), 1U);
}

TEST_F(AGuard, TakesNothingButHttp2) {
  Http2Guard other(limits, now_us);
  const std::string get = "GET / HTTP/1.1\r\n\r\n";
  EXPECT_EQ(other.client_sent(now_us, as_bytes_of(get.data(), get.size())), GrpcBreach::Preface);
  EXPECT_FALSE(other.begun());
  Http2Guard third(limits, now_us);
  const std::string no_settings = preface + call(1);
  EXPECT_EQ(third.client_sent(now_us, as_bytes_of(no_settings.data(), no_settings.size())),
            GrpcBreach::Preface);
}

TEST_F(AGuard, AllowsSoManyCallsAtOnce) {
  EXPECT_EQ(client(call(1) + call(3) + call(5)), std::nullopt);
  server(answer(3));
  EXPECT_EQ(client(call(7)), std::nullopt);
  EXPECT_EQ(client(call(9)), GrpcBreach::Calls);
}

TEST_F(AGuard, AllowsSoLargeRequests) {
  EXPECT_EQ(client(call(1) + frame(data, 0, 1, 1'005)), std::nullopt) << "and gRPC's prefix";
  EXPECT_EQ(client(frame(data, 0, 1, 1)), GrpcBreach::Request);
}

TEST_F(AGuard, AllowsSoLargeHeadersInFewFrames) {
  EXPECT_EQ(client(frame(headers, 0, 1, 1'000) + frame(continuation, end_headers, 1, 1'000)),
            std::nullopt);
  EXPECT_EQ(client(frame(headers, end_headers | end_stream, 1, 1)), GrpcBreach::Metadata)
      << "trailers are headers";
}

TEST_F(AGuard, EndsHeadersThatDoNotEnd) {
  ASSERT_EQ(client(frame(headers, 0, 1, 10)), std::nullopt);
  for (std::uint32_t i = 1; i < Http2Guard::block_frames_max; ++i) {
    ASSERT_EQ(client(frame(continuation, 0, 1, 0)), std::nullopt);
  }
  EXPECT_EQ(client(frame(continuation, 0, 1, 0)), GrpcBreach::Metadata);
}

TEST_F(AGuard, CountsTheHeadersOfCallsThatAreOverToo) {
  ASSERT_EQ(client(call(1)), std::nullopt);
  server(answer(1));
  EXPECT_EQ(client(frame(headers, end_headers, 1, 2'001)), GrpcBreach::Metadata);
}

TEST_F(AGuard, EndsFramesThatAreTooLargeOrMisplaced) {
  EXPECT_EQ(client(frame(data, 0, 1, Http2Guard::frame_bytes_max + 1)), GrpcBreach::Frame);
  Http2Guard other(limits, now_us);
  const std::string torn = preface + frame(settings, 0, 0, 0) + call(1, 0) + request(1);
  EXPECT_EQ(other.client_sent(now_us, as_bytes_of(torn.data(), torn.size())), GrpcBreach::Frame);
}

TEST_F(AGuard, AllowsFewCallsToBeGivenUp) {
  for (std::uint32_t stream = 1; stream < 5; stream += 2) {
    EXPECT_EQ(client(call(stream) + frame(rst_stream, 0, stream, 4)), std::nullopt);
  }
  now_us += 1'000'000;
  EXPECT_EQ(client(call(5) + frame(rst_stream, 0, 5, 4)), std::nullopt) << "one a second goes on";
  EXPECT_EQ(client(call(7) + frame(rst_stream, 0, 7, 4)), GrpcBreach::Resets);
}

TEST_F(AGuard, CountsCallsThatWereGivenUpForAWhile) {
  ASSERT_EQ(client(call(1) + frame(rst_stream, 0, 1, 4)), std::nullopt);
  EXPECT_EQ(guard.calls(), 1U);
  EXPECT_EQ(client(call(3) + call(5) + call(7)), std::nullopt) << "not against its own limit";
  EXPECT_EQ(guard.calls(), 4U);
  now_us += Http2Guard::given_up_us;
  EXPECT_EQ(guard.late(now_us), std::nullopt);
  EXPECT_EQ(guard.calls(), 3U);
}

TEST_F(AGuard, AllowsFewFramesThatGrpcAnswers) {
  EXPECT_EQ(client(frame(ping, 0, 0, 8) + frame(settings, 0, 0, 0)), std::nullopt);
  EXPECT_EQ(client(frame(ping, 0, 0, 8)), GrpcBreach::Frames);
}

TEST_F(AGuard, AllowsSoManyFrames) {
  std::string many;
  for (int i = 0; i < 39; ++i) many += frame(window_update, 0, 0, 4);
  EXPECT_EQ(client(many), std::nullopt);
  EXPECT_EQ(client(frame(window_update, 0, 0, 4)), GrpcBreach::Frames);
}

TEST_F(AGuard, SaysWhatIsLate) {
  Http2Guard silent(limits, now_us);
  EXPECT_EQ(guard.late(now_us + limits.handshake_us_max + 1), std::nullopt) << "it has said hello";
  EXPECT_EQ(silent.late(now_us + limits.handshake_us_max), std::nullopt);
  EXPECT_EQ(silent.late(now_us + limits.handshake_us_max + 1), GrpcBreach::LateHandshake);
  EXPECT_EQ(guard.late(now_us + limits.idle_us_max + 1), GrpcBreach::Idle);
  ASSERT_EQ(client(call(1)), std::nullopt);
  EXPECT_EQ(guard.late(now_us + limits.request_us_max + 1), GrpcBreach::LateRequest);
  ASSERT_EQ(client(request(1)), std::nullopt);
  EXPECT_EQ(guard.late(now_us + limits.answer_us_max), std::nullopt);
  EXPECT_EQ(guard.late(now_us + limits.answer_us_max + 1), GrpcBreach::LateAnswer);
  server(answer(1));
  EXPECT_EQ(guard.late(now_us + limits.answer_us_max + 1), std::nullopt);
}

TEST_F(AGuard, AllowsAnyTimeWhereNoneIsNamed) {
  static constexpr GrpcLimits patient{};
  Http2Guard watched(patient, now_us);
  const std::string watch = preface + frame(settings, 0, 0, 0) + call(1) + request(1);
  ASSERT_EQ(watched.client_sent(now_us, as_bytes_of(watch.data(), watch.size())), std::nullopt);
  EXPECT_EQ(watched.late(now_us + 3'600'000'000), std::nullopt);
}

}  // namespace
}  // namespace perigee::host
