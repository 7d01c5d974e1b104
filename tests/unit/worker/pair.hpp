/// Two workers that replicate everything to each other, and a directory.
#pragma once

#include "border.hpp"

namespace perigee::worker {

/// First bytes of the messages between a worker and its standby.
inline constexpr std::byte replica_part{5}, replica{6}, replica_answer{7};

inline std::optional<int> lost_on_the_way_there(const Border::Word& word) {
  return word.to == WorkerSlot{1} ? std::nullopt : std::optional(0);
}

/// Two workers that are each other's standby, and a directory that follows their reports.
struct Pair : Border {
  bool here_lives = true;
  bool records = true;  ///< the directory receives reports
  int delay = 0;        ///< of the directory's maps, in steps

  explicit Pair(const test::YardOptions& at_home = yard_at_the_border({15, person_m, 0}),
                const test::YardOptions& abroad = yard_at_the_border({25, person_m, 0}),
                const Settings& settings = small_settings(), bool standbys = true)
      : Border(at_home, abroad, settings) {
    if (!standbys) return;
    change([](ClusterMap& map) {
      map.workers[0].standby = WorkerSlot{1};
      map.workers[1].standby = WorkerSlot{0};
    });
  }
  void change(const std::function<void(ClusterMap&)>& how) {
    how(here.map);
    ++here.map.version;
    there.map = here.map;
    if (here_lives) here.core->on_map(here.map, Bench::start);
    there.core->on_map(there.map, Bench::start);
  }
  void receive_reports() {
    if (!records) return;
    for (Bench* bench : {&here, &there}) {
      if (bench == &here && !here_lives) continue;
      const WorkerReport report = bench->core->report(std::nullopt);
      const WorkerEntry& entry = here.map.workers[bench->slot.index()];
      const bool in_sync = report.in_sync_with.has_value();
      if (entry.standby_in_sync == in_sync && entry.standby_word == report.standby_word) continue;
      change([&](ClusterMap& map) {
        map.workers[bench->slot.index()].standby_in_sync = in_sync;
        map.workers[bench->slot.index()].standby_word = report.standby_word;
      });
    }
  }
  void pass(int turns = 1) {
    for (int i = 0; i < turns; ++i) {
      if (here_lives) {
        step();
      } else {
        there.tick();
        ++turn;
        std::erase_if(under_way, [](const Word& word) { return word.to == WorkerSlot{0}; });
        while (!under_way.empty()) {
          const Word word = std::move(under_way.front());
          under_way.pop_front();
          there.core->on_peer(WorkerSlot{0}, word.bytes);
        }
      }
      receive_reports();
    }
  }
  bool in_sync(std::size_t worker) const { return here.map.workers[worker].standby_in_sync; }
  /// The first worker dies; its messages in flight still arrive.
  void kill() { here_lives = false; }
  static void pass_on_to_the_second(ClusterMap& map) {
    map.workers[0].alive = false;
    for (WorkerEntry& worker : map.workers) {
      worker.standby.reset();
      worker.standby_in_sync = false;
    }
    map.regions[0].owner = WorkerSlot{1};
  }
  /// Without a successor.
  void declare_dead() {
    change([](ClusterMap& map) {
      pass_on_to_the_second(map);
      map.regions[0].created_epoch = ++map.regions[0].epoch;
    });
  }
  void record_failover(std::uint32_t crashes = 1) {
    change([&](ClusterMap& map) {
      pass_on_to_the_second(map);
      ++map.regions[0].epoch;
      map.failover_records.push_back({map.workers[0].handle_base, WorkerSlot{1},
                                      map.workers[1].handle_base, Epoch{2}, crashes});
    });
  }
  void send_here(PlayerInput input, std::uint32_t n = 0) {
    input.tick = here.core->next_tick() + 2;
    here.send(input, n);
  }
};

}  // namespace perigee::worker
