#include "perigee/host/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>

namespace perigee::host {
namespace {

constexpr Micros patient_us = 20'000'000;

/// A pipe that only the test reads.
class APipe : public testing::Test {
 protected:
  APipe() { EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0); }
  ~APipe() override {
    close(ends[0]);  // a blocked writer gets EPIPE
  }
  std::string read_up_to(const std::string& last) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (!text.ends_with(last)) {
      const ssize_t got = read(ends[0], buffer.data(), buffer.size());
      if (got <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }
  std::array<int, 2> ends{};
  std::atomic<std::uint64_t> lost = 0;
};

TEST_F(APipe, GetsAllLinesInOrder) {
  LineWriter writer(ends[1], [&](std::uint64_t count) { lost += count; });
  for (int i = 0; i < 100; ++i) writer.push(std::to_string(i) + "\n");
  EXPECT_TRUE(writer.flush(patient_us));
  EXPECT_TRUE(writer.idle());
  const std::string text = read_up_to("99\n");
  EXPECT_EQ(text.substr(0, 6), "0\n1\n2\n");
  EXPECT_TRUE(text.ends_with("98\n99\n"));
  EXPECT_EQ(writer.dropped(), 0U);
}

TEST_F(APipe, ThatNobodyReadsCostsLinesAndNoTime) {
  LineWriter writer(ends[1], [&](std::uint64_t count) { lost += count; });
  const std::string line(1'000, 'x');
  constexpr std::size_t lines = 2 * LineWriter::waiting_bytes_max / 1'000;
  for (std::size_t i = 0; i < lines; ++i) writer.push(line + "\n");  // must return
  EXPECT_GT(writer.dropped(), 0U);
  EXPECT_LT(writer.dropped(), lines);
  EXPECT_FALSE(writer.flush(1'000)) << "the patience of the end is bounded, too";
  writer.push("the end\n");
  // Once the pipe is read, the newest lines arrive, and the loss is reported.
  const std::string text = read_up_to("the end\n");
  EXPECT_TRUE(text.ends_with("the end\n"));
  EXPECT_TRUE(writer.flush(patient_us));
  EXPECT_EQ(lost, writer.dropped());
}

TEST(AFullDisk, CostsLinesThatAreCounted) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  std::atomic<int> sent = 0;
  {
    LineWriter writer(full, [&](std::uint64_t) { ++sent; });
    for (int i = 0; i < 10; ++i) writer.push("a line\n");
    EXPECT_TRUE(writer.flush(patient_us));
    EXPECT_EQ(writer.dropped(), 10U);
  }
  EXPECT_EQ(sent, 0) << "a report would be lost, too";
  close(full);
}

TEST_F(APipe, WithoutReaderCostsLinesThatAreCounted) {
  LineWriter writer(ends[1], [&](std::uint64_t count) { lost += count; });
  close(ends[0]);
  ends[0] = -1;
  writer.push("a line\n");
  EXPECT_TRUE(writer.flush(patient_us));
  EXPECT_EQ(writer.dropped(), 1U);
}

}  // namespace
}  // namespace perigee::host
