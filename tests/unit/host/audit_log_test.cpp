#include "perigee/host/audit_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

class AnAuditLog : public testing::Test {
 protected:
  static AuditLog::Entry refused(const std::string& caller, int port = 1) {
    return {.unix_ms = 1,
            .who = caller + " (10.0.0.7:" + std::to_string(port) + ")",
            .caller = caller,
            .act = "KickSession",
            .request = R"({"playerName":"Ada"})",
            .result = "PERMISSION_DENIED",
            .message = "your certificate is another's",
            .refused = true};
  }
  static AuditLog::Entry done(const std::string& caller) {
    auto entry = refused(caller);
    entry.refused = false;
    entry.result = "OK";
    entry.message.clear();
    return entry;
  }
  /// Every line, each of which has to be JSON.
  std::vector<nlohmann::json> lines() const {
    std::vector<nlohmann::json> out;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
    return out;
  }

  TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "audit.jsonl";
  AuditLog audit{file};
};

TEST_F(AnAuditLog, LimitsRefusalsOfEachCallerWhateverItsPort) {
  const std::uint64_t before = audit_left_out();
  for (int i = 0; i < 1'000; ++i) audit.add(refused("eve", i));
  const auto written = static_cast<std::size_t>(RefusalLimit::burst);
  EXPECT_EQ(lines().size(), written);
  EXPECT_EQ(audit_left_out() - before, 1'000 - written);
  EXPECT_TRUE(audit.add(refused("gateway gw")));
  EXPECT_TRUE(audit.add(done("eve")));
  EXPECT_EQ(lines().back().at("left_out"), 1'000 - written);
  EXPECT_FALSE(lines().at(written).contains("left_out")) << "of another caller";
}

TEST_F(AnAuditLog, WritesEveryActThatTheCallerHadTheRightTo) {
  auto not_found = done("operator bob");
  not_found.result = "NOT_FOUND";
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(audit.add(i % 2 == 0 ? done("operator bob") : not_found));
  EXPECT_EQ(lines().size(), 100U);
}

TEST_F(AnAuditLog, CutsLongTextsAndSaysSo) {
  const std::string name(3'000, 'n');
  auto entry = done("bob");
  entry.request = R"({"playerName":")" + name + R"("})";
  entry.message = name;
  audit.add(entry);
  auto without_right = refused("eve");
  without_right.request = entry.request;
  audit.add(without_right);
  const auto all = lines();
  EXPECT_EQ(all[0].at("request").get<std::string>().size(), AuditLog::request_bytes_max);
  EXPECT_EQ(all[0].at("request_bytes"), entry.request.size());
  EXPECT_EQ(all[0].at("message").get<std::string>().size(), AuditLog::message_bytes_max);
  EXPECT_EQ(all[0].at("message_bytes"), name.size());
  EXPECT_EQ(all[1].at("request").get<std::string>().size(), AuditLog::refused_request_bytes_max);
  EXPECT_EQ(all[1].at("request_bytes"), entry.request.size());
  EXPECT_FALSE(all[1].contains("message_bytes"));
}

// A full disk may take the first bytes of a line only.
TEST_F(AnAuditLog, BeginsALineOfItsOwnBehindAHalfOne) {
  audit.add(done("bob"));
  std::ofstream(file, std::ios::app) << R"({"unix_ms":17)";
  audit.add(done("ann"));
  audit.add(done("eve"));
  std::ifstream in(file);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[1], R"({"unix_ms":17)");
  EXPECT_THAT(all[2], testing::HasSubstr("ann"));
  EXPECT_EQ(all[3], to_json(done("eve")));
}

}  // namespace
}  // namespace perigee::host
