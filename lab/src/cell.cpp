#include "perigee/lab/cell.hpp"

#include <algorithm>

#include "perigee/lab/shooter.hpp"

namespace perigee::lab {
namespace {

constexpr std::array figures{
    CellFigure{"minutes", &Cell::minutes},
    CellFigure{"corrections_per_minute", &Cell::corrections_per_minute},
    CellFigure{"told_corrections_per_minute", &Cell::reported_corrections_per_minute},
    CellFigure{"resets_per_minute", &Cell::resets_per_minute},
    CellFigure{"parent_jumps_per_minute", &Cell::parent_jumps_per_minute},
    CellFigure{"correction_p99_m", &Cell::correction_p99_m},
    CellFigure{"correction_max_m", &Cell::correction_max_m},
    CellFigure{"error_p50_m", &Cell::error_p50_m},
    CellFigure{"error_p99_m", &Cell::error_p99_m},
    CellFigure{"error_p999_m", &Cell::error_p999_m},
    CellFigure{"error_max_m", &Cell::error_max_m},
    CellFigure{"shown_error_p50_m", &Cell::shown_error_p50_m},
    CellFigure{"shown_error_p99_m", &Cell::shown_error_p99_m},
    CellFigure{"roughness_p999_m_s", &Cell::roughness_p999_m_s},
    CellFigure{"roughness_max_m_s", &Cell::roughness_max_m_s},
    CellFigure{"switch_roughness_max_m_s", &Cell::switch_roughness_max_m_s},
    CellFigure{"animated_share", &Cell::animated_share},
    CellFigure{"attempts", &Cell::attempts},
    CellFigure{"attempts_wrong", &Cell::attempts_wrong},
    CellFigure{"hits_expected", &Cell::hits_expected},
    CellFigure{"hits_missing", &Cell::hits_missing},
    CellFigure{"misses_expected", &Cell::misses_expected},
    CellFigure{"misses_missing", &Cell::misses_missing},
    CellFigure{"input_delay_ms", &Cell::input_delay_ms},
    CellFigure{"missed_per_minute", &Cell::missed_per_minute},
    CellFigure{"unapplied_s_max", &Cell::unapplied_s_max},
    CellFigure{"late_per_minute", &Cell::late_per_minute},
    CellFigure{"rolled_back_per_s", &Cell::rolled_back_per_s},
    CellFigure{"replayed_per_s", &Cell::replayed_per_s},
    CellFigure{"predicted_share", &Cell::predicted_share},
    CellFigure{"compared_share", &Cell::compared_share},
    CellFigure{"moving_share", &Cell::moving_share},
    CellFigure{"turns_per_minute", &Cell::turns_per_minute},
    CellFigure{"contacts_per_minute", &Cell::contacts_per_minute},
    CellFigure{"jumps_per_minute", &Cell::jumps_per_minute},
    CellFigure{"crossings_per_minute", &Cell::crossings_per_minute},
    CellFigure{"parents_per_minute", &Cell::parents_per_minute},
    CellFigure{"steering_share", &Cell::steering_share},
    CellFigure{"shots_per_minute", &Cell::shots_per_minute},
    CellFigure{"edits_per_minute", &Cell::edits_per_minute},
    CellFigure{"people_drawn_p50_m", &Cell::people_drawn_p50_m},
    CellFigure{"people_drawn_p99_m", &Cell::people_drawn_p99_m},
    CellFigure{"hulls_drawn_p99_m", &Cell::hulls_drawn_p99_m},
};

struct Floor {
  double Floors::* least;
  double Cell::* value;
  std::string_view name;
};
constexpr std::array floors{
    Floor{&Floors::predicted_share, &Cell::predicted_share, "predicted_share"},
    Floor{&Floors::compared_share, &Cell::compared_share, "compared_share"},
    Floor{&Floors::moving_share, &Cell::moving_share, "moving_share"},
    Floor{&Floors::turns, &Cell::turns_per_minute, "turns_per_minute"},
    Floor{&Floors::contacts, &Cell::contacts_per_minute, "contacts_per_minute"},
    Floor{&Floors::jumps, &Cell::jumps_per_minute, "jumps_per_minute"},
    Floor{&Floors::crossings, &Cell::crossings_per_minute, "crossings_per_minute"},
    Floor{&Floors::parents, &Cell::parents_per_minute, "parents_per_minute"},
    Floor{&Floors::steering_share, &Cell::steering_share, "steering_share"},
    Floor{&Floors::shots, &Cell::shots_per_minute, "shots_per_minute"},
    Floor{&Floors::edits, &Cell::edits_per_minute, "edits_per_minute"},
};

/// While a path carries nothing, or takes longer than a second, the client displays server states.
/// Prediction cannot be active for more than the rest of the time.
double predicted_share_asked(const CellOptions& options, double interrupted_share) {
  const double asked = options.scenario.floors.predicted_share;
  constexpr double on_bad_networks = 0.95;
  constexpr std::array<std::string_view, 6> bad{"P8", "P9", "P10", "P11", "P12", "P13"};
  if (std::ranges::find(bad, options.link.name) != bad.end())
    return std::min(asked, on_bad_networks);
  const auto& trace = options.link.up.trace;
  const bool recorded = trace != nullptr && !trace->deliveries_us.empty();
  return recorded ? asked - interrupted_share : asked;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void fill(const PlayerFigures& from, double minutes, Cell& cell) {
  const auto per_minute = [&](std::uint64_t count) { return static_cast<double>(count) / minutes; };
  cell.minutes = from.minutes;
  cell.unapplied_s_max = static_cast<double>(from.unapplied_us_max) / 1e6;
  cell.corrections_per_minute = per_minute(from.corrections);
  cell.resets_per_minute = per_minute(from.resets);
  cell.parent_jumps_per_minute = per_minute(from.parent_jumps);
  cell.correction_p99_m = quantile(from.corrections_m, 0.99);
  cell.correction_max_m = from.correction_max_m;
  cell.error_p50_m = quantile(from.errors_m, 0.5);
  cell.error_p99_m = quantile(from.errors_m, 0.99);
  cell.error_p999_m = quantile(from.errors_m, 0.999);
  cell.error_max_m = quantile(from.errors_m, 1);
  cell.shown_error_p50_m = quantile(from.shown_errors_m, 0.5);
  cell.shown_error_p99_m = quantile(from.shown_errors_m, 0.99);
  cell.people_drawn_p50_m = quantile(from.people_drawn_m, 0.5);
  cell.people_drawn_p99_m = quantile(from.people_drawn_m, 0.99);
  cell.hulls_drawn_p99_m = quantile(from.hulls_drawn_m, 0.99);
  cell.roughness_p999_m_s = quantile(from.roughness_m_s, 0.999);
  cell.roughness_max_m_s = quantile(from.roughness_m_s, 1);
  cell.switch_roughness_max_m_s = quantile(from.switch_roughness_m_s, 1);
  for (std::size_t i = 0; i < from.reported_causes.size(); ++i) {
    cell.reported_causes_per_minute[i] = per_minute(from.reported_causes[i]);
    cell.reported_corrections_per_minute += cell.reported_causes_per_minute[i];
  }
  for (const CauseFound& found : from.causes) {
    cell.causes_per_minute[static_cast<std::size_t>(found.cause)] += per_minute(1);
  }
  cell.animated_share = share(from.frames_animated, from.frames);
  cell.replayed_per_s = per_minute(from.replayed_ticks) / 60;
  cell.predicted_share = from.minutes / minutes * (1 - cell.animated_share);
  cell.attempts = static_cast<double>(from.attempts);
  cell.attempts_wrong = static_cast<double>(from.attempts_wrong);
  cell.compared_share = share(from.compared, from.words);
}

void fill(const PlayFigures& from, double minutes, Cell& cell) {
  const auto per_minute = [&](std::uint64_t count) { return static_cast<double>(count) / minutes; };
  cell.missed_per_minute = per_minute(from.missed);
  cell.late_per_minute = per_minute(from.late);
  cell.moving_share = share(from.moving_ticks, from.ticks);
  cell.turns_per_minute = per_minute(from.turns);
  cell.contacts_per_minute = per_minute(from.contacts);
  cell.jumps_per_minute = per_minute(from.jumps);
  cell.crossings_per_minute = per_minute(from.crossings);
  cell.parents_per_minute = per_minute(from.parents);
  cell.steering_share = share(from.steering_ticks, from.ticks);
  cell.edits_per_minute = per_minute(from.edits);
}

void fill(const ShotFigures& from, double minutes, Cell& cell) {
  cell.hits_expected = from.hits_expected;
  cell.hits_missing = from.hits_missing;
  cell.misses_expected = from.misses_expected;
  cell.misses_missing = from.misses_missing;
  cell.shots_per_minute = (from.hits_expected + from.misses_expected) / minutes;
}

/// Simulates the results of another compiler or processor.
void disturb(VirtualPlayer& player, double share, Random& random) {
  if (!player.client->playing()) return;
  const Vec3 at = player.client->prediction().state().position;
  const auto noise = [&](double meters) { return meters * random.between(-share, share); };
  player.client->prediction().inject_desync({noise(at.x), noise(at.y), noise(at.z)});
}

}  // namespace

std::span<const CellFigure> cell_figures() { return figures; }

Cell run_cell(const CellOptions& options) {
  const auto game = options.scenario.stage(options.players);
  ClusterOptions cluster_options;
  cluster_options.seed = options.seed;
  cluster_options.players = options.players;
  cluster_options.link = options.link;
  cluster_options.client.techniques = options.preset.techniques;
  cluster_options.records = options.records;
  cluster_options.keeps_logged_in = true;
  VirtualCluster cluster(cluster_options, *game, options.scenario.pilot);
  Random noise(mix64(options.seed, std::uint64_t{0xf10a7}));
  std::vector<Shooter*> shooters;
  cluster.after_frame = [&](VirtualPlayer& player) {
    if (options.scenario.float_noise > 0) disturb(player, options.scenario.float_noise, noise);
    if (!shooters.empty()) static_cast<Shooter&>(*player.pilot).hear(player.client->cues());
  };
  cluster.run_for(Micros{options.warm_up_s} * 1'000'000);
  cluster.restart_figures();
  for (VirtualPlayer& player : cluster.players()) {
    if (auto* shooter = dynamic_cast<Shooter*>(player.pilot.get())) shooters.push_back(shooter);
  }
  for (Shooter* shooter : shooters) shooter->restart();
  cluster.run_for(Micros{options.seconds} * 1'000'000);

  Cell cell{.scenario = options.scenario.name,
            .preset = options.preset.name,
            .profile = options.link.name,
            .seed = options.seed};
  const double minutes = options.players * options.seconds / 60.0;
  const PlayerFigures all = cluster.figures();
  fill(all, minutes, cell);
  fill(all.play, minutes, cell);
  cell.input_delay_ms = mean(all.play.input_delays_ms) - options.link.up.delay_ms;
  ShotFigures shots;
  for (const Shooter* shooter : shooters) shots += shooter->figures();
  fill(shots, minutes, cell);
  if (cluster.worst_flight()) cell.worst = std::make_shared<Flight>(*cluster.worst_flight());
  cell.rolled_back_per_s = static_cast<double>(cluster.rolled_back()) / minutes / 60;
  const bool ours = options.preset.name == presets().front().name;
  for (const Floor& floor : floors) {
    const bool of_prediction = floor.least == &Floors::predicted_share;
    // Other presets may display server states instead of predicting, by design.
    if (of_prediction && !ours) continue;
    const double least = of_prediction
                             ? predicted_share_asked(options, all.minutes_interrupted / minutes)
                             : options.scenario.floors.*floor.least;
    if (cell.below.empty() && cell.*floor.value < least) {
      cell.below = floor.name;
    }
  }
  return cell;
}

}  // namespace perigee::lab
