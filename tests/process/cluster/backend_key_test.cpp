// The key with which the session service seals players' tokens, and gateways open them, is changed
// during play, as docs/security.md describes it.
#include <array>
#include <cstdio>

#include "cluster.hpp"
#include "felt_gaps.hpp"

namespace perigee::process_test {
namespace {

class ABackendKey : public ACluster {
 protected:
  static constexpr unsigned bots_there = 20;
  static constexpr std::array<unsigned, 2> gateway_admins{100, 181};
  const fs::path file = folder / "secrets" / "backend.key";
  const fs::path gap_log = folder / "gaps.csv";
  std::vector<Child*> gateways;
  Child* session = nullptr;

  void start_with_gateways(unsigned count) {
    start_directory();
    for (unsigned i = 0; i < count; ++i) {
      gateways.push_back(&start(PERIGEE_GATEWAY_BINARY, {"--gateway-index", std::to_string(i)}));
    }
    start(PERIGEE_SIM_BINARY, {"--index", "0"});
    start(PERIGEE_SIM_BINARY, {"--index", "1"});
    session = &start(PERIGEE_SESSION_BINARY);
    for (const unsigned port : {102U, 110U, 111U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_TRUE(answers(gateway_admins[i], "/ready", "200 OK")) << outputs();
    }
  }
  std::vector<std::string> lines() const {
    std::ifstream in(file);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  /// In place of the former file at once.
  void write(const std::vector<std::string>& all) const {
    const fs::path next = file.parent_path() / "next.key";
    std::ofstream out(next);
    for (const std::string& line : all) out << line << '\n';
    out.close();
    fs::permissions(next, fs::perms::owner_read | fs::perms::owner_write);
    fs::rename(next, file);
  }
  static void reload(Child& process, const std::string& says) {
    const std::size_t before = process.output().size();
    process.signal(SIGHUP);
    EXPECT_TRUE(process.says(says, before)) << process.output();
  }
  /// The gateways accept the former key, too.
  void change_key() {
    const std::string former = lines().at(0);
    write({std::string(former.rbegin(), former.rend()), former});
    for (Child* gateway : gateways) reload(*gateway, "accepted=2");
    reload(*session, "key reloaded");
  }
  void forget_former_key() {
    write({lines().at(0)});
    for (Child* gateway : gateways) reload(*gateway, "accepted=1");
  }
  double playing_at(unsigned gateway) const {
    return series(gateway_admins[gateway], "perigee_gateway_sessions_playing");
  }
  void expect_newcomers_play() const {
    Child newcomers(bots({"--count", "2", "--seconds", "2", "--json"}));
    EXPECT_EQ(newcomers.wait(), 0) << newcomers.output();
  }
  std::vector<std::string> people() const {
    return bots({"--count", std::to_string(bots_there), "--seconds", "600", "--profile", "P1",
                 "--gap-log", gap_log.string(), "--json"});
  }
};

TEST_F(ABackendKey, ChangesTwiceAndIsForgottenWhilePlayersPlayAndNoticeNothing) {
  start_with_gateways(1);
  FeltGaps felt;
  Child players(people());
  for (const Child& process : processes) felt.watch(process.pid());
  felt.watch(players.pid());
  ASSERT_TRUE(players.says("playing 20")) << players.output();
  for (int i = 0; i < 2; ++i) {
    change_key();
    expect_newcomers_play();
    forget_former_key();
    expect_newcomers_play();
  }
  EXPECT_EQ(series(100, "perigee_gateway_drops_total{reason=\"request_bad_nonce\"}"), 0);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0);
  EXPECT_EQ(figure_of(players.output(), "resumes"), 0);
  for (const Gap& gap : read_gaps(gap_log)) {
    EXPECT_LE(felt.own_part_s(gap), FeltGaps::seconds_max) << "bot " << gap.bot;
  }
  std::printf("longest gap %.0f ms\n", figure_of(players.output(), "longest_gap_ms"));
}

// Their resume tokens are of the former key.
TEST_F(ABackendKey, ThatIsTheFormerOneStillBringsPlayersBackWhenTheirGatewayDies) {
  start_with_gateways(2);
  Child players(people());
  ASSERT_TRUE(players.says("playing 20")) << players.output();
  const double at_first = playing_at(0);
  ASSERT_GT(at_first, 0);
  const std::string held = "perigee_gateway_resume_tokens_total{step=\"acknowledged\"}";
  ASSERT_TRUE(soon([&] { return series(100, held) + series(181, held) >= bots_there; }));
  change_key();
  gateways[0]->signal(SIGKILL);
  gateways[0]->wait();
  EXPECT_TRUE(soon([&] { return playing_at(1) == bots_there; })) << playing_at(1);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0);
  EXPECT_EQ(figure_of(players.output(), "avatars_changed"), 0);
  EXPECT_GE(figure_of(players.output(), "resumes"), at_first);
}

}  // namespace
}  // namespace perigee::process_test
