/// A whole cluster, and an operator at its command line.
#pragma once

#include "cluster.hpp"

namespace perigee::process_test {

class AnOperator : public ACluster {
 protected:
  std::vector<std::string> ctl(std::vector<std::string> words) const {
    std::vector<std::string> all{PERIGEE_CTL_BINARY,
                                 "--state-dir",
                                 folder.string(),
                                 "--session",
                                 "127.0.0.1:" + std::to_string(base + 12),
                                 "--directory",
                                 "127.0.0.1:" + std::to_string(base + 11)};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  /// Runs perigee-ctl, expects this exit code, and returns its output.
  std::string says(std::vector<std::string> words, int exit_code) const {
    Child child(ctl(std::move(words)));
    EXPECT_EQ(child.wait(), exit_code) << child.output();
    return child.output();
  }
  /// Retries, because a region cannot be moved until its owner has reported its last change.
  void move_region(const std::string& region, const std::string& worker) const {
    const auto done = [&] {
      Child child(ctl({"move", region, worker}));
      return child.wait() == 0;
    };
    EXPECT_TRUE(soon(done)) << "move " << region;
  }
};

}  // namespace perigee::process_test
