#include "lives.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace perigee::process_test {
namespace {

double cpu_s_of(const std::string& folder) {
  std::ifstream file(folder + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;  // up to utime, the 14th of all
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

Use use_of(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  Use out{.cpu_s = cpu_s_of(folder)};
  std::ifstream status(folder + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) out.resident_mb = std::atof(line.c_str() + 6) / 1'024;
  }
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder + "/fd", failed), end; !failed && at != end;
       at.increment(failed)) {
    ++out.descriptors;
  }
  return out;
}

void Life::look() {
  const Use now = use_of(process_);
  if (now.descriptors == 0) return;
  seen_ = Clock::now();
  last_ = now;
  if (!warm_ && seen_ - began_ >= warm_up) warm_ = now;
}

void Life::note_worker(double players, double heap_mb) {
  most_players_ = std::max(most_players_, players);
  if (heap_mb > 0) heap_mb_ = heap_mb;
  if (warm_) return;
  warm_players_ = most_players_;
  warm_heap_mb_ = heap_mb_;
}

double Life::minutes() const { return std::chrono::duration<double>(seen_ - began_).count() / 60; }

std::string Life::grown() const {
  if (!warm_ || seen_ - began_ < judged) return {};
  const bool by_heap = warm_heap_mb_ > 0;
  const double warm_mb = by_heap ? warm_heap_mb_ : warm_->resident_mb;
  const double mb_max = warm_mb + std::max(growth_mb_max, growth_share_max * warm_->resident_mb) +
                        player_mb * (most_players_ - warm_players_);
  if ((by_heap ? heap_mb_ : last_.resident_mb) > mb_max) return "memory has grown: " + row();
  if (last_.descriptors > warm_->descriptors + descriptors_growth_max) {
    return "descriptors have grown: " + row();
  }
  return {};
}

std::string Life::heading() {
  return "process     minutes   RAM MB at 3 min  at end   heap MB at 3 min  at end   fd at 3 min  "
         "at end   CPU %";
}

std::string Life::row() const {
  std::array<char, 160> out{};
  const Use warm = warm_.value_or(last_);
  std::snprintf(
      out.data(), out.size(), "%-10s  %7.1f   %15.1f  %6.1f   %16.1f  %6.1f   %11ld  %6ld   %5.1f",
      name_.c_str(), minutes(), warm.resident_mb, last_.resident_mb, warm_heap_mb_, heap_mb_,
      warm.descriptors, last_.descriptors, last_.cpu_s / std::max(minutes() * 60, 1.0) * 100);
  return out.data();
}

}  // namespace perigee::process_test
