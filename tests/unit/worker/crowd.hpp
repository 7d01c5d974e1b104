/// Players with their own inputs, played in time and over bad links: link faults inside the window
/// must not change the result.
#pragma once

#include <map>

#include "fixture.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::worker {

inline Settings without_claims() {
  Settings settings = small_settings();
  settings.reset_m = 1e9;             // claims have their own tests
  settings.late_ticks_max = 1 << 30;  // the allowance has its own test
  return settings;
}

struct Crowd {
  Bench bench;
  std::vector<std::vector<PlayerInput>> inputs;

  /// `plan(seed)`: the inputs of one of them, from Bench::start on.
  template <class Plan>
  Crowd(const test::YardOptions& options, std::uint32_t people, std::uint64_t seed, Plan plan)
      : bench(options, one_worker_map(), without_claims()) {
    for (std::uint32_t n = 0; n < people; ++n) {
      bench.join(n);
      inputs.push_back(plan(seed * people + n));
    }
  }
  std::uint32_t people() const { return static_cast<std::uint32_t>(inputs.size()); }
  int ticks() const { return static_cast<int>(inputs[0].size()); }
  void send(std::uint32_t n, int newest) {
    std::vector<PlayerInput> carried;
    for (int i = newest; i >= 0 && carried.size() < ControlFrame::inputs_max; --i) {
      carried.push_back(inputs[n][static_cast<std::size_t>(i)]);
    }
    bench.send(bench.frame_of(carried, n), n);
  }
  std::vector<world::JournalEntry> journal() const {
    std::vector<world::JournalEntry> all;
    const JournalLog& log = bench.core->journal();
    for (std::uint64_t n = log.oldest(); n < log.total(); ++n) all.push_back(log[n]);
    return all;
  }
  void play_in_time() {
    for (int i = 0; i < ticks() + 40; ++i) {
      for (std::uint32_t n = 0; n < people() && i < ticks(); ++n) send(n, i);
      bench.tick();
    }
  }
  /// Packets are lost, duplicated, reordered and late, but each input arrives inside the window.
  void play_through_weather(std::uint64_t seed) {
    Random random(seed + 1000);
    std::multimap<int, std::pair<std::uint32_t, int>> under_way;
    for (int i = 0; i < ticks() + 40; ++i) {
      for (std::uint32_t n = 0; n < people() && i < ticks() + 10; ++n) {
        const int copies = random.below(100) < 20 ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy) {
          if (random.below(100) < 20) continue;
          under_way.emplace(i + static_cast<int>(random.below(7)),
                            std::pair(n, std::min(i, ticks() - 1)));
        }
      }
      for (auto it = under_way.begin(); it != under_way.end() && it->first <= i;) {
        send(it->second.first, it->second.second);
        it = under_way.erase(it);
      }
      bench.tick();
    }
  }
};

}  // namespace perigee::worker
