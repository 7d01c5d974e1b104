/// The wall clock of processes that a test starts, as the library of stepped_clock.cpp shows it to
/// them. Sanitizers want to be the first library of a process, so it does not work with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace perigee::process_test {

class SteppedClock {
 public:
  /// Overwrites that file.
  explicit SteppedClock(std::filesystem::path file) : file_(std::move(file)) { set(0); }

  /// The clock is this far ahead of the machine's from now on. Writes in place: the processes have
  /// the file mapped.
  void set(std::int64_t ahead_s) const {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    if (!file) file.open(file_, std::ios::out | std::ios::binary);
    file.write(reinterpret_cast<const char*>(&ahead_s), sizeof ahead_s);
  }
  /// The command, with this clock.
  std::vector<std::string> with(const std::vector<std::string>& command) const {
    std::vector<std::string> all{"/usr/bin/env", "LD_PRELOAD=" PERIGEE_STEPPED_CLOCK,
                                 "PERIGEE_TEST_CLOCK_STEP=" + file_.string()};
    all.insert(all.end(), command.begin(), command.end());
    return all;
  }

 private:
  std::filesystem::path file_;
};

}  // namespace perigee::process_test
