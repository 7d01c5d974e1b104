#include "perigee/base/telemetry.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"

namespace perigee {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

Telemetry sample() {
  Telemetry t{.interval_ms = 1000,
              .rtt_us = 0x01020304,
              .full_loop_rtt_us = 5,
              .jitter_us = 6,
              .loss_permille = 7,
              .lead_us = -2,
              .extrapolations = 8,
              .frames_animated = 9,
              .bytes_received = 10,
              .sample_interval_us = 13,
              .send_wait_us = 14,
              .publish_wait_us = 15,
              .view_delay_us = 16,
              .input_to_display_us = 17};
  t.corrections[0] = 11;
  t.corrections[13] = 12;
  t.correction_sizes_mm.push_back(300);
  return t;
}

TEST(TelemetryFrame, HasTheseBytes) {
  std::array<std::byte, telemetry_bytes_max> buffer{};
  const auto written = write_telemetry(sample(), buffer);
  const auto expected =
      bytes_of({1,                                                              // kind
                0xe8, 3,    4,    3,    2,  1, 5, 0, 0,  0, 6, 0, 0,  0, 7, 0,  //
                0xfe, 0xff, 0xff, 0xff,                                         // lead
                11,   0,    0,    0,    0,  0, 0, 0, 0,  0, 0, 0, 0,  0,        // causes
                0,    0,    0,    0,    0,  0, 0, 0, 0,  0, 0, 0, 12, 0,        //
                1,    0x2c, 1,                                                  // sizes
                8,    0,    9,    0,    10, 0, 0, 0,                            //
                13,   0,    0,    0,    14, 0, 0, 0, 15, 0, 0, 0,               //
                16,   0,    0,    0,    17, 0, 0, 0});
  EXPECT_EQ(std::vector(written.begin(), written.end()), expected);
}

TEST(TelemetryFrame, RoundTripsAndRefusesEveryTruncation) {
  Telemetry t = sample();
  while (t.correction_sizes_mm.push_back(7)) {
  }
  std::array<std::byte, telemetry_bytes_max> buffer{};
  const auto written = write_telemetry(t, buffer);
  ASSERT_EQ(written.size(), telemetry_bytes_max);
  const auto read = read_telemetry(written);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rtt_us, t.rtt_us);
  EXPECT_EQ(read->lead_us, -2);
  EXPECT_EQ(read->corrections, t.corrections);
  EXPECT_EQ(read->correction_sizes_mm.size(), Telemetry::sizes_max);
  EXPECT_EQ(read->bytes_received, 10u);
  for (std::size_t size = 0; size < written.size(); ++size) {
    EXPECT_FALSE(read_telemetry(written.first(size))) << size;
    std::array<std::byte, telemetry_bytes_max> small{};
    EXPECT_TRUE(write_telemetry(t, std::span(small).first(size)).empty());
  }
}

TEST(TelemetryFrame, RefusesTooManySizesAndImpossibleLoss) {
  std::array<std::byte, telemetry_bytes_max> buffer{};
  const auto written = write_telemetry(sample(), buffer);
  std::vector<std::byte> bad(written.begin(), written.end());
  bad[49] = std::byte{17};
  bad.resize(bad.size() + 40);
  EXPECT_FALSE(read_telemetry(bad));
  Telemetry t = sample();
  t.loss_permille = 1001;
  EXPECT_FALSE(read_telemetry(write_telemetry(t, buffer)));
}

TEST(TheEchoFrame, HasTheseBytes) {
  std::array<std::byte, echo_frame_bytes> buffer{};
  ByteWriter writer(buffer);
  ASSERT_TRUE(write_echo(writer, {0x0201, 0x0403}));
  const auto expected = bytes_of({1, 1, 2, 3, 4});
  EXPECT_EQ(std::vector(buffer.begin(), buffer.end()), expected);
  const auto read = read_echo(buffer);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->newest_sequence, 0x0201u);
  EXPECT_EQ(read->hold_steps, 0x0403u);
  for (std::size_t size = 0; size < buffer.size(); ++size) {
    EXPECT_FALSE(read_echo(std::span(buffer).first(size)));
  }
  buffer[0] = std::byte{2};
  EXPECT_FALSE(read_echo(buffer));
}

TEST(TheResumeFrame, HasTheseBytes) {
  const auto token = bytes_of({9, 8, 7});
  std::array<std::byte, 11> buffer{};
  ByteWriter writer(buffer);
  ASSERT_TRUE(write_resume(writer, resume_part(0x04030201, 0, token)));
  EXPECT_EQ(std::vector(buffer.begin(), buffer.end()), bytes_of({2, 1, 2, 3, 4, 0, 3, 0, 9, 8, 7}));
  const auto read = read_resume(buffer);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->number, 0x04030201u);
  EXPECT_EQ(std::vector(read->bytes.begin(), read->bytes.end()), token);
  for (std::size_t size = 0; size < buffer.size(); ++size) {
    EXPECT_FALSE(read_resume(std::span(buffer).first(size)));
  }
  buffer[0] = std::byte{1};
  EXPECT_FALSE(read_resume(buffer));
}

TEST(TheResumeFrame, FitsAPayloadWithEachPartOfTheLongestToken) {
  static_assert(resume_frame_bytes_max + frame_header_bytes_max <= frames_bytes_max);
  const std::vector<std::byte> token(resume_token_bytes_max, std::byte{5});
  ASSERT_EQ(resume_parts(token.size()), resume_parts_max);
  std::vector<std::byte> joined;
  for (std::uint8_t part = 0; part < resume_parts_max; ++part) {
    std::array<std::byte, resume_frame_bytes_max> buffer{};
    ByteWriter writer(buffer);
    ASSERT_TRUE(write_resume(writer, resume_part(1, part, token)));
    const auto read = read_resume(writer.written());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->begin(), joined.size());
    joined.insert(joined.end(), read->bytes.begin(), read->bytes.end());
  }
  EXPECT_EQ(joined, token);
}

TEST(TheResumeFrame, IsRefusedIfItsPartDoesNotFitTheToken) {
  const std::vector<std::byte> token(resume_token_bytes_max);
  const auto written = [](const ResumeFrame& frame) {
    std::vector<std::byte> buffer(2 * resume_token_bytes_max);
    ByteWriter writer(buffer);
    return write_resume(writer, frame);
  };
  EXPECT_TRUE(written(resume_part(1, 1, token)));
  EXPECT_FALSE(written({1, 0, resume_token_bytes_max + 1, token})) << "no token is that long";
  EXPECT_FALSE(written({1, 2, resume_token_bytes_max, {}})) << "the token ends before this part";
  EXPECT_FALSE(written({1, 0, 100, std::span(token).first(99)}));
  EXPECT_FALSE(written({1, 0, 0, {}}));
}

TEST(TheResumeFrame, IsAnsweredWithTheseBytes) {
  std::array<std::byte, resume_received_bytes> buffer{};
  ByteWriter writer(buffer);
  ASSERT_TRUE(write_resume_received(writer, 0x04030201));
  EXPECT_EQ(std::vector(buffer.begin(), buffer.end()), bytes_of({2, 1, 2, 3, 4}));
  EXPECT_EQ(read_resume_received(buffer), 0x04030201u);
  for (std::size_t size = 0; size < buffer.size(); ++size) {
    EXPECT_FALSE(read_resume_received(std::span(buffer).first(size)));
  }
  EXPECT_FALSE(read_resume_received(bytes_of({2, 1, 2, 3, 4, 5})));
  EXPECT_FALSE(read_resume_received(bytes_of({1, 1, 2, 3, 4})));
}

TEST(Frames, HaveTheseBytesAndComeBack) {
  std::array<std::byte, 9> buffer{};
  FrameWriter writer(buffer);
  EXPECT_TRUE(writer.add(7, bytes_of({1, 2})));
  EXPECT_TRUE(writer.add(stream_gateway, {}));
  EXPECT_FALSE(writer.add(1, bytes_of({1, 2})));  // 4 bytes, 3 left
  EXPECT_TRUE(writer.add(1, bytes_of({9})));
  const auto payload = writer.payload();
  EXPECT_EQ(std::vector(payload.begin(), payload.end()), bytes_of({7, 2, 1, 2, 255, 0, 1, 1, 9}));
  FrameReader reader(payload);
  EXPECT_EQ(reader.next()->stream, 7);
  EXPECT_EQ(reader.next()->bytes.size(), 0u);
  EXPECT_EQ(reader.next()->bytes[0], std::byte{9});
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.ok());
}

TEST(Frames, OfManyWorkersHaveStreamsOfTwoBytes) {
  std::array<std::byte, 6> buffer{};
  for (const auto& [stream, bytes] : std::vector<std::pair<StreamId, std::vector<int>>>{
           {0, {0}},
           {199, {199}},
           {200, {200, 0}},
           {455, {200, 255}},
           {456, {201, 0}},
           {stream_of_worker(WorkerSlot::at(workers_max - 1)), {203, 56}},
           {stream_gateway, {255}}}) {
    FrameWriter writer(buffer);
    ASSERT_TRUE(writer.add(stream, bytes_of({9})));
    const auto payload = writer.payload();
    ASSERT_EQ(payload.size(), bytes.size() + 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(payload[i], std::byte(bytes[i]));
    FrameReader reader(payload);
    EXPECT_EQ(reader.next()->stream, stream);
    FrameReader cut(payload.first(1));
    EXPECT_FALSE(cut.next());
    EXPECT_FALSE(cut.ok());
  }
  for (const auto& wrong : {bytes_of({254, 0}), bytes_of({200, 0, 1})}) {
    FrameReader reader(wrong);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.ok());
  }
}

TEST(Frames, OfMoreThan127BytesHaveALengthOfTwoBytes) {
  std::vector<std::byte> buffer(frame_length_max + frame_header_bytes_max);
  for (const auto& [size, length] : std::vector<std::pair<std::size_t, std::vector<int>>>{
           {127, {127}}, {128, {128, 1}}, {1'000, {232, 7}}, {frame_length_max, {255, 127}}}) {
    const std::vector<std::byte> bytes(size, std::byte{9});
    FrameWriter writer(buffer);
    ASSERT_TRUE(writer.add(1, bytes));
    const auto payload = writer.payload();
    ASSERT_EQ(payload.size(), 1 + length.size() + size);
    EXPECT_EQ(payload.size(), frame_header_bytes(size) + size);
    for (std::size_t i = 0; i < length.size(); ++i) EXPECT_EQ(payload[1 + i], std::byte(length[i]));
    FrameReader reader(payload);
    EXPECT_TRUE(std::ranges::equal(reader.next().value().bytes, bytes));
    FrameReader cut(payload.first(payload.size() - 1));
    EXPECT_FALSE(cut.next());
  }
  FrameWriter writer(buffer);
  EXPECT_FALSE(writer.add(1, std::vector<std::byte>(frame_length_max + 1)));
  EXPECT_TRUE(writer.empty());
  // Each length has one form only.
  for (const auto& wrong :
       {bytes_of({1, 129, 0, 5}), bytes_of({1, 129, 128, 5}), bytes_of({1, 129})}) {
    FrameReader reader(wrong);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.ok());
  }
}

TEST(Frames, AMalformedRestEndsTheReading) {
  const auto payload = bytes_of({7, 1, 5, 8, 2, 5});
  FrameReader reader(payload);
  EXPECT_TRUE(reader.next());
  EXPECT_TRUE(reader.ok());
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.ok());
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace perigee
