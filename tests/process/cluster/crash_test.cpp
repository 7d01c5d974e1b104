// A worker crashes in its game and leaves a report.
#include <iterator>

#include "process/cluster/cluster.hpp"
#include "sanitized.hpp"

namespace perigee::process_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class AWorkerWhoseGameHasAFault : public ACluster {
 protected:
  /// Starts a worker with this fault; its own output reports the crash.
  Child& start_faulty(const std::string& fault) {
    setenv("PERIGEE_TEST_FAULT", fault.c_str(), 1);
    start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1", "--directory-regions", "1"});
    Child& worker = start(PERIGEE_CRASH_SIM_BINARY);
    unsetenv("PERIGEE_TEST_FAULT");
    return worker;
  }
  std::string report() const {
    std::string text;
    for (const auto& entry : fs::directory_iterator(folder / "crash_reports" / "0")) {
      if (entry.path().extension() != ".crash") continue;
      std::ifstream file(entry.path());
      text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
  }
};

TEST_F(AWorkerWhoseGameHasAFault, SaysInWhichFunctionAndTickItDied) {
  if (sanitized) GTEST_SKIP() << "sanitizers have a report of their own";
  Child& worker = start_faulty("drive:segv");
  EXPECT_EQ(worker.wait(), 128 + SIGSEGV);
  for (const std::string& text : {worker.output(), report()}) {
    EXPECT_THAT(text, ContainsRegex("perigee-sim: died of signal 11 .SIGSEGV. at address 0x0; "
                                    "build [0-9a-f.-]+, pid [0-9]+\n"
                                    "in the game's function drive, tick [0-9]+\n"));
    EXPECT_THAT(text, HasSubstr("crash_sim(+0x")) << "the stack";
  }
}

TEST_F(AWorkerWhoseGameHasAFault, SaysWhichPlayerItWas) {
  Child& worker = start_faulty("step:assert");
  start(PERIGEE_GATEWAY_BINARY);
  start(PERIGEE_SESSION_BINARY);
  ASSERT_TRUE(answers(101, "/ready", "200 OK"));
  Child playing(bots({"--count", "1", "--seconds", "5"}));
  EXPECT_EQ(worker.wait(), 128 + SIGABRT);
  for (const std::string& text : {worker.output(), report()}) {
    EXPECT_THAT(text,
                ContainsRegex("assertion 'kind != \"assert\"' failed: the game keeps its promise\n"
                              "in the game's function step, tick [0-9]+, avatar 0x[0-9a-f]+\n"));
  }
}

TEST_F(AWorkerWhoseGameHasAFault, SaysWhichExceptionItThrew) {
  Child& worker = start_faulty("drive:throw");
  EXPECT_EQ(worker.wait(), 128 + SIGABRT);
  for (const std::string& text : {worker.output(), report()}) {
    EXPECT_THAT(text, HasSubstr("uncaught exception: std::runtime_error: a door without a frame\n"
                                "in the game's function drive, tick "));
  }
}

}  // namespace
}  // namespace perigee::process_test
