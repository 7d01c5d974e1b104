#include "progress.hpp"

#include "figures.hpp"
#include "perigee/host/print.hpp"

namespace perigee::bots {
namespace {

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

double kb_per_player(const Progress::Group& now, const Progress::Group& before) {
  return now.playing > 0 ? static_cast<double>(now.bytes - before.bytes) / 1e3 / now.playing : 0;
}

void add_full(std::string& out, const Progress& now, const Progress& before) {
  Progress::Group full = now.full;
  const Quantiles rtt = quantiles_of(full.rtts_ms);
  const double per_minute = now.measured_s > 0 ? 60 / now.measured_s : 0;
  const double moving = now.deeds.ticks > 0 ? static_cast<double>(now.deeds.moving_ticks) /
                                                  static_cast<double>(now.deeds.ticks)
                                            : 0;
  host::print(out,
              "  joined %u/%u  playing %u  rtt %.0f/%.0f ms  jitter %.1f ms  corrections "
              "%.1f/min (ground %.1f)  moving %.0f %%  %.1f kB/s per bot",
              full.joined, full.players, full.playing, rtt.p50, rtt.p99,
              quantiles_of(full.jitters_ms).p50, static_cast<double>(now.corrections) * per_minute,
              static_cast<double>(now.corrections_static) * per_minute, moving * 100,
              kb_per_player(full, before.full));
}

void add_thin(std::string& out, const Progress& now, const Progress& before) {
  Progress::Group thin = now.thin;
  const Quantiles rtt = quantiles_of(thin.rtts_ms);
  host::print(out, "  thin: joined %u/%u  playing %u  rtt %.0f/%.0f ms  %.1f kB/s per player",
              thin.joined, thin.players, thin.playing, rtt.p50, rtt.p99,
              kb_per_player(thin, before.thin));
}

}  // namespace

void Progress::Group::count(const Player& player) {
  ++players;
  if (player.joined()) ++joined;
  bytes += player.bytes_received();
  if (player.phase() != Phase::Playing) return;
  ++playing;
  rtts_ms.push_back(static_cast<double>(player.telemetry().rtt_us()) * 1e-3);
  jitters_ms.push_back(static_cast<double>(player.telemetry().jitter_us()) * 1e-3);
}

void Progress::Group::add(const Group& other) {
  players += other.players;
  joined += other.joined;
  playing += other.playing;
  bytes += other.bytes;
  append(rtts_ms, other.rtts_ms);
  append(jitters_ms, other.jitters_ms);
}

void Progress::add(const Progress& other) {
  full.add(other.full);
  thin.add(other.thin);
  measured_s += other.measured_s;
  corrections += other.corrections;
  corrections_static += other.corrections_static;
  deeds += other.deeds;
}

Progress progress_of(std::span<const Bot* const> bots, std::span<const ThinBot* const> thin,
                     Micros now_us) {
  Progress out;
  for (const Bot* bot : bots) {
    out.full.count(*bot);
    const double measured_s = bot->measured_s(now_us);
    if (measured_s <= 0) continue;
    out.measured_s += measured_s;
    out.corrections += bot->telemetry().totals().corrections;
    out.corrections_static += bot->telemetry().totals().corrections_static;
    out.deeds += bot->measured_deeds();
  }
  for (const ThinBot* player : thin) out.thin.count(*player);
  return out;
}

std::string line_of(const Progress& now, const Progress& before, Micros since_start_us) {
  std::string out;
  host::print(out, "%4lld s", static_cast<long long>(since_start_us / 1'000'000));
  if (now.full.players > 0) add_full(out, now, before);
  if (now.thin.players > 0) add_thin(out, now, before);
  return out;
}

}  // namespace perigee::bots
