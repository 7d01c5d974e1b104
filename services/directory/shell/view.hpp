/// The state of a directory for its readers: complete, and never changed. A writer replaces it as a
/// whole, so readers wait for no decision and no write to the store.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "directory.pb.h"
#include "perigee/directory_leadership/records.hpp"

namespace perigee::directory {

struct View {
  /// The part of a worker's last report that operators see.
  struct Load {
    std::uint32_t entities = 0;
    std::uint32_t players = 0;
    double load_ms = 0;
    double overhead_ms = 0;
    OverloadLevel level = OverloadLevel::None;
    double tick_p99_ms = 0;
    double late_ms = 0;
    double largest_island_ms = 0;
  };
  /// A process that was refused as a member.
  struct Refused {
    std::string name, why;
    Micros when_us = 0;
  };
  /// A refused member asks again within 4 s, and is listed for operators for this long.
  static constexpr Micros refused_shown_us = 10'000'000;

  std::shared_ptr<const Saved> sent;  ///< the stored state; null: this process does not lead
  std::shared_ptr<const v1::ClusterMap> map;  ///< of `sent`, without reports
  std::string why_not;                        ///< why this process does not lead
  WorldClock clock;
  std::vector<std::optional<Load>> loads;  ///< by worker slot; none: it has not reported
  std::map<RegionId, RegionView> regions;
  std::vector<Refused> refused;

  /// For operators. Only while this process leads.
  v1::ClusterMap listed(Micros now_us) const;
};

std::optional<View::Load> load_of(const WorkerReport* report);
/// The message of a stored map.
v1::ClusterMap map_message(const Saved& sent, bool balances);

/// The newest view, for any thread.
class NewestView {
 public:
  std::shared_ptr<const View> get() const {
    const std::lock_guard lock(mutex_);
    return view_;
  }
  void set(std::shared_ptr<const View> view) {
    const std::lock_guard lock(mutex_);
    view_.swap(view);
  }  // the former view is freed after the mutex

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const View> view_ = std::make_shared<const View>();
};

}  // namespace perigee::directory
