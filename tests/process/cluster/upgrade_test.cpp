// Every worker, then the gateway, is replaced by one of another build while people play.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include "inputs.hpp"
#include "operator.hpp"

namespace perigee::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct AnUpgrade : AnOperator {
  static constexpr int players_there = 8;
  static constexpr unsigned first_gateway = 100, second_gateway = 181;

  /// The same program as if it had been linked from something else: another build id is in it.
  std::string another_build(const std::string& binary) const {
    std::ifstream in(binary, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const std::string note("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0", 16);
    const std::size_t at = bytes.find(note);
    EXPECT_NE(at, std::string::npos) << "linked without --build-id";
    if (at != std::string::npos) bytes[at + note.size()] ^= '\x5a';
    const fs::path copy = folder / fs::path(binary).filename();
    std::ofstream(copy, std::ios::binary) << bytes;
    fs::permissions(copy, fs::perms::owner_all);
    return copy.string();
  }
  double handoffs(unsigned worker, const std::string& result) const {
    return series(110 + worker, "perigee_sim_handoffs_total{result=\"" + result + "\"}");
  }
  /// What a worker has to answer for, looked at when nobody plays there any more.
  void take_down(unsigned worker) {
    const std::string metrics = http_get(base + 110 + worker, "/metrics");
    ledger.add([&](const std::string& series) { return value_of(metrics, series); });
    back += handoffs(worker, "back");
    EXPECT_EQ(value_of(metrics, "perigee_sim_drops_total{reason=\"malformed\"}"), 0);
    EXPECT_EQ(value_of(metrics, "perigee_sim_hard_resets_total"), 0);
  }
  void replace(unsigned old_one, unsigned new_one, Child& goes, const std::string& binary) {
    start(binary, {"--index", std::to_string(new_one)});
    const std::string said =
        says({"replace", "sim-" + std::to_string(old_one), "sim-" + std::to_string(new_one)}, 0);
    EXPECT_THAT(said, HasSubstr("sim-" + std::to_string(old_one) + " may be stopped"));
    std::printf("%s", said.c_str());
    EXPECT_EQ(status(20 + old_one).players(), 0U);
    EXPECT_GT(status(20 + new_one).players(), 0U);
    take_down(old_one);
    goes.signal(SIGTERM);
    EXPECT_EQ(goes.wait(), 0) << goes.output();
    EXPECT_THAT(goes.output(), Not(HasSubstr("ends with this worker")));
  }
  static double figure(const std::string& json, const std::string& name) {
    const std::string key = "\"" + name + "\":";
    const std::size_t at = json.find(key);
    EXPECT_NE(at, std::string::npos) << name;
    return at == std::string::npos ? -1 : std::stod(json.substr(at + key.size()));
  }

  Inputs ledger;
  double back = 0;
};

TEST_F(AnUpgrade, OfWorkersAndGatewayCostsNobodyAnAvatarOrAnInput) {
  start_directory();
  Child& old_gateway = start(PERIGEE_GATEWAY_BINARY);
  Child& first = start(PERIGEE_SIM_BINARY, {"--index", "0"});
  Child& second = start(PERIGEE_SIM_BINARY, {"--index", "1"});
  start(PERIGEE_SESSION_BINARY);
  for (const unsigned port : {102U, 100U, 110U, 111U, 101U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  Child players(bots({"--count", std::to_string(players_there), "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing " + std::to_string(players_there))) << players.output();

  // One whose entity types are others would misread whatever it was handed.
  start(PERIGEE_FIRST_GAME_SIM_BINARY, {"--index", "4"});
  EXPECT_TRUE(answers(114, "/ready", "run another game")) << http_get(base + 114, "/ready");
  EXPECT_THAT(says({"workers"}, 0),
              AllOf(HasSubstr("refused, "), HasSubstr("sim-4: "), HasSubstr("stop those first")));
  EXPECT_THAT(says({"replace", "sim-0", "sim-4"}, 1), HasSubstr("the directory refuses sim-4"));
  EXPECT_GE(series(102, "perigee_directory_refusals_total"), 1);
  processes.back().signal(SIGTERM);

  const std::string sim = another_build(PERIGEE_SIM_BINARY);
  replace(0, 2, first, sim);
  replace(1, 3, second, sim);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  for (const unsigned worker : {2U, 3U}) take_down(worker);
  for (const char* nothing : {"disconnects", "avatars_changed", "malformed", "resumes"}) {
    EXPECT_EQ(figure(players.output(), nothing), 0) << nothing;
  }
  const double missing = figure(players.output(), "inputs") - ledger.once() - ledger.void_ones();
  std::printf("%.0f inputs: applied %.0f in time, %.0f by a rollback; twice %.0f, never %.0f\n",
              figure(players.output(), "inputs"), ledger.applied, ledger.late,
              std::max(0.0, -missing), std::max(0.0, missing));
  std::printf("too late %.0f, about a handoff %.0f; %.0f groups came back; longest gap %.0f ms\n",
              ledger.too_late, ledger.too_late_moved, back,
              figure(players.output(), "longest_gap_ms"));
  EXPECT_GE(missing, 0) << "applied twice";
  EXPECT_LE(missing, 64 * back) << "lost";

  // Their tokens to come back with name the one gateway that there is, until there is another.
  Child others(bots({"--count", std::to_string(players_there), "--seconds", "600", "--json"}));
  ASSERT_TRUE(others.says("playing " + std::to_string(players_there))) << others.output();
  const std::string handed = "perigee_gateway_resume_tokens_total{step=\"acknowledged\"}";
  ASSERT_TRUE(soon([&] { return series(first_gateway, handed) >= 2 * players_there; }));
  start(another_build(PERIGEE_GATEWAY_BINARY), {"--gateway-index", "1"});
  ASSERT_TRUE(answers(second_gateway, "/ready", "200 OK")) << outputs();
  old_gateway.signal(SIGTERM);
  EXPECT_EQ(old_gateway.wait(), 0) << old_gateway.output();
  const std::string playing = "perigee_gateway_sessions_playing";
  EXPECT_TRUE(soon([&] { return series(second_gateway, playing) == players_there; }))
      << series(second_gateway, playing);
  EXPECT_THAT(says({"gateways"}, 0), AllOf(HasSubstr("gone"), HasSubstr("alive")));
  others.signal(SIGINT);
  EXPECT_EQ(others.wait(), 0) << others.output();
  EXPECT_EQ(figure(others.output(), "resumes"), players_there) << "once each";
  for (const char* nothing : {"disconnects", "avatars_changed", "malformed"}) {
    EXPECT_EQ(figure(others.output(), nothing), 0) << nothing;
  }
  std::printf("%d players changed gateways, without news for up to %.0f ms\n", players_there,
              figure(others.output(), "longest_gap_ms"));
}

}  // namespace
}  // namespace perigee::process_test
