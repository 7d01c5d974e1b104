// bench_failover: three worker processes under bots. One of them is killed, or stopped for two
// seconds, again and again; how long its players were without a snapshot of themselves.
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

#include "bench/common/suite.hpp"
#include "perigee/netcode/hash.hpp"
#include "process/child.hpp"

namespace perigee::bench {
namespace {

namespace fs = std::filesystem;
using process_test::Child;
using process_test::http_get;

constexpr unsigned workers = 3;
/// A snapshot comes each 33 ms: this is a gap that something has made.
constexpr double listed_ms = 60;

double unix_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

struct Gap {
  double from_s = 0, to_s = 0, ms = 0, stalled_ms = 0;
};

class Fleet {
 public:
  explicit Fleet(unsigned players) : base_(process_test::free_port_base()) {
    std::string name = (fs::temp_directory_path() / "perigee-bench-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    directory_ =
        start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "3", "--directory-regions", "3"});
    gateway_ = start(PERIGEE_GATEWAY_BINARY, {});
    for (unsigned i = 0; i < workers; ++i) start_worker(i);
    session_ = start(PERIGEE_SESSION_BINARY, {});
    players_ = players;
  }
  ~Fleet() {
    bots_.reset();
    for (auto& sim : sims_) sim.reset();
    std::error_code gone;
    fs::remove_all(folder_, gone);
  }
  bool play() {
    if (!ready(101) || !in_sync()) return false;
    bots_ = std::make_unique<Child>(std::vector<std::string>{
        PERIGEE_BOTS_BINARY, "--session", "127.0.0.1:" + std::to_string(base_ + 10), "--state-dir",
        folder_.string(), "--count", std::to_string(players_), "--seconds", "86400", "--gap-log",
        gap_file(), "--gap-ms", std::to_string(static_cast<int>(listed_ms)), "--json"});
    return bots_->says("playing " + std::to_string(players_));
  }
  void start_worker(unsigned index) {
    sims_[index] = start(PERIGEE_SIM_BINARY, {"--index", std::to_string(index)});
  }
  Child& sim(unsigned index) { return *sims_[index]; }
  double series(unsigned port, const std::string& name) const {
    const std::string metrics = http_get(base_ + port, "/metrics");
    const std::size_t at = metrics.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(metrics.substr(at + name.size() + 2));
  }
  double players_of(unsigned index) const { return series(110 + index, "perigee_sim_players"); }
  bool in_sync() const {
    return soon([&] {
      for (unsigned i = 0; i < workers; ++i) {
        if (series(110 + i, "perigee_sim_buddy_in_sync") != 1) return false;
      }
      return true;
    });
  }
  /// Ends the bots; what they lacked.
  std::vector<Gap> gaps() {
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
    return out;
  }
  const std::string& said_by_bots() const { return bots_->output(); }

 private:
  template <class Done>
  bool soon(Done done) const {
    for (int attempt = 0; attempt < 600; ++attempt) {
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  bool ready(unsigned port) const {
    return soon(
        [&] { return http_get(base_ + port, "/ready").find("200 OK") != std::string::npos; });
  }
  std::string gap_file() const { return (folder_ / "gaps.csv").string(); }
  std::unique_ptr<Child> start(const std::string& binary, std::vector<std::string> more) const {
    // Nobody reads what they say.
    std::vector<std::string> all{binary,        "--port-base",    std::to_string(base_),
                                 "--state-dir", folder_.string(), "--log-level",
                                 "error"};
    all.insert(all.end(), more.begin(), more.end());
    return std::make_unique<Child>(std::move(all));
  }

  unsigned base_;
  unsigned players_ = 0;
  fs::path folder_;
  std::unique_ptr<Child> directory_, gateway_, session_, bots_;
  std::unique_ptr<Child> sims_[workers];
};

struct Blow {
  double at_s = 0;
  bool kills = true;
};

/// What the bots lacked at each blow, without what their own process was kept waiting.
void add_blackouts(const std::vector<Gap>& gaps, const std::vector<Blow>& blows, bool kills,
                   const std::string& prefix, Figures& figures) {
  std::vector<double> ms;
  for (const Blow& blow : blows) {
    if (blow.kills != kills) continue;
    for (const Gap& gap : gaps) {
      const bool caused = gap.from_s < blow.at_s + 0.1 && gap.to_s > blow.at_s;
      if (caused) ms.push_back(gap.ms - gap.stalled_ms);
    }
  }
  const auto at = [&](double share) { return ms.empty() ? 0.0 : percentile(ms, share); };
  figures.add(prefix + "blackout_p50_ms", at(0.5), "ms");
  figures.add(prefix + "blackout_p99_ms", at(0.99), "ms");
  figures.add(prefix + "blackout_max_ms", at(1), "ms");
  figures.add(prefix + "blackouts", static_cast<double>(ms.size()), "");
}

/// Nothing of that kind is what a failover takes: which blow it followed, for whoever looks why.
void say_what_lasted(const std::vector<Gap>& gaps, const std::vector<Blow>& blows) {
  std::map<std::size_t, std::vector<double>> lasted_s;
  for (const Gap& gap : gaps) {
    if (gap.ms < 1'000) continue;
    std::size_t blow = 0;
    while (blow + 1 < blows.size() && blows[blow + 1].at_s < gap.from_s + 0.1) ++blow;
    lasted_s[blow].push_back(gap.ms * 1e-3);
  }
  for (const auto& [blow, seconds] : lasted_s) {
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    say("blow " + std::to_string(blow + 1) + " (" + (blows[blow].kills ? "kill" : "stop") +
        "): " + std::to_string(seconds.size()) + " players without a snapshot for " +
        std::to_string(*least) + " to " + std::to_string(*most) + " s");
  }
}

Result<Ok> failover(const Run& run, Figures& figures) {
  const unsigned players = run.quick ? 6 : 100;
  const unsigned each = run.quick ? 1 : 50;
  Fleet fleet(players);
  if (!fleet.play()) return Error{"the cluster did not begin to play within 30 s"};
  std::this_thread::sleep_for(std::chrono::seconds(run.quick ? 4 : 10));
  std::vector<Blow> blows;
  std::uint64_t random = 1;
  for (unsigned i = 0; i < 2 * each; ++i) {
    random = mix64(random);
    auto victim = static_cast<unsigned>(random % workers);
    while (fleet.players_of(victim) <= 0) victim = (victim + 1) % workers;
    const bool kills = i % 2 == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(random % 1'000));
    blows.push_back({unix_s(), kills});
    fleet.sim(victim).signal(kills ? SIGKILL : SIGSTOP);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    if (kills) {
      fleet.start_worker(victim);
    } else {
      fleet.sim(victim).signal(SIGCONT);
    }
    // What was stopped shows what it believed then, until it has heard the map.
    std::this_thread::sleep_for(std::chrono::milliseconds(1'500));
    if (!fleet.in_sync()) return Error{"no buddy was in sync again within 30 s"};
    say(std::to_string(i + 1) + " of " + std::to_string(2 * each) + " blows");
  }
  const std::vector<Gap> gaps = fleet.gaps();
  say_what_lasted(gaps, blows);
  figures.add("kills", each, "");
  add_blackouts(gaps, blows, true, "", figures);
  figures.add("stalls", each, "");
  add_blackouts(gaps, blows, false, "stall_", figures);
  if (fleet.said_by_bots().find("\"avatars_changed\":0,") == std::string::npos ||
      fleet.said_by_bots().find("\"disconnects\":0,") == std::string::npos) {
    return Error{"a player lost its avatar or its connection: " + fleet.said_by_bots()};
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("failover", argc, argv, perigee::bench::failover);
}
