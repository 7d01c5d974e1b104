// Every worker, then the gateway, is replaced by one of another build during play.
#include <iterator>

#include "replacing.hpp"

namespace perigee::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct AnUpgrade : Replacing {
  static constexpr unsigned first_gateway = 100, second_gateway = 181;

  /// The same program with another build id, as if it had been linked from other sources.
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
  double migrations(unsigned worker, const std::string& result) const {
    return series(110 + worker, "perigee_sim_migrations_total{result=\"" + result + "\"}");
  }
  /// Collects a worker's counts once it has no players any more.
  void take_down(unsigned worker) {
    const std::string metrics = http_get(base + 110 + worker, "/metrics");
    ledger.add([&](const std::string& series) { return value_of(metrics, series); });
    back += migrations(worker, "back");
    EXPECT_EQ(value_of(metrics, "perigee_sim_drops_total{reason=\"malformed\"}"), 0);
    EXPECT_EQ(value_of(metrics, "perigee_sim_hard_resets_total"), 0);
  }
  void replace(unsigned old_one, unsigned new_one, const std::string& binary) {
    start_worker(new_one, binary);
    const std::string output = says({"replace", name(old_one), name(new_one)}, 0);
    EXPECT_THAT(output, HasSubstr(name(old_one) + " may be stopped"));
    std::printf("%s", output.c_str());
    EXPECT_EQ(status(20 + old_one).players(), 0U);
    take_down(old_one);
    sims[old_one]->signal(SIGTERM);
    EXPECT_EQ(sims[old_one]->wait(), 0) << sims[old_one]->output();
    EXPECT_THAT(sims[old_one]->output(), Not(HasSubstr("end with this worker")));
  }

  Inputs ledger;
  double back = 0;
};

TEST_F(AnUpgrade, OfWorkersCostsNobodyAnAvatarOrAnInput) {
  start_two();
  people_play();
  const std::string sim = another_build(PERIGEE_SIM_BINARY);
  replace(0, 2, sim);
  replace(1, 3, sim);
  EXPECT_TRUE(soon([&] { return status(22).players() + status(23).players() == players_there; }))
      << "one that crosses the border between the two calls counts in both or in neither";
  people_leave();
  for (const unsigned worker : {2U, 3U}) take_down(worker);
  expect_none({"disconnects", "avatars_changed", "malformed", "resumes"});
  const double missing = figure("inputs") - ledger.once() - ledger.void_ones();
  std::printf("%.0f inputs: applied %.0f in time, %.0f by a rollback; twice %.0f, never %.0f\n",
              figure("inputs"), ledger.applied, ledger.late, std::max(0.0, -missing),
              std::max(0.0, missing));
  std::printf("too late %.0f, about a migration %.0f; %.0f groups came back; longest gap %.0f ms\n",
              ledger.too_late, ledger.too_late_moved, back, figure("longest_gap_ms"));
  EXPECT_GE(missing, 0) << "applied twice";
  EXPECT_LE(missing, 64 * back) << "lost";
}

// Their resume tokens name the only gateway, until there is another one.
TEST_F(AnUpgrade, OfAGatewayCostsNobodyALogInOrAnAvatar) {
  start_two();
  people_play();
  const std::string handed = "perigee_gateway_resume_tokens_total{step=\"acknowledged\"}";
  ASSERT_TRUE(soon([&] { return series(first_gateway, handed) >= players_there; }));
  start(another_build(PERIGEE_GATEWAY_BINARY), {"--gateway-index", "1"});
  ASSERT_TRUE(answers(second_gateway, "/ready", "200 OK")) << outputs();
  gateway->signal(SIGTERM);
  EXPECT_EQ(gateway->wait(), 0) << gateway->output();
  const std::string playing = "perigee_gateway_sessions_playing";
  EXPECT_TRUE(soon([&] { return series(second_gateway, playing) == players_there; }))
      << series(second_gateway, playing);
  EXPECT_THAT(says({"gateways"}, 0), AllOf(HasSubstr("gone"), HasSubstr("alive")));
  people_leave();
  EXPECT_EQ(figure("resumes"), players_there) << "once each";
  expect_none({"disconnects", "avatars_changed", "malformed"});
  std::printf("%u players changed gateways, without news for up to %.0f ms\n", players_there,
              figure("longest_gap_ms"));
}

}  // namespace
}  // namespace perigee::process_test
