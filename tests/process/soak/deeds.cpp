#include "deeds.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace perigee::process_test {
namespace {

struct Chance {
  std::uint32_t weight = 0;
  std::string_view name;
};
/// In the order of DeedKind.
constexpr std::array chances{
    Chance{3, "worker killed"},
    Chance{2, "gateway killed"},
    Chance{2, "directory killed"},
    Chance{2, "session killed"},
    Chance{2, "killed with its clock off"},
    Chance{2, "worker drained"},
    Chance{2, "worker stopped"},
    Chance{1, "gateway stopped"},
    Chance{1, "directory stopped"},
    Chance{1, "session stopped"},
    Chance{2, "disk stood still"},
    Chance{3, "clock of one stepped"},
    Chance{2, "clocks of all stepped"},
    Chance{6, "network cut"},
};

DeedKind draw_kind(Random& random, bool spares) {
  const auto weight_of = [&](std::size_t at) {
    const auto kind = static_cast<DeedKind>(at);
    const bool spared = kind == DeedKind::DirectoryKilled || kind == DeedKind::SessionKilled;
    return spares && spared ? 0 : chances[at].weight;
  };
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < chances.size(); ++i) sum += weight_of(i);
  std::uint32_t left = random.below(sum);
  std::size_t at = 0;
  while (left >= weight_of(at)) left -= weight_of(at++);
  return static_cast<DeedKind>(at);
}

std::string numbered(const char* kind, std::uint32_t number) {
  return kind + ("-" + std::to_string(number));
}
std::string worker(std::uint32_t number) { return numbered("sim", number); }
std::string gateway(std::uint32_t number) { return numbered("gateway", number); }

/// Short times are as frequent as long ones.
double draw(Random& random, double low, double high) {
  return low * std::pow(high / low, random.unit());
}
unsigned draw_ms(Random& random, double low_s, double high_s) {
  return static_cast<unsigned>(1e3 * draw(random, low_s, high_s));
}

/// At least 2 s: the library that steps the clock does not step the kernel's time stamps of
/// datagrams, and receivers ignore a stamp only if it is more than a second off.
std::int64_t draw_step_s(Random& random) {
  const auto size_s = static_cast<std::int64_t>(draw(random, 2, 6 * 3'600));
  return random.below(2) == 0 ? size_s : -size_s;
}

std::string some_victim(Random& random, bool spares) {
  const std::uint32_t workers = soak_workers - (spares ? 1 : 0);
  const std::uint32_t gateways = soak_gateways - (spares ? 1 : 0);
  const std::uint32_t at = random.below(workers + gateways + (spares ? 0 : 2));
  if (at < workers) return worker(at);
  if (at < workers + gateways) return gateway(at - workers);
  return at == workers + gateways ? "directory" : "session";
}

void draw_ends(Random& random, Deed& deed) {
  const std::uint32_t index = random.below(soak_workers);
  const std::string one = worker(index), next = worker((index + 1) % soak_workers),
                    over_next = worker((index + 2) % soak_workers);
  const std::string door = gateway(random.below(soak_gateways));
  struct Ends {
    std::string who;
    std::vector<std::string> others;
  };
  const std::array<Ends, 8> cuts{{{one, {"directory"}},
                                  {one, {next}},
                                  {one, {next, over_next}},
                                  {one, {"directory", next, over_next}},
                                  {door, {one}},
                                  {door, {"directory"}},
                                  {door, {"session"}},
                                  {"session", {"directory"}}}};
  const Ends& drawn = cuts[random.below(cuts.size())];
  deed.who = drawn.who;
  deed.others = drawn.others;
  constexpr std::array ways{Way::Both, Way::Both, Way::ToOthers, Way::FromOthers};
  deed.way = ways[random.below(ways.size())];
}

std::string seconds(unsigned ms) {
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), " for %.1f s", ms * 1e-3);
  return out.data();
}

static_assert(chances.size() == static_cast<std::size_t>(DeedKind::last) + 1);

}  // namespace

std::string_view name_of(DeedKind kind) { return chances[static_cast<std::size_t>(kind)].name; }

bool kills(DeedKind kind) { return kind <= DeedKind::KilledWithClockOff; }

std::string describe(const Deed& deed) {
  std::string out(name_of(deed.kind));
  if (!deed.who.empty()) out += ": " + deed.who;
  if (deed.step_s != 0) out += ", " + std::to_string(deed.step_s) + " s";
  if (deed.kind == DeedKind::NetCut) {
    out += deed.way == Way::Both ? " to and from" : deed.way == Way::ToOthers ? " to" : " from";
    for (const std::string& other : deed.others) out += " " + other;
  }
  return deed.kind == DeedKind::WorkerDrained ? out : out + seconds(deed.for_ms);
}

Deed draw_deed(Random& random, bool spares) {
  Deed out{.kind = draw_kind(random, spares)};
  const std::uint32_t spared = spares && kills(out.kind) ? 1 : 0;
  switch (out.kind) {
    case DeedKind::WorkerKilled:
    case DeedKind::WorkerStopped:
      out.who = worker(random.below(soak_workers - spared));
      break;
    case DeedKind::WorkerDrained:
      out.who = worker(random.below(soak_workers - (spares ? 1 : 0)));
      return out;
    case DeedKind::GatewayKilled:
    case DeedKind::GatewayStopped:
      out.who = gateway(random.below(soak_gateways - spared));
      break;
    case DeedKind::DirectoryKilled:
    case DeedKind::DirectoryStopped:
      out.who = "directory";
      break;
    case DeedKind::SessionKilled:
    case DeedKind::SessionStopped:
      out.who = "session";
      break;
    case DeedKind::KilledWithClockOff:
      out.who = some_victim(random, spares);
      break;
    case DeedKind::ClockStepped:
      out.who = some_victim(random, false);
      break;
    case DeedKind::NetCut:
      draw_ends(random, out);
      break;
    case DeedKind::DiskStoodStill:
    case DeedKind::ClocksStepped:
      break;
  }
  const bool clock = out.kind == DeedKind::KilledWithClockOff ||
                     out.kind == DeedKind::ClockStepped || out.kind == DeedKind::ClocksStepped;
  if (clock) out.step_s = draw_step_s(random);
  if (clock || kills(out.kind)) {
    out.for_ms = draw_ms(random, clock ? 1 : 0.5, clock ? 12 : 5);
  } else if (out.kind == DeedKind::GatewayStopped) {
    out.for_ms = draw_ms(random, 0.2, 2);  // players leave a gateway that is silent for longer
  } else {
    out.for_ms = draw_ms(random, 0.1, 8);
  }
  return out;
}

}  // namespace perigee::process_test
