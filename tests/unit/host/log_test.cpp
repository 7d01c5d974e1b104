#include "perigee/host/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "perigee/host/output.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::string logged(LogFormat format, LogLevel least, auto speak) {
  testing::internal::CaptureStderr();
  set_up_log("gateway", format, least);
  speak();
  flush_output(10'000'000);
  std::string text = testing::internal::GetCapturedStderr();
  set_up_log("perigee", LogFormat::Text, LogLevel::Info);
  return text;
}

TEST(TheLog, WritesOneReadableLinePerEvent) {
  const std::string text = logged(LogFormat::Text, LogLevel::Info, [] {
    log_info("client joined", {{"tick", 7U}, {"name", "a b"}, {"lead", -1.5}, {"new", true}});
    log_debug("not asked for");
  });
  EXPECT_THAT(text, MatchesRegex("[-0-9]+T[:0-9.]+Z info gateway: client joined tick=7 "
                                 "name=\"a b\" lead=-1.5 new=true\n"));
}

TEST(TheLog, WritesJsonForMachines) {
  const std::string text = logged(LogFormat::Json, LogLevel::Debug, [] {
    log_warning(
        "odd \"name\"",
        {{"name", "tab\there"}, {"x", std::numeric_limits<double>::infinity()}, {"tick", 7U}});
  });
  EXPECT_THAT(text, HasSubstr(R"("level":"warning","process":"gateway","message":"odd \"name\"",)"
                              R"("name":"tab\u0009here","x":"inf","tick":7})"));
}

TEST(TheLog, SpellsOutWhatWouldNotShow) {
  for (const LogFormat format : {LogFormat::Text, LogFormat::Json}) {
    const std::string text = logged(format, LogLevel::Info, [] {
      log_info("logged in",
               {{"name", "A\u202eda\U000e0041"}, {"wrong", "\xff"}, {"good", "Bj\u00f6rk"}});
    });
    EXPECT_THAT(text, HasSubstr(R"("A\u202eda\udb40\udc41")"));
    EXPECT_THAT(text, HasSubstr(R"("\ufffd")"));
    EXPECT_THAT(text, HasSubstr("Bj\u00f6rk"));
  }
}

}  // namespace
}  // namespace perigee::host
