/// Players that shoot and know the expected result of each shot. (metric M10 of the lab)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "perigee/base/hash.hpp"
#include "perigee/client/client.hpp"

namespace perigee::lab {

struct ShotFigures {
  std::uint32_t hits_expected = 0;
  std::uint32_t hits_missing = 0;
  std::uint32_t misses_expected = 0;
  std::uint32_t misses_missing = 0;

  ShotFigures& operator+=(const ShotFigures& more);
};

class Shooter : public client::InputSampler {
 public:
  explicit Shooter(const client::Client& client) : client_(client) {}

  /// Receives results of shots. Call it once per frame.
  void hear(std::span<const client::CueNews> news);
  /// Counts shots that have an expectation and a result. Compares the expectation with the server's
  /// last decision.
  ShotFigures figures() const;
  /// Drops all shots so far.
  void restart() { shots_.clear(); }

 protected:
  /// Another player as displayed: from the own eye to that player's middle, in the own frame.
  struct Aim {
    Vec3 way;
    double flat_m = 0;
  };
  std::vector<Aim> aims() const;
  /// Whether a projectile of the own bow should hit. None: unknown.
  virtual std::optional<bool> expectation() const { return std::nullopt; }
  void expect(Tick tick, bool hit) { shots_[tick.count].expects_hit = hit; }
  const client::Client& client() const { return client_; }

 private:
  struct Shot {
    std::optional<bool> expects_hit;
    std::optional<bool> hit;
  };
  const client::Client& client_;
  std::map<std::uint32_t, Shot> shots_;  ///< by tick
};

/// Strafes and shoots a rifle at displayed players, at least 2 cm inside or outside of the hull.
std::unique_ptr<Shooter> make_marksman(const client::Client& client, std::uint64_t seed);
/// Shoots arrows at the nearest player as displayed. The archer itself stands and should be hit, or
/// walks across the line of fire and should not be hit.
std::unique_ptr<Shooter> make_archer(const client::Client& client, bool walks);
/// Shoots its opponent in the same tick in which the opponent shoots: both should die.
std::unique_ptr<Shooter> make_duelist(const client::Client& client);

}  // namespace perigee::lab
