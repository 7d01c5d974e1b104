/// Shared by the system tests: a cluster full of bots, and its figures.
#pragma once

#include <memory>
#include <vector>

#include "long_run.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"
#include "sanitized.hpp"

namespace perigee {

struct Flight {
  skiff::Skiff game;
  std::vector<const bots::Brain*> brains;
  std::unique_ptr<lab::VirtualCluster> cluster;

  Flight(std::string_view profile, std::uint32_t players, std::uint64_t seed,
         lab::ClusterOptions options = {}) {
    options.link = *find_link_profile(profile);
    options.players = players;
    options.seed = seed;
    const lab::Pilot pilot = [this](const client::Client& client, std::uint64_t brain_seed) {
      auto brain = std::make_unique<bots::Brain>(client, brain_seed);
      brains.push_back(brain.get());
      return brain;
    };
    cluster = std::make_unique<lab::VirtualCluster>(options, game, pilot);
  }
  void run(double seconds) { cluster->run_for(static_cast<Micros>(seconds * 1e6)); }
  /// The time on that player's own clock.
  Micros now_us(std::size_t i) const {
    const auto& player = cluster->players()[i];
    return player.clock_offset_us +
           static_cast<Micros>(static_cast<double>(cluster->now_us()) * player.clock_rate);
  }
  client::Client& client(std::size_t i) { return *cluster->players()[i].client; }

  bots::Deeds deeds() const {
    bots::Deeds all;
    for (const bots::Brain* brain : brains) all += brain->deeds();
    return all;
  }
  lab::PlayerFigures figures() const { return cluster->figures(); }
};

}  // namespace perigee
