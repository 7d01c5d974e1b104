// A payload between client and gateway: its frames, and the content of the gateway's own frames.
#include "fuzz/fuzz.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/telemetry.hpp"

namespace perigee::fuzz {
namespace {

template <class Write>
void expect_same(Input bytes, Write write) {
  Bytes space(bytes.size() + 1);
  ByteWriter writer(space);
  PERIGEE_ASSERT(write(writer), "what was read can be written");
  const Input copy = writer.written();
  PERIGEE_ASSERT(std::equal(copy.begin(), copy.end(), bytes.begin(), bytes.end()),
                 "each of these frames has one spelling");
}

void check_gateway_frame(Input bytes) {
  if (const auto echo = read_echo(bytes)) {
    expect_same(bytes, [&](ByteWriter& writer) { return write_echo(writer, *echo); });
  }
  if (const auto resume = read_resume(bytes)) {
    expect_same(bytes, [&](ByteWriter& writer) { return write_resume(writer, *resume); });
  }
  if (const auto number = read_resume_received(bytes)) {
    expect_same(bytes, [&](ByteWriter& writer) { return write_resume_received(writer, *number); });
  }
  if (const auto telemetry = read_telemetry(bytes)) {
    PERIGEE_ASSERT(bytes.size() <= telemetry_bytes_max, "the named limit holds");
    expect_same(bytes, [&](ByteWriter& writer) {
      std::array<std::byte, telemetry_bytes_max> space;
      const Input written = write_telemetry(*telemetry, space);
      return !written.empty() && writer.copy(written);
    });
  }
}

void run(Input input) {
  Bytes space(input.size());
  FrameWriter writer(space);
  FrameReader reader(input);
  while (const auto frame = reader.next()) {
    PERIGEE_ASSERT(writer.add(frame->stream, frame->bytes), "what was read can be written");
    if (frame->stream == stream_gateway) check_gateway_frame(frame->bytes);
  }
  const Input copy = writer.payload();
  PERIGEE_ASSERT(std::equal(copy.begin(), copy.end(), input.begin()),
                 "frames have one spelling, and those before a malformed one count");
  PERIGEE_ASSERT(reader.ok() == (copy.size() == input.size()), "all, or a malformed rest");
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const auto frame = [&](StreamId stream, Input bytes) {
    Bytes space(bytes.size() + frame_header_bytes_max);
    FrameWriter writer(space);
    writer.add(stream, bytes);
    out.push_back(bytes_of(writer.payload()));
  };
  Bytes space(1200);
  ByteWriter echo(space);
  write_echo(echo, {5, 6});
  frame(stream_gateway, echo.written());
  ByteWriter resume(space);
  write_resume(resume, resume_part(3, 0, Input(space).subspan(600, 100)));
  frame(stream_gateway, resume.written());
  ByteWriter received(space);
  write_resume_received(received, 3);
  frame(stream_gateway, received.written());
  Telemetry telemetry;
  telemetry.correction_sizes_mm.push_back(100);
  telemetry.loss_permille = 1000;
  frame(stream_gateway, write_telemetry(telemetry, space));
  frame(stream_owner, {});
  const Bytes first = out.front();
  append(out.back(), first);
  return out;
}

}  // namespace

const Target target{run, seeds, 40'000};

}  // namespace perigee::fuzz
