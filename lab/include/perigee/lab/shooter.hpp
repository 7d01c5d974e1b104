/// Players who shoot, and know what each shot ought to come to. (metric M10 of the lab; B5, B6, S2)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "perigee/client/client.hpp"
#include "perigee/netcode/hash.hpp"

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

  /// Once per frame: what came of shots.
  void hear(std::span<const client::CueNews> news);
  /// Of the shots of which both is known: what was expected, and what the server decided last.
  ShotFigures figures() const;
  /// Forgets all shots so far.
  void restart() { shots_.clear(); }

 protected:
  /// Somebody as they are on the screen: from the own eye to their middle, in the own frame.
  struct Aim {
    Vec3 way;
    double flat_m = 0;
  };
  std::vector<Aim> aims() const;
  /// Of something that left the own bow: ought it to hit? None: no idea.
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

/// Strafes and shoots a rifle at what it sees, 2 cm or more inside or outside of the hull.
std::unique_ptr<Shooter> make_marksman(const client::Client& client, std::uint64_t seed);
/// Shoots arrows at the nearest as it sees it; stands, and ought to be hit, or walks across the
/// line of fire, and ought not.
std::unique_ptr<Shooter> make_archer(const client::Client& client, bool walks);
/// Shoots its opponent in the very tick in which that one shoots: both ought to die. (S2)
std::unique_ptr<Shooter> make_duelist(const client::Client& client);

}  // namespace perigee::lab
