#include "cell.hpp"

#include <algorithm>

namespace perigee::lab {
namespace {

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

PlayerFigures sum(const std::vector<VirtualPlayer>& players) {
  PlayerFigures all;
  for (const VirtualPlayer& player : players) {
    const PlayerFigures& one = player.oracle.figures();
    all.minutes += one.minutes;
    all.corrections += one.corrections;
    all.parent_jumps += one.parent_jumps;
    all.correction_max_m = std::max(all.correction_max_m, one.correction_max_m);
    all.frames += one.frames;
    all.frames_animated += one.frames_animated;
    append(all.corrections_m, one.corrections_m);
    append(all.errors_m, one.errors_m);
    append(all.shown_errors_m, one.shown_errors_m);
    append(all.roughness_m_s, one.roughness_m_s);
  }
  return all;
}

/// What all bots did since `before`.
bots::Deeds deeds(const std::vector<const bots::Brain*>& brains) {
  bots::Deeds all;
  for (const bots::Brain* brain : brains) {
    all.ticks += brain->deeds().ticks;
    all.moving_ticks += brain->deeds().moving_ticks;
    all.jumps += brain->deeds().jumps;
    all.boardings += brain->deeds().boardings;
  }
  return all;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Cell run_cell(const world::GameModule& game, const CellOptions& options) {
  std::vector<const bots::Brain*> brains;
  ClusterOptions cluster_options;
  cluster_options.seed = options.seed;
  cluster_options.players = options.players;
  cluster_options.link = options.link;
  cluster_options.client.techniques = options.preset.techniques;
  VirtualCluster cluster(cluster_options, game,
                         [&](const client::Client& client, std::uint64_t seed) {
                           auto brain = std::make_unique<bots::Brain>(client, seed);
                           brains.push_back(brain.get());
                           return brain;
                         });
  cluster.run_for(Micros{options.warm_up_s} * 1'000'000);
  cluster.restart_figures();
  const bots::Deeds before = deeds(brains);
  cluster.run_for(Micros{options.seconds} * 1'000'000);
  const bots::Deeds after = deeds(brains);
  const PlayerFigures figures = sum(cluster.players());

  Cell cell{.preset = options.preset.name, .profile = options.link.name, .seed = options.seed};
  const double minutes = options.players * options.seconds / 60.0;
  const auto per_minute = [&](std::uint64_t count) { return static_cast<double>(count) / minutes; };
  cell.minutes = figures.minutes;
  cell.corrections_per_minute = per_minute(figures.corrections);
  cell.parent_jumps_per_minute = per_minute(figures.parent_jumps);
  cell.correction_p99_m = quantile(figures.corrections_m, 0.99);
  cell.correction_max_m = figures.correction_max_m;
  cell.error_p50_m = quantile(figures.errors_m, 0.5);
  cell.error_p99_m = quantile(figures.errors_m, 0.99);
  cell.shown_error_p50_m = quantile(figures.shown_errors_m, 0.5);
  cell.shown_error_p99_m = quantile(figures.shown_errors_m, 0.99);
  cell.roughness_p999_m_s = quantile(figures.roughness_m_s, 0.999);
  cell.roughness_max_m_s = quantile(figures.roughness_m_s, 1);
  cell.animated_share = share(figures.frames_animated, figures.frames);
  cell.predicted_share = figures.minutes / minutes;
  cell.moving_share = share(after.moving_ticks - before.moving_ticks, after.ticks - before.ticks);
  cell.jumps_per_minute = per_minute(after.jumps - before.jumps);
  cell.boardings_per_minute = per_minute(after.boardings - before.boardings);
  return cell;
}

}  // namespace perigee::lab
