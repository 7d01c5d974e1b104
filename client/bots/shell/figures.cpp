#include "figures.hpp"

#include <algorithm>

#include "perigee/host/loop.hpp"
#include "table_rows.hpp"

namespace perigee::bots {
namespace {

using host::print;

constexpr double ms(Micros us) { return static_cast<double>(us) * 1e-3; }

}  // namespace

Quantiles quantiles_of(std::vector<double>& samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
  };
  return {at(0.5), at(0.99)};
}

double Figures::per_minute(std::uint64_t count) const {
  return measured_s > 0 ? static_cast<double>(count) * 60 / measured_s : 0;
}
double Figures::moving_share() const {
  return deeds.ticks > 0
             ? static_cast<double>(deeds.moving_ticks) / static_cast<double>(deeds.ticks)
             : 0;
}
double Figures::aboard_share() const {
  return deeds.ticks > 0
             ? static_cast<double>(deeds.ticks_aboard) / static_cast<double>(deeds.ticks)
             : 0;
}
double Figures::bytes_per_s() const {
  return measured_s > 0 ? static_cast<double>(bytes) / measured_s : 0;
}

Samples::Samples(std::size_t samples) {
  for (auto* kept : {&full_loop_ms, &jitter_ms, &lead_ms}) {
    kept->reserve(std::min(samples, samples_max));
  }
}

void Samples::take(const Bot& bot) {
  if (full_loop_ms.size() == full_loop_ms.capacity()) return;
  const client::TelemetryLog& telemetry = bot.client().telemetry();
  full_loop_ms.push_back(ms(telemetry.full_loop_rtt_us()));
  jitter_ms.push_back(ms(telemetry.jitter_us()));
  lead_ms.push_back(ms(telemetry.lead_us()));
}

void Samples::add(const Samples& other) {
  const auto append = [](std::vector<double>& to, const std::vector<double>& more) {
    const std::size_t room = std::min(more.size(), to.capacity() - to.size());
    to.insert(to.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(room));
  };
  append(full_loop_ms, other.full_loop_ms);
  append(jitter_ms, other.jitter_ms);
  append(lead_ms, other.lead_ms);
}

Figures sum_up(std::span<const Bot* const> bots, Micros now_us) {
  Figures out;
  out.bots = static_cast<std::uint32_t>(bots.size());
  std::vector<double> rtts_ms;
  std::vector<double> displays_ms;
  std::vector<double> errors_m;
  std::uint64_t packets = 0;
  std::uint64_t lost = 0;
  for (const Bot* bot : bots) {
    if (bot->joined()) ++out.joined;
    if (bot->phase() == Phase::Playing) ++out.playing;
    if (bot->phase() == Phase::Refused) ++out.refused;
    if (bot->phase() == Phase::Lost) ++out.disconnects;
    if (bot->was_silent()) ++out.silent;
    out.resumes += bot->resumes();
    out.avatars_changed += bot->avatars_changed();
    out.longest_gap_ms = std::max(out.longest_gap_ms, ms(bot->gaps().longest_us()));
    out.gaps += bot->gaps().count();
    out.orders_obeyed += bot->client().orders_obeyed();
    out.inputs += bot->client().inputs_sent();
    if (bot->joined()) ++out.techniques[to_text(bot->client().techniques(), " ")];
    const client::TelemetryLog& telemetry = bot->client().telemetry();
    out.malformed += telemetry.malformed();
    const double measured_s = bot->measured_s(now_us);
    if (measured_s <= 0) continue;
    out.measured_s += measured_s;
    for (const Micros rtt_us : telemetry.rtt_samples()) rtts_ms.push_back(ms(rtt_us));
    for (const Micros us : bot->client().latency().input_to_display_us()) {
      displays_ms.push_back(ms(us));
    }
    for (const float meters : bot->shown_errors().meters()) errors_m.push_back(double{meters});
    const client::TelemetryLog::Totals& totals = telemetry.totals();
    packets += totals.packets;
    lost += totals.packets_lost;
    out.bytes += totals.bytes;
    out.corrections += totals.corrections;
    out.corrections_static += totals.corrections_static;
    out.stalls += totals.stalls;
    for (std::size_t i = 0; i < totals.by_cause.size(); ++i) {
      out.corrections_by_cause[i] += totals.by_cause[i];
    }
    out.largest_correction_m = std::max(out.largest_correction_m, totals.largest_correction_m);
    out.unknown_records += telemetry.unknown_records();
    out.deeds += bot->measured_deeds();
  }
  out.rtt_ms = quantiles_of(rtts_ms);
  out.input_to_display_ms = quantiles_of(displays_ms);
  out.shown_error_m = quantiles_of(errors_m);
  if (packets + lost > 0) {
    out.loss = static_cast<double>(lost) / static_cast<double>(packets + lost);
  }
  return out;
}

std::string gap_csv(std::span<const Player* const> players, const host::StallWatch& stalls) {
  struct Row {
    std::size_t bot;
    GapLog::Gap gap;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < players.size(); ++i) {
    for (const GapLog::Gap& gap : players[i]->gaps().listed()) rows.push_back({i, gap});
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.gap.to_us < b.gap.to_us; });
  const Micros wall_us = host::Loop::wall_us() - host::Loop::clock_us();
  std::string out = "ended_unix_s,bot,gap_ms,stalled_ms\n";
  for (const auto& [bot, gap] : rows) {
    print(out, "%.3f,%zu,%.1f,%.1f\n", static_cast<double>(gap.to_us + wall_us) * 1e-6, bot,
          ms(gap.length_us()), ms(stalls.stalled_us(gap.from_us, gap.to_us)));
  }
  return out;
}

namespace {

void full_table(std::string& out, const Figures& f) {
  print(out, "%u bots on profile %s\n", f.bots, f.profile.c_str());
  connection_rows(out, f);
  row(out, "longest stall of the bots themselves", f.stalled_ms, "ms", 0);
  row(out, "play measured", f.measured_s / 60, "min", 1);
  row(out, "rtt", f.rtt_ms, "ms");
  row(out, "full loop", f.full_loop_ms, "ms");
  row(out, "jitter", f.jitter_ms, "ms");
  row(out, "lead", f.lead_ms, "ms");
  row(out, "input to display", f.input_to_display_ms, "ms");
  row(out, "loss", f.loss * 100, "%", 2);
  row(out, "corrections on static ground", f.per_minute(f.corrections_static), "/min per player",
      2);
  row(out, "corrections aboard or flying", f.per_minute(f.corrections - f.corrections_static),
      "/min per player", 2);
  for (const auto& cause : correction_cause_rows) {
    const std::uint64_t count = f.corrections_by_cause[static_cast<std::size_t>(cause.what)];
    if (count > 0) row(out, ("  cause " + std::string(cause.name)).c_str(), count);
  }
  row(out, "largest correction", f.largest_correction_m, "m", 2);
  row(out, "rendered position off the final one", f.shown_error_m.p50, "m", 3);
  row(out, "  p99", f.shown_error_m.p99, "m", 3);
  row(out, "moving", f.moving_share() * 100, "% of their time", 0);
  row(out, "jumps", f.deeds.jumps);
  row(out, "doors", f.deeds.doors);
  row(out, "rides", f.deeds.rides);
  row(out, "flights", f.deeds.flights);
  row(out, "boardings", f.deeds.boardings);
  row(out, "shots", f.deeds.shots);
  row(out, "received", f.bytes_per_s() / 1000, "kB/s per bot", 1);
  row(out, "records of unknown entities", f.unknown_records);
  row(out, "malformed", f.malformed);
}

}  // namespace

std::string table(const Figures& f) {
  std::string out;
  if (f.bots > 0) full_table(out, f);
  if (f.thin.players > 0) {
    out += (f.bots > 0 ? "\n" : "") + thin_table(f.thin);
    row(out, "longest stall of the bots themselves", f.stalled_ms, "ms", 0);
  }
  if (f.held_back_lost > 0) row(out, "lost: the link's queue was full", f.held_back_lost);
  if (f.frames_skipped > 0) row(out, "frames skipped: no processor time", f.frames_skipped);
  return out;
}

}  // namespace perigee::bots
