#include "soaked_cluster.hpp"

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "perigee/client/step_history.hpp"

namespace perigee::process_test {
namespace {

using namespace std::chrono_literals;

std::string index_of(const std::string& name) { return name.substr(name.size() - 1); }

/// Holds the store's file locked: to its writers the disk stands still.
class SlowDisk {
 public:
  explicit SlowDisk(const fs::path& file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &db_), SQLITE_OK);
    sqlite3_busy_timeout(db_, 10'000);
    sqlite3_exec(db_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  }
  ~SlowDisk() { sqlite3_close(db_); }
  SlowDisk(const SlowDisk&) = delete;
  SlowDisk& operator=(const SlowDisk&) = delete;

 private:
  sqlite3* db_ = nullptr;
};

std::string last_lines(const std::string& text, std::size_t bytes_max = 4'000) {
  return text.size() <= bytes_max ? text : text.substr(text.size() - bytes_max);
}

}  // namespace

ASoakedCluster::ASoakedCluster()
    : Stay(loopback_mtu),
      logs(std::getenv("PERIGEE_SOAK_LOGS") != nullptr ? fs::path(std::getenv("PERIGEE_SOAK_LOGS"))
                                                       : folder / "logs"),
      network(ports_of_all()) {
  fs::create_directories(logs);
}

NetworkCuts::Ports ASoakedCluster::ports_of_all() const {
  NetworkCuts::Ports all{{"directory", {base + 11}}, {"session", {base + 10, base + 12}}};
  for (unsigned i = 0; i < soak_workers; ++i) {
    all["sim-" + std::to_string(i)] = {base + 20 + i, base + 40 + i};
  }
  for (unsigned i = 0; i < soak_gateways; ++i) {
    all["gateway-" + std::to_string(i)] = {base + i, base + 30 + i, base + 50 + i};
  }
  return all;
}

void ASoakedCluster::begin() {
  Child certs({PERIGEE_ROOT "/perigee", "certs", "--into", (folder / "certs").string()});
  ASSERT_EQ(certs.wait(), 0) << certs.output();
  const fs::path file = folder / "world.db";
  running["directory"] = {PERIGEE_DIRECTORY_BINARY,
                          {"--directory-workers", "3", "--directory-regions", "3"}};
  running["session"] = {PERIGEE_SESSION_BINARY, {}};
  for (const char* gateway : {"gateway-0", "gateway-1"}) {
    running[gateway] = {PERIGEE_GATEWAY_BINARY, {"--gateway-index", index_of(gateway)}};
  }
  for (const char* worker : {"sim-0", "sim-1", "sim-2"}) {
    running[worker] = {
        PERIGEE_SIM_BINARY,
        {"--index", index_of(worker), "--sim-world-store", "sqlite:" + file.string()}};
  }
  for (auto& [name, process] : running) {
    process.clock.emplace(folder / (name + ".clock"));
    start_named(name);
  }
  for (const unsigned port : {102U, 100U, 181U, 110U, 111U, 112U, 101U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << http_get(base + port, "/ready");
  }
  ASSERT_TRUE(in_sync({0, 1, 2}));
  auto store = world_store::open_sqlite(file);
  ASSERT_TRUE(store.ok()) << store.error().message;
  journal.emplace(std::move(*store));
}

void ASoakedCluster::begin_players() {
  Process& players = running["bots"];
  players.child =
      &processes.emplace_back(std::vector<std::string>{"/bin/sh",
                                                       "-c",
                                                       R"(exec "$@" >>"$0" 2>&1)",
                                                       (logs / "bots.log").string(),
                                                       PERIGEE_BOTS_BINARY,
                                                       "--session",
                                                       "127.0.0.1:" + std::to_string(base + 10),
                                                       "--state-dir",
                                                       folder.string(),
                                                       "--count",
                                                       std::to_string(bots_there),
                                                       "--seconds",
                                                       "86400",
                                                       "--fierce",
                                                       "--profile",
                                                       "P1",
                                                       "--outcome-log",
                                                       outcome_log.string(),
                                                       "--gap-log",
                                                       gap_log.string(),
                                                       "--json"});
  players.life.emplace("bots", players.child->pid());
  ASSERT_TRUE(comes([&] {
    return log_of("bots").find("playing " + std::to_string(bots_there)) != std::string::npos;
  })) << log_of("bots");
  told_ = log_of("bots").size();
  let_histories_fill();
}

/// A client remembers its steps that the server has not confirmed, and keeps the memory: after the
/// longest silence that it bridges, all have what they will ever need for it.
void ASoakedCluster::let_histories_fill() {
  constexpr auto longest = client::StepHistory::capacity_ticks * 1'000ms / default_tick_rate_hz;
  for (const char* gateway : {"gateway-0", "gateway-1"}) running[gateway].child->signal(SIGSTOP);
  play(longest);
  for (const char* gateway : {"gateway-0", "gateway-1"}) running[gateway].child->signal(SIGCONT);
}

std::string ASoakedCluster::end_players() {
  Child& players = *running["bots"].child;
  past.push_back(*running["bots"].life);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << last_lines(log_of("bots"));
  running.erase("bots");
  return log_of("bots");
}

std::string ASoakedCluster::log_of(const std::string& name) const {
  std::ifstream file(logs / (name + ".log"));
  return {std::istreambuf_iterator<char>(file), {}};
}

void ASoakedCluster::say(const std::string& text) const {
  std::printf("%7.2f min  %s\n", minutes(), text.c_str());
  std::fflush(stdout);
}

void ASoakedCluster::start_named(const std::string& name) {
  Process& process = running[name];
  std::vector<std::string> words = command(process.binary, process.words);
  if (slowness == 1) words = process.clock->with(words);
  words = network.as(name, std::move(words));
  words.insert(words.begin(),
               {"/bin/sh", "-c", R"(exec "$@" >>"$0" 2>&1)", (logs / (name + ".log")).string()});
  process.child = &processes.emplace_back(words);
  process.life.emplace(name, process.child->pid());
  if (name.starts_with("sim-")) processors_.watch(process.child->pid());
}

std::string ASoakedCluster::starved() const {
  const Micros now_us = host::Loop::clock_us();
  constexpr Micros recent_us = 3'000'000;
  return "workers waited for a processor for " +
         std::to_string(processors_.waited_us(now_us - recent_us, now_us) / 1'000) +
         " ms of the last 3 s";
}

void ASoakedCluster::end(const std::string& name, int signal) {
  Process& process = running[name];
  process.life->look();
  past.push_back(*process.life);
  process.child->signal(signal);
  const int code = process.child->wait();
  EXPECT_EQ(code, signal == SIGTERM ? 0 : 128 + signal) << name << last_lines(log_of(name));
}

void ASoakedCluster::play(std::chrono::milliseconds time) {
  for (const auto until = Clock::now() + time; Clock::now() < until;) {
    look_at_journal();
    look_at_processes();
    look_at_players();
    count_players();
    std::this_thread::sleep_for(std::min<Clock::duration>(500ms, until - Clock::now()));
  }
}

// A loaded machine may answer a look too late; the next one has the same rows.
void ASoakedCluster::look_at_journal() {
  const auto looked = journal->look();
  if (looked.ok()) {
    looked_ = Clock::now();
  } else if (Clock::now() - looked_ > 14s) {
    ADD_FAILURE() << "rows may have expired unseen: " << looked.error().message;
    looked_ = Clock::now();
  }
}

void ASoakedCluster::look_at_processes() {
  for (auto& [name, process] : running) {
    if (process.child == nullptr) continue;
    process.life->look();
    if (process.child->runs()) continue;
    const int code = process.child->wait();
    say(name + " HAS ENDED BY ITSELF: " + std::to_string(code));
    ADD_FAILURE() << name << " has ended by itself, code " << code << "\n"
                  << last_lines(log_of(name));
    past.push_back(*process.life);
    if (name != "bots") start_named(name);
  }
}

/// A worker that is stopped does not answer; the next look counts them.
void ASoakedCluster::count_players() {
  if (Clock::now() - counted_ < 2s) return;
  counted_ = Clock::now();
  constexpr int patience_ms = 100;
  for (unsigned i = 0; i < soak_workers; ++i) {
    Process& worker = running["sim-" + std::to_string(i)];
    if (worker.child == nullptr) continue;
    const std::string metrics = http_get(base + 110 + i, "/metrics", patience_ms);
    worker.life->note_worker(value_of(metrics, "perigee_sim_players"),
                             value_of(metrics, "perigee_process_heap_used_bytes") / 1'048'576);
  }
}

/// New lines of the players' log about what should not happen.
void ASoakedCluster::look_at_players() {
  std::ifstream file(logs / "bots.log");
  file.seekg(static_cast<std::streamoff>(told_));
  for (std::string line; std::getline(file, line) && !file.eof();) {
    told_ += line.size() + 1;
    const bool lost = line.find("lost its connection") != std::string::npos;
    if (!lost && line.find("another avatar") == std::string::npos) continue;
    say("PLAYERS: " + line + "; " + starved());
  }
}

void ASoakedCluster::kill_for(const std::string& name, unsigned ms) {
  end(name, SIGKILL);
  Process& process = running[name];
  process.child = nullptr;
  play(std::chrono::milliseconds(ms));
  start_named(name);
}

void ASoakedCluster::stand(const std::string& name, unsigned ms) {
  Child& child = *running[name].child;
  child.signal(SIGSTOP);
  play(std::chrono::milliseconds(ms));
  child.signal(SIGCONT);
}

void ASoakedCluster::stand_disk(unsigned ms) {
  const SlowDisk still(folder / "world.db");
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

void ASoakedCluster::set_all_clocks(std::int64_t ahead_s) {
  for (const auto& [name, process] : running) {
    if (process.clock) process.clock->set(ahead_s);
  }
}

void ASoakedCluster::cut(const Deed& deed) {
  const std::uint64_t before = network.dropped();
  for (const std::string& other : deed.others) {
    if (deed.way != Way::FromOthers) network.cut(deed.who, other);
    if (deed.way != Way::ToOthers) network.cut(other, deed.who);
  }
  play(std::chrono::milliseconds(deed.for_ms));
  network.heal();
  say("  " + std::to_string(network.dropped() - before) + " packets were dropped");
}

void ASoakedCluster::perform(const Deed& deed) {
  const auto time = std::chrono::milliseconds(deed.for_ms);
  switch (deed.kind) {
    case DeedKind::WorkerKilled:
    case DeedKind::GatewayKilled:
    case DeedKind::DirectoryKilled:
    case DeedKind::SessionKilled:
      return kill_for(deed.who, deed.for_ms);
    case DeedKind::KilledWithClockOff:
      running[deed.who].clock->set(deed.step_s);
      play(1s);
      kill_for(deed.who, 1'000);
      play(time);
      return running[deed.who].clock->set(0);
    case DeedKind::WorkerDrained:
      end(deed.who, SIGTERM);
      return start_named(deed.who);
    case DeedKind::WorkerStopped:
    case DeedKind::GatewayStopped:
    case DeedKind::DirectoryStopped:
    case DeedKind::SessionStopped:
      return stand(deed.who, deed.for_ms);
    case DeedKind::DiskStoodStill:
      return stand_disk(deed.for_ms);
    case DeedKind::ClockStepped:
      running[deed.who].clock->set(deed.step_s);
      play(time);
      return running[deed.who].clock->set(0);
    case DeedKind::ClocksStepped:
      set_all_clocks(deed.step_s);
      play(time);
      return set_all_clocks(0);
    case DeedKind::NetCut:
      return cut(deed);
  }
}

}  // namespace perigee::process_test
