/// A folder and ports for processes of a suite.
#pragma once

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "process/child.hpp"

namespace perigee::bench {

class Place {
 public:
  Place() : base_(process_test::free_port_base()) {
    std::string name = (std::filesystem::temp_directory_path() / "perigee-bench-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Place() {
    std::error_code gone;
    std::filesystem::remove_all(folder_, gone);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::vector<std::string> command(const std::string& binary, std::vector<std::string> more) const {
    std::vector<std::string> all{binary, "--port-base", std::to_string(base_), "--state-dir",
                                 folder_.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string target(unsigned offset) const {
    return "127.0.0.1:" + std::to_string(base_ + offset);
  }
  unsigned port(unsigned offset) const { return base_ + offset; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  unsigned base_;
  std::filesystem::path folder_;
};

/// Polls for up to `seconds`.
inline bool within(double seconds, const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace perigee::bench
