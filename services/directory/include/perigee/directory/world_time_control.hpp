/// World time: its segments and changes of its rate, ordered by an operator or chosen by load.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/world_time.hpp"
#include "perigee/directory/dilation.hpp"

namespace perigee::directory {

class WorldTimeControl {
 public:
  /// A rate change is announced this long ahead, so that all workers know of it in time. So do
  /// clients with inputs that far ahead: they learn of it from the workers.
  static constexpr Micros notice_us = 1'000'000;

  struct Needs {
    WorldTime& time;            ///< written here alone
    std::uint32_t& cluster_id;  ///< of the map
    std::uint64_t& version;     ///< of the map
    /// The workers' present load.
    std::function<std::vector<Strain>()> strains;
  };
  WorldTimeControl(Needs needs, const DilationSettings& settings,
                   std::optional<std::uint32_t> ordered_percent)
      : needs_(std::move(needs)), dilation_(settings), ordered_percent_(ordered_percent) {}

  /// Begins a new segment before the ticks of the present one overflow.
  void renew(Micros now_us);
  /// Announces the next rate change, if one is due.
  void steer(Micros now_us);
  /// World time as a percentage of real time, 50 to 100; nullopt: chosen by load.
  Result<Ok> order(Micros now_us, std::optional<std::uint32_t> percent);
  /// World time continues with `tick` at `now_us`, at the same rate, under another incarnation of
  /// the map.
  void resume(Micros now_us, Tick tick);
  /// Restores `time`: the last rate change is dropped because it was not published.
  void keep(const WorldTime& time) { needs_.time = time; }

  /// Percentage of real time once the last rate change is in force.
  std::uint32_t percent() const { return last().rate_ppm / ppm_per_percent; }
  const std::optional<std::uint32_t>& ordered_percent() const { return ordered_percent_; }
  std::uint64_t changes() const { return changes_; }

 private:
  const TimeSegment& last() const {
    return needs_.time.change ? *needs_.time.change : needs_.time.base;
  }

  Needs needs_;
  Dilation dilation_;
  std::optional<std::uint32_t> ordered_percent_;  ///< the operator's last setting
  std::uint64_t changes_ = 0;
};

}  // namespace perigee::directory
