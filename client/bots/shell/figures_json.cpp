#include <nlohmann/json.hpp>

#include "figures.hpp"
#include "perigee/base/rounded.hpp"

namespace perigee::bots {
namespace {

using Json = nlohmann::ordered_json;

constexpr int decimals = 4;
constexpr int quantile_decimals = 3;

void add(Json& out, const std::string& name, double value) {
  out[name] = to_decimals(value, decimals);
}
void add(Json& out, const std::string& name, std::uint64_t value) { out[name] = value; }
void add(Json& out, const std::string& name, const Quantiles& value) {
  out[name + "_p50"] = to_decimals(value.p50, quantile_decimals);
  out[name + "_p99"] = to_decimals(value.p99, quantile_decimals);
}

/// Log-ins and connections, of bots or of thin players.
template <class F>
void add_connections(Json& out, const F& f) {
  add(out, "joined", std::uint64_t{f.joined});
  add(out, "playing", std::uint64_t{f.playing});
  add(out, "refused", std::uint64_t{f.refused});
  add(out, "disconnects", std::uint64_t{f.disconnects});
  add(out, "silent", std::uint64_t{f.silent});
  add(out, "stalls", f.stalls);
  add(out, "resumes", std::uint64_t{f.resumes});
}

void add_counts(Json& out, const Figures& f) {
  add(out, "bots", std::uint64_t{f.bots});
  add_connections(out, f);
  add(out, "avatars_changed", std::uint64_t{f.avatars_changed});
}

void add_network(Json& out, const Figures& f) {
  add(out, "longest_gap_ms", f.longest_gap_ms);
  add(out, "gaps", f.gaps);
  add(out, "stalled_ms", f.stalled_ms);
  add(out, "measured_s", f.measured_s);
  add(out, "rtt_ms", f.rtt_ms);
  add(out, "full_loop_ms", f.full_loop_ms);
  add(out, "jitter_ms", f.jitter_ms);
  add(out, "lead_ms", f.lead_ms);
  add(out, "input_to_display_ms", f.input_to_display_ms);
  add(out, "shown_error_m", f.shown_error_m);
  add(out, "loss", f.loss);
}

void add_corrections(Json& out, const Figures& f) {
  const std::uint64_t other = f.corrections - f.corrections_static;
  add(out, "corrections", f.corrections);
  add(out, "corrections_static", f.corrections_static);
  add(out, "corrections_other", other);
  add(out, "corrections_per_min", f.per_minute(f.corrections));
  add(out, "corrections_static_per_min", f.per_minute(f.corrections_static));
  add(out, "corrections_other_per_min", f.per_minute(other));
  Json& by_cause = out["corrections_by_cause"] = Json::object();
  for (const auto& cause : correction_cause_rows) {
    add(by_cause, std::string(cause.name),
        f.corrections_by_cause[static_cast<std::size_t>(cause.what)]);
  }
  add(out, "largest_correction_m", f.largest_correction_m);
}

void add_deeds(Json& out, const Figures& f) {
  add(out, "moving_share", f.moving_share());
  add(out, "inputs", f.inputs);
  add(out, "jumps", f.deeds.jumps);
  add(out, "doors", f.deeds.doors);
  add(out, "rides", f.deeds.rides);
  add(out, "flights", f.deeds.flights);
  add(out, "boardings", f.deeds.boardings);
  add(out, "shots", f.deeds.shots);
  add(out, "aboard_share", f.aboard_share());
}

Json of_thin(const ThinFigures& f) {
  Json out;
  add(out, "players", std::uint64_t{f.players});
  add_connections(out, f);
  add(out, "longest_gap_ms", f.longest_gap_ms);
  add(out, "gaps", f.gaps);
  add(out, "measured_s", f.measured_s);
  add(out, "rtt_ms", f.rtt_ms);
  add(out, "full_loop_ms", f.full_loop_ms);
  add(out, "lead_ms", f.lead_ms);
  add(out, "loss", f.loss);
  add(out, "inputs", f.inputs);
  add(out, "inputs_late", f.late);
  add(out, "ticks_guessed", f.guessed);
  add(out, "hard_resets", f.hard_resets);
  add(out, "bytes_per_s", f.bytes_per_s());
  add(out, "malformed", f.malformed);
  return out;
}

}  // namespace

const std::string_view json_keys =
    "  profile, bots, joined, playing, refused, disconnects: counts of bots\n"
    "  silent: bots connected at the end, but without a snapshot for 2 s\n"
    "  stalls: restarts of a bot after 2 s without a final state\n"
    "  resumes: reconnections to a gateway that was silent;  avatars_changed: to another avatar\n"
    "  longest_gap_ms: longest time of any bot without a snapshot;  gaps: those over --gap-ms\n"
    "  stalled_ms: longest time for which this process itself got no CPU, as when the machine\n"
    "    stalls\n"
    "  measured_s: play after the warm-up of 3 s, summed over the bots\n"
    "  rtt_ms, full_loop_ms, jitter_ms, lead_ms: each _p50 and _p99\n"
    "  input_to_display_ms_p50, _p99: sampling an input to the frame with its full effect\n"
    "  shown_error_m_p50, _p99: rendered position of the own avatar to the final one\n"
    "  loss: share of packets lost on the way to the bot\n"
    "  corrections, corrections_static, corrections_other: visible ones; static = on ground that\n"
    "    never moves; each also with _per_min: per minute and player\n"
    "  corrections_by_cause: object of counts;  largest_correction_m\n"
    "  inputs: sent, each counted once in spite of redundancy, from the first on\n"
    "  moving_share, jumps, doors, rides, flights, boardings, aboard_share: the bots' actions\n"
    "  bytes_per_s: received per bot;  unknown_records, malformed, held_back_lost: counts\n"
    "  frames_skipped: frames of all players for which this process had no time\n"
    "  orders_obeyed: technique orders followed;  techniques: object, bots by techniques in use\n"
    "  thin: object for thin players with players, joined, playing, refused, disconnects, silent,\n"
    "    stalls, resumes, longest_gap_ms, gaps, measured_s, rtt_ms, full_loop_ms, lead_ms, loss,\n"
    "    inputs, bytes_per_s, malformed as above; inputs_late, ticks_guessed: as the workers\n"
    "    reported; hard_resets";

std::string json(const Figures& f) {
  Json out;
  out["profile"] = f.profile;
  add_counts(out, f);
  add_network(out, f);
  add_corrections(out, f);
  add_deeds(out, f);
  add(out, "bytes_per_s", f.bytes_per_s());
  add(out, "unknown_records", f.unknown_records);
  add(out, "malformed", f.malformed);
  add(out, "orders_obeyed", f.orders_obeyed);
  Json& techniques = out["techniques"] = Json::object();
  for (const auto& [names, bots] : f.techniques) add(techniques, names, std::uint64_t{bots});
  add(out, "held_back_lost", f.held_back_lost);
  add(out, "frames_skipped", f.frames_skipped);
  out["thin"] = of_thin(f.thin);
  return out.dump() + "\n";
}

}  // namespace perigee::bots
