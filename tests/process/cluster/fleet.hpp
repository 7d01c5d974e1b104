/// Three workers with a region each and fixed borders.
#pragma once

#include "operator.hpp"

namespace perigee::process_test {

struct AFleet : AnOperator {
  static constexpr unsigned players = 12;
  std::vector<std::string> of_each_worker;  ///< extra command-line arguments of each worker
  std::vector<Child*> sims = std::vector<Child*>(3);

  void start_three() {
    start(PERIGEE_DIRECTORY_BINARY,
          {"--directory-workers", "3", "--directory-regions", "3", "--directory-balance=false"});
    start(PERIGEE_GATEWAY_BINARY);
    for (const unsigned index : {0U, 1U, 2U}) start_worker(index);
    start(PERIGEE_SESSION_BINARY);
    for (const unsigned port : {102U, 100U, 110U, 111U, 112U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
    ASSERT_TRUE(in_sync({0, 1, 2})) << outputs();
  }
  void start_worker(unsigned index) {
    std::vector<std::string> words{"--index", std::to_string(index)};
    words.insert(words.end(), of_each_worker.begin(), of_each_worker.end());
    sims[index] = &start(PERIGEE_SIM_BINARY, words);
  }
  /// Each of these workers has a standby in sync.
  bool in_sync(std::initializer_list<unsigned> workers) const {
    return soon([&] {
      return std::all_of(workers.begin(), workers.end(), [&](unsigned worker) {
        return series(110 + worker, "perigee_sim_standby_in_sync") == 1;
      });
    });
  }
  /// The worker with the most players.
  unsigned busiest() const {
    unsigned best = 0;
    for (const unsigned worker : {1U, 2U}) {
      if (status(20 + worker).players() > status(20 + best).players()) best = worker;
    }
    return best;
  }
};

}  // namespace perigee::process_test
