#include "cell.hpp"

namespace perigee::lab {
namespace {

bots::Deeds deeds_of(const std::vector<const bots::Brain*>& brains) {
  bots::Deeds all;
  for (const bots::Brain* brain : brains) all += brain->deeds();
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
  const bots::Deeds before = deeds_of(brains);
  cluster.run_for(Micros{options.seconds} * 1'000'000);
  bots::Deeds deeds = deeds_of(brains);
  deeds -= before;
  const PlayerFigures figures = cluster.figures();

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
  cell.moving_share = share(deeds.moving_ticks, deeds.ticks);
  cell.jumps_per_minute = per_minute(deeds.jumps);
  cell.boardings_per_minute = per_minute(deeds.boardings);
  return cell;
}

}  // namespace perigee::lab
