#include "bench/gateway/drive.hpp"

#include <algorithm>
#include <utility>

#include "bench/common/measure.hpp"

namespace perigee::bench {

Passage drive(DoorUnderTest& door, Direction direction, double per_s, std::int64_t span_us) {
  const bool up = direction == Direction::Inputs;
  const std::size_t unit = up ? 1 : 2;  // datagrams of one send
  const std::size_t slot = unit * door.clients();
  door.tend();
  while (door.take_inputs() + door.take_snapshots() > 0) {
  }
  std::size_t sent = 0;
  std::size_t came = 0;
  std::size_t n = 0;
  Passage passage;
  std::vector<std::int64_t> sent_at_ns;
  const Marked arrived = [&](std::uint64_t mark) {
    if (mark >= sent_at_ns.size()) return;
    passage.latencies_us.push_back(static_cast<double>(now_ns() - sent_at_ns[mark]) * 1e-3);
  };
  const std::int64_t cpu_begin_ns = cpu_time_ns(door.pid());
  std::int64_t begin_ns = now_ns();
  std::int64_t end_ns = begin_ns + span_us * 1'000;
  std::int64_t before_ns = begin_ns;
  constexpr std::int64_t drain_ns = 20'000'000;  // for datagrams in flight
  constexpr std::int64_t stall_ns = 5'000'000;
  for (std::int64_t at_ns = begin_ns; at_ns < end_ns + drain_ns; at_ns = now_ns()) {
    // A stall of this process stops the clock, so that the backlog is not sent as one burst.
    const std::int64_t gap_ns = at_ns - std::exchange(before_ns, at_ns);
    if (gap_ns > stall_ns) begin_ns += gap_ns, end_ns += gap_ns;
    const double passed_s = static_cast<double>(std::min(at_ns, end_ns) - begin_ns) * 1e-9;
    auto due = static_cast<std::size_t>(passed_s * per_s);
    if (!up) due = due / slot * slot;
    // Less than a batch, because a full batch would be sent before the clock is read.
    for (std::size_t i = 0; i + unit < BatchSocket::batch && sent < due; i += unit) {
      if (up) {
        door.send_input(n++ % door.clients(), sent);
      } else {
        door.send_snapshot(n++ % door.clients());
      }
      sent += unit;
    }
    if (up) sent_at_ns.resize(sent, now_ns());
    door.flush();
    came += door.take_inputs(arrived) * (up ? 1 : 0);
    came += door.take_snapshots() * (up ? 0 : 1);
  }
  const double cpu_s = static_cast<double>(cpu_time_ns(door.pid()) - cpu_begin_ns) * 1e-9;
  passage.per_core_s = came > 0 ? static_cast<double>(came) / cpu_s : 0;
  passage.share = static_cast<double>(came) / static_cast<double>(std::max<std::size_t>(sent, 1));
  return passage;
}

std::vector<double> input_latencies_us(DoorUnderTest& door, std::size_t samples) {
  constexpr std::int64_t lost_ns = 20'000'000;
  std::vector<double> latencies_us;
  door.tend();
  for (std::uint64_t i = 1; i <= samples; ++i) {
    const std::int64_t begin_ns = now_ns();
    // 0.5 to 1 ms of silence, never in step with any timer.
    while (now_ns() - begin_ns < 500'000 + static_cast<std::int64_t>(i * 7'919 % 500'000)) {
      door.take_inputs();
      door.take_snapshots();
    }
    bool arrived = false;
    door.send_input(i % door.clients(), i);  // sealed before the clock starts
    const std::int64_t sent_ns = now_ns();
    door.flush();
    std::int64_t at_ns = sent_ns;
    while (!arrived && at_ns - sent_ns < lost_ns) {
      door.take_inputs([&](std::uint64_t mark) { arrived = mark == i; });
      at_ns = now_ns();
    }
    if (arrived) latencies_us.push_back(static_cast<double>(at_ns - sent_ns) * 1e-3);
  }
  return latencies_us;
}

}  // namespace perigee::bench
