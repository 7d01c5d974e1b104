#include "thin_figures.hpp"

#include <algorithm>

#include "table_rows.hpp"

namespace perigee::bots {

ThinFigures sum_up_thin(std::span<const ThinBot* const> players, Micros now_us) {
  ThinFigures out;
  std::vector<double> rtts_ms, loops_ms, leads_ms;
  std::uint64_t packets = 0, lost = 0;
  const auto to_ms = [](Micros us) { return static_cast<double>(us) * 1e-3; };
  for (const ThinBot* player : players) {
    ++out.players;
    if (player->joined()) ++out.joined;
    if (player->phase() == Phase::Playing) ++out.playing;
    if (player->phase() == Phase::Refused) ++out.refused;
    if (player->phase() == Phase::Lost) ++out.disconnects;
    if (player->was_silent()) ++out.silent;
    out.resumes += player->resumes();
    out.longest_gap_ms = std::max(out.longest_gap_ms, to_ms(player->gaps().longest_us()));
    out.gaps += player->gaps().count();
    out.inputs += player->inputs_sent();
    const client::TelemetryLog& telemetry = player->telemetry();
    out.malformed += telemetry.malformed();
    const double measured_s = player->measured_s(now_us);
    if (measured_s <= 0) continue;
    out.measured_s += measured_s;
    for (const Micros rtt_us : telemetry.rtt_samples()) rtts_ms.push_back(to_ms(rtt_us));
    loops_ms.push_back(to_ms(telemetry.full_loop_rtt_us()));
    leads_ms.push_back(to_ms(telemetry.lead_us()));
    const client::TelemetryLog::Totals& totals = telemetry.totals();
    packets += totals.packets;
    lost += totals.packets_lost;
    out.bytes += totals.bytes;
    out.stalls += totals.stalls;
    const client::ThinClient::Verdicts verdicts = player->verdicts();
    out.late += verdicts.late;
    out.guessed += verdicts.guessed;
    out.hard_resets += verdicts.hard_resets;
  }
  out.rtt_ms = quantiles_of(rtts_ms);
  out.full_loop_ms = quantiles_of(loops_ms);
  out.lead_ms = quantiles_of(leads_ms);
  if (packets + lost > 0) {
    out.loss = static_cast<double>(lost) / static_cast<double>(packets + lost);
  }
  return out;
}

std::string thin_table(const ThinFigures& f) {
  std::string out;
  host::print(out, "%u thin players\n", f.players);
  connection_rows(out, f);
  row(out, "play measured", f.measured_s / 60, "min", 1);
  row(out, "rtt", f.rtt_ms, "ms");
  row(out, "full loop, at the end", f.full_loop_ms, "ms");
  row(out, "lead, at the end", f.lead_ms, "ms");
  row(out, "loss", f.loss * 100, "%", 2);
  row(out, "inputs late", f.per_minute(f.late), "/min per player", 2);
  row(out, "ticks guessed", f.per_minute(f.guessed), "/min per player", 2);
  row(out, "hard resets", f.hard_resets);
  row(out, "received", f.bytes_per_s() / 1000, "kB/s per player", 1);
  row(out, "malformed", f.malformed);
  return out;
}

}  // namespace perigee::bots
