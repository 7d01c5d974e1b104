/// What the system tests share: a cluster full of bots, and its figures.
#pragma once

#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

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
  client::Client& client(std::size_t i) { return *cluster->players()[i].client; }

  bots::Deeds deeds() const {
    bots::Deeds all;
    for (const bots::Brain* brain : brains) {
      const bots::Deeds& one = brain->deeds();
      all.ticks += one.ticks;
      all.moving_ticks += one.moving_ticks;
      all.jumps += one.jumps;
      all.doors += one.doors;
      all.flights += one.flights;
      all.boardings += one.boardings;
    }
    return all;
  }
  lab::PlayerFigures figures() const {
    lab::PlayerFigures all;
    for (const auto& player : cluster->players()) {
      const lab::PlayerFigures& one = player.oracle.figures();
      all.minutes += one.minutes;
      all.minutes_static += one.minutes_static;
      all.corrections += one.corrections;
      all.corrections_static += one.corrections_static;
      all.parent_jumps += one.parent_jumps;
      all.ticks_other_parent += one.ticks_other_parent;
      for (const auto sizes : {&lab::PlayerFigures::errors_m, &lab::PlayerFigures::corrections_m,
                               &lab::PlayerFigures::roughness_m_s}) {
        (all.*sizes).insert((all.*sizes).end(), (one.*sizes).begin(), (one.*sizes).end());
      }
    }
    return all;
  }
};

/// `./perigee test --long` asks for the large counts.
inline bool long_run() {
  const char* length = std::getenv("PERIGEE_TEST_LENGTH");
  return length != nullptr && std::string_view(length) == "long";
}

}  // namespace perigee
