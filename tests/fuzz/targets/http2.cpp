// A client's bytes to a gRPC port, split anywhere, with replies and time between them.
#include <string_view>

#include "fuzz/fuzz.hpp"
#include "perigee/host/http2_guard.hpp"

namespace perigee::fuzz {
namespace {

using namespace host;

enum Step : std::uint8_t { hear, answer, wait, steps };
constexpr GrpcLimits limits{.calls_per_connection_max = 4,
                            .request_bytes_max = 500,
                            .metadata_bytes_max = 300,
                            .answer_us_max = 20'000'000,
                            .idle_us_max = 60'000'000};

Bytes frame(std::uint8_t type, std::uint8_t flags, std::uint8_t stream, std::size_t payload_bytes) {
  Bytes out;
  for (const std::size_t part :
       {payload_bytes >> 16U, payload_bytes >> 8U & 0xffU, payload_bytes & 0xffU, std::size_t{type},
        std::size_t{flags}, std::size_t{0}, std::size_t{0}, std::size_t{0}, std::size_t{stream}}) {
    out.push_back(static_cast<std::byte>(part));
  }
  out.resize(out.size() + payload_bytes);
  return out;
}

/// A second guard gets the same bytes one by one, and must decide the same.
void run(Input input) {
  Choices choices(input);
  Micros now_us = 1'000'000;
  Http2Guard whole(limits, now_us), cut(limits, now_us);
  while (!choices.empty()) {
    const auto step = static_cast<Step>(choices.byte() % steps);
    if (step == wait) {
      now_us += 100'000 * Micros{choices.byte()};
      PERIGEE_ASSERT(whole.late(now_us) == cut.late(now_us), "time is the same for both");
      continue;
    }
    const Input bytes = choices.bytes();
    if (bytes.empty()) continue;
    if (step == answer) {
      whole.server_sent(now_us, bytes);
      cut.server_sent(now_us, bytes);
      continue;
    }
    const auto breach = whole.client_sent(now_us, bytes);
    std::optional<GrpcBreach> same;
    for (std::size_t i = 0; i < bytes.size() && !same; ++i) {
      same = cut.client_sent(now_us, bytes.subspan(i, 1));
    }
    PERIGEE_ASSERT(breach == same, "however it is cut");
    if (breach) return;
    PERIGEE_ASSERT(whole.calls() == cut.calls(), "however it is cut");
    PERIGEE_ASSERT(whole.calls() <=
                       limits.calls_per_connection_max + limits.resets_burst + limits.resets_per_s,
                   "calls are bounded");
  }
}

std::vector<Bytes> seeds() {
  constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  Bytes hello = bytes_of(as_bytes_of(preface.data(), preface.size()));
  append(hello, frame(4, 0, 0, 6));
  const auto step_of = [](const Bytes& bytes, std::uint8_t step = hear) {
    Bytes out{static_cast<std::byte>(step)};
    append_sized(out, bytes);
    return out;
  };
  Bytes log_in = step_of(hello);
  Bytes call = frame(1, 4, 1, 90);
  append(call, frame(0, 1, 1, 50));
  append(log_in, step_of(call));
  append(log_in, step_of(frame(1, 5, 1, 20), answer));
  Bytes parts = step_of(hello);
  append(parts, step_of(frame(1, 0, 1, 90)));
  append(parts, step_of(frame(9, 4, 1, 90)));
  append(parts, step_of(frame(3, 0, 1, 4)));
  append(parts, Bytes{static_cast<std::byte>(wait), std::byte{99}});
  append(parts, step_of(frame(6, 0, 0, 8)));
  return {log_in, parts};
}

}  // namespace

const Target target{run, seeds};

}  // namespace perigee::fuzz
