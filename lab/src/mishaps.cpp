#include "perigee/lab/mishaps.hpp"

#include <array>
#include <cstdio>

#include "perigee/base/hash.hpp"

namespace perigee::lab {
namespace {

struct Chance {
  MishapKind kind{};
  std::uint32_t weight = 0;
};
/// The most severe mishaps are drawn most often.
constexpr std::array chances{
    Chance{MishapKind::WorkerDies, 6},    Chance{MishapKind::WorkerStands, 5},
    Chance{MishapKind::ClockOff, 1},      Chance{MishapKind::NetCut, 6},
    Chance{MishapKind::NetSlow, 3},       Chance{MishapKind::GatewayDies, 1},
    Chance{MishapKind::DirectoryDies, 2}, Chance{MishapKind::ClientDark, 1},
    Chance{MishapKind::StoreFails, 1},    Chance{MishapKind::RegionMoves, 6},
    Chance{MishapKind::WorkerDrains, 4}};

/// Without drains the last row has no part in a draw.
MishapKind draw_kind(Random& random, bool store, bool drains) {
  std::uint32_t sum = 0;
  for (const Chance& chance : chances) {
    if (drains || chance.kind != MishapKind::WorkerDrains) sum += chance.weight;
  }
  while (true) {
    std::uint32_t at = random.below(sum);
    for (const auto& [kind, weight] : chances) {
      if (at < weight) {
        if (kind == MishapKind::StoreFails && !store) break;
        return kind;
      }
      at -= weight;
    }
  }
}

/// A duration from low_s to high_s, distributed by the cube of a uniform draw: short ones are more
/// frequent.
Micros draw_us(Random& random, double low_s, double high_s) {
  double us = low_s * 1e6;
  const double ratio = high_s / low_s;
  // The cube favours small values, as a logarithmic distribution would.
  const double part = random.unit();
  us *= 1 + (ratio - 1) * part * part * part;
  return static_cast<Micros>(us);
}

/// Two different endpoints. The gateway and the directory are as likely as a worker.
void draw_ends(Random& random, std::uint32_t workers, Mishap& out) {
  const auto end = [&](std::uint32_t n) {
    return n < workers ? n : n == workers ? the_gateway : the_directory;
  };
  const std::uint32_t a = random.below(workers + 2);
  const std::uint32_t b = random.below(workers + 1);
  out.a = end(a);
  out.b = end(b < a ? b : b + 1);
}

std::string name_of(Party party) {
  if (party == the_gateway) return "the gateway";
  return party == the_directory ? "the directory" : "worker " + std::to_string(party);
}

std::string seconds(Micros us) {
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "%.3f s", static_cast<double>(us) * 1e-6);
  return out.data();
}

Mishap draw(Random& random, const MishapPlan& plan) {
  Mishap out{.kind = draw_kind(random, plan.store, plan.drains)};
  out.a = random.below(plan.workers);
  switch (out.kind) {
    case MishapKind::WorkerDies:
      out.b = random.below(2 * within_tick_max);
      out.for_us = draw_us(random, 0.2, 10);
      break;
    case MishapKind::WorkerStands:
      out.for_us = draw_us(random, 0.05, 8);
      break;
    case MishapKind::ClockOff:
      out.for_us = draw_us(random, 1, 10);
      out.amount_us = static_cast<Micros>(random.between(-1, 1) * 60'000);
      break;
    case MishapKind::NetCut:
      draw_ends(random, plan.workers, out);
      out.for_us = draw_us(random, 0.1, 8);
      break;
    case MishapKind::NetSlow:
      draw_ends(random, plan.workers, out);
      out.for_us = draw_us(random, 0.5, 8);
      out.amount_us = draw_us(random, 0.005, 0.3);
      out.lost = random.unit() * 0.3;
      break;
    case MishapKind::GatewayDies:
      out.for_us = draw_us(random, 0.2, 4);
      break;
    case MishapKind::DirectoryDies:
      out.for_us = draw_us(random, 0.2, 8);
      break;
    case MishapKind::ClientDark:
      out.a = random.below(plan.clients);
      out.for_us = draw_us(random, 0.2, 10);
      break;
    case MishapKind::StoreFails:
      out.for_us = draw_us(random, 0.2, 10);
      break;
    case MishapKind::RegionMoves:
      out.b = random.below(64);
      break;
    case MishapKind::WorkerDrains:
      out.for_us = draw_us(random, 0.2, 4);
      break;
  }
  return out;
}

}  // namespace

std::string describe(const Mishap& mishap) {
  const std::string during = " for " + seconds(mishap.for_us);
  std::string out = seconds(mishap.at_us) + ": ";
  switch (mishap.kind) {
    case MishapKind::WorkerDies:
      if (mishap.b < within_tick_max) {
        return out + name_of(mishap.a) + " dies within a tick of which " +
               std::to_string(mishap.b) + " others receive messages, and is away" + during;
      }
      return out + name_of(mishap.a) + " dies, and is away" + during;
    case MishapKind::WorkerStands:
      return out + name_of(mishap.a) + " stalls" + during;
    case MishapKind::ClockOff:
      return out + name_of(mishap.a) + "'s clock is " + seconds(mishap.amount_us) + " ahead" +
             during;
    case MishapKind::NetCut:
      return out + "no network between " + name_of(mishap.a) + " and " + name_of(mishap.b) + during;
    case MishapKind::NetSlow:
      return out + "up to " + seconds(mishap.amount_us) + " more latency between " +
             name_of(mishap.a) + " and " + name_of(mishap.b) + during + ", and " +
             std::to_string(static_cast<int>(mishap.lost * 100)) + " % lost";
    case MishapKind::GatewayDies:
      return out + "the gateway dies, and is away" + during;
    case MishapKind::DirectoryDies:
      return out + "the directory dies, and is away" + during;
    case MishapKind::ClientDark:
      return out + "no network between client " + std::to_string(mishap.a) + " and the gateway" +
             during;
    case MishapKind::StoreFails:
      return out + "the world store fails" + during;
    case MishapKind::RegionMoves:
      return out + "a region moves to " + name_of(mishap.a);
    case MishapKind::WorkerDrains:
      return out + name_of(mishap.a) + " drains, ends, and is away" + during;
  }
  return out;
}

std::vector<Mishap> draw_mishaps(std::uint64_t seed, const MishapPlan& plan) {
  Random random(mix64(seed, std::uint64_t{0x6d15}));
  std::vector<Mishap> out;
  Micros at_us = 0;
  while (true) {
    at_us += static_cast<Micros>(random.between(static_cast<double>(plan.rest_us_min),
                                                static_cast<double>(plan.rest_us_max)));
    if (at_us > plan.last_us) return out;
    out.push_back(draw(random, plan));
    out.back().at_us = at_us;
    if (plan.apart) at_us += out.back().for_us;
  }
}

}  // namespace perigee::lab
