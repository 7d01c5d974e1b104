#include "bench/common/fleet.hpp"

#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "bench/common/suite.hpp"
#include "process/figures.hpp"

namespace perigee::bench {

using process_test::Child;
using process_test::figure_of;
using process_test::http_get;
using process_test::last_figures;

namespace {

constexpr unsigned gateway_admin = 100, session_admin = 101, directory_admin = 102;
constexpr unsigned worker_admin = 110, session_grpc = 10;

std::string worker_binary(Crates crates) {
  switch (crates) {
    case Crates::None:
      return PERIGEE_SIM_BINARY;
    case Crates::Clouds:
      return PERIGEE_CROWDED_SIM_BINARY;
    case Crates::Field:
      return PERIGEE_WIDE_SIM_BINARY;
  }
  return {};
}

void keep(const std::filesystem::path& file, const std::string& logs) {
  std::error_code why;
  std::filesystem::copy(file, logs, std::filesystem::copy_options::overwrite_existing, why);
  if (why) print_progress(file.filename().string() + " is not in " + logs + ": " + why.message());
}

/// Processor time of a process's main thread.
double thread_cpu_s(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/schedstat");
  double ran_ns = 0;
  file >> ran_ns;
  return ran_ns * 1e-9;
}

}  // namespace

double Seen::value(const std::string& series) const {
  const std::size_t at = metrics.find("\n" + series + " ");
  return at == std::string::npos ? -1 : std::stod(metrics.substr(at + series.size() + 2));
}

double Seen::sum(const std::string& family) const {
  double sum = 0;
  std::istringstream in(metrics);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(family + "{")) sum += std::stod(line.substr(line.rfind(' ')));
  }
  return sum;
}

std::size_t Seen::size() const {
  std::size_t lines = 0;
  std::istringstream in(metrics);
  for (std::string line; std::getline(in, line);) lines += line.starts_with("perigee_") ? 1U : 0U;
  return lines;
}

double mean_tick_ms(const std::vector<Consumed>& workers) {
  double sum = 0;
  for (const Consumed& each : workers) sum += each.tick_ms();
  return workers.empty() ? 0 : sum / static_cast<double>(workers.size());
}

Fleet::Fleet(unsigned workers, unsigned players, FleetWorld world)
    : base_(process_test::free_port_base()), players_(players), world_(world) {
  std::string name = (std::filesystem::temp_directory_path() / "perigee-bench-XXXXXX").string();
  folder_ = mkdtemp(name.data());
  if (!world_.logs.empty()) std::filesystem::create_directories(world_.logs);
  const std::string count = std::to_string(workers);
  directory_ =
      start("directory", PERIGEE_DIRECTORY_BINARY,
            {"--directory-workers", count, "--directory-regions", count,
             world_.standbys ? "--directory-standbys=true" : "--directory-standbys=false"});
  gateway_ = start("gateway", PERIGEE_GATEWAY_BINARY, {});
  for (unsigned i = 0; i < workers; ++i) start_worker(i);
  session_ = start("session", PERIGEE_SESSION_BINARY, {});
}

Fleet::~Fleet() {
  keep_logs();
  bots_.reset();
  for (auto& worker : workers_) worker.reset();
  std::error_code gone;
  std::filesystem::remove_all(folder_, gone);
}

void Fleet::keep_logs() {
  if (!bots_ || world_.logs.empty()) return;
  std::ofstream log(world_.logs + "/bots.log");
  if (!(log << bots_->output() << std::flush)) print_progress("bots.log is not in " + world_.logs);
  bots_.reset();  // ends the bots, so that their files are complete when copied
  keep(gap_file(), world_.logs);
  if (world_.fights) keep(outcome_log(), world_.logs);
}

std::unique_ptr<Child> Fleet::start(const std::string& name, const std::string& binary,
                                    std::vector<std::string> more) const {
  std::vector<std::string> all{binary,
                               "--port-base",
                               std::to_string(base_),
                               "--state-dir",
                               folder_.string(),
                               "--log-level",
                               world_.logs.empty() ? "error" : "info"};
  all.insert(all.end(), more.begin(), more.end());
  if (world_.logs.empty()) return std::make_unique<Child>(std::move(all));
  const std::string file = world_.logs + "/" + name + ".log";  // appended to by later incarnations
  std::vector<std::string> logged{"/bin/sh", "-c", R"(exec "$@" >>"$0" 2>&1)", file};
  logged.insert(logged.end(), all.begin(), all.end());
  return std::make_unique<Child>(std::move(logged));
}

bool Fleet::play() {
  const auto ready = [&] {
    return http_get(base_ + session_admin, "/ready").find("200 OK") != std::string::npos;
  };
  const bool alone = !world_.standbys || !workers_[1];
  if (!within(30, ready) || !(alone || in_sync())) return false;
  std::vector<std::string> command{PERIGEE_BOTS_BINARY,
                                   "--session",
                                   "127.0.0.1:" + std::to_string(base_ + session_grpc),
                                   "--state-dir",
                                   folder_.string(),
                                   "--count",
                                   std::to_string(players_),
                                   "--seconds",
                                   "86400",
                                   "--gap-log",
                                   gap_file(),
                                   "--gap-ms",
                                   std::to_string(static_cast<int>(listed_ms)),
                                   "--json"};
  if (world_.fights) {
    command.insert(command.end(), {"--fierce", "--outcome-log", outcome_log().string()});
  }
  bots_ = std::make_unique<Child>(std::move(command));
  return bots_->says("playing " + std::to_string(players_));
}

void Fleet::start_worker(unsigned index) {
  std::vector<std::string> words{"--index", std::to_string(index)};
  if (world_.fights) {
    words.insert(words.end(), {"--sim-world-store", "sqlite:" + world_store().string()});
  }
  if (world_.crates == Crates::Clouds) words.push_back(std::to_string(world_.layers));
  workers_[index] =
      start("sim-" + std::to_string(index), worker_binary(world_.crates), std::move(words));
}

Seen Fleet::seen(const Child& process, unsigned port) const {
  return {process.pid(), http_get(base_ + port, "/metrics")};
}
std::vector<Seen> Fleet::seen_workers() const {
  std::vector<Seen> out;
  for (unsigned i = 0; i < workers_max; ++i) {
    if (workers_[i]) out.push_back(seen(*workers_[i], worker_admin + i));
  }
  return out;
}
Seen Fleet::seen_gateway() const { return seen(*gateway_, gateway_admin); }
Seen Fleet::seen_directory() const { return seen(*directory_, directory_admin); }
Seen Fleet::seen_session() const { return seen(*session_, session_admin); }

double Fleet::of_worker(unsigned index, const std::string& name) const {
  return seen(*workers_[index], worker_admin + index).value(name);
}
double Fleet::of_directory(const std::string& name) const { return seen_directory().value(name); }

std::vector<Consumed> Fleet::consumed() const {
  std::vector<Consumed> out;
  for (unsigned i = 0; i < workers_max; ++i) {
    if (!workers_[i]) continue;
    out.push_back({.cpu_s = of_worker(i, "perigee_sim_tick_cpu_seconds_sum"),
                   .thread_s = thread_cpu_s(workers_[i]->pid()),
                   .ticks = of_worker(i, "perigee_sim_tick_cpu_seconds_count")});
  }
  return out;
}

std::vector<Consumed> Fleet::consumed_in(double seconds) const {
  const std::vector<Consumed> before = consumed();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  std::vector<Consumed> out = consumed();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].cpu_s -= before[i].cpu_s;
    out[i].thread_s -= before[i].thread_s;
    out[i].ticks -= before[i].ticks;
  }
  return out;
}

bool Fleet::in_sync() const {
  return within(30, [&] {
    for (unsigned i = 0; i < workers_max; ++i) {
      if (workers_[i] && of_worker(i, "perigee_sim_standby_in_sync") != 1) return false;
    }
    return true;
  });
}

bool Fleet::within(double seconds, const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

Result<std::vector<Gap>> Fleet::gaps() {
  bots_->signal(SIGINT);
  bots_->wait();
  std::vector<Gap> out;
  std::ifstream file(gap_file());
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    Gap gap;
    unsigned bot = 0;
    char comma = 0;
    std::istringstream in(line);
    in >> gap.to_s >> comma >> bot >> comma >> gap.ms >> comma >> gap.stalled_ms;
    gap.from_s = gap.to_s - gap.ms * 1e-3;
    out.push_back(gap);
  }
  if (figure_of(bots_->output(), "gaps") != static_cast<double>(out.size())) {
    return Error{"the bots had more gaps than the " + std::to_string(out.size()) + " they list"};
  }
  return out;
}

std::string Fleet::lost() const {
  const std::string& output = bots_->output();
  if (figure_of(output, "avatars_changed") == 0 && figure_of(output, "disconnects") == 0) return "";
  return "a player lost its avatar or its connection: " + std::string(last_figures(output));
}

}  // namespace perigee::bench
