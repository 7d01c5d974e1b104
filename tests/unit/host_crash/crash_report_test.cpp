#include "perigee/host/crash_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "perigee/base/assert.hpp"
#include "perigee/host/log.hpp"
#include "sanitized.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
using testing::KilledBySignal;

constexpr const char* folder_variable = "PERIGEE_TEST_CRASHES";

/// The crash happens in a child process, which runs the test again; it gets the parent's folder
/// from the environment.
class ACrash : public testing::Test {
 protected:
  ACrash() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (const char* given = getenv(folder_variable)) {
      folder = given;
      return;
    }
    std::string name = (std::filesystem::temp_directory_path() / "perigee-test-XXXXXX").string();
    folder = mkdtemp(name.data());
    setenv(folder_variable, folder.c_str(), 1);
    is_parent = true;
  }
  ~ACrash() override {
    if (!is_parent) return;
    std::filesystem::remove_all(folder);
    unsetenv(folder_variable);
  }
  void prepare() const {
    report_crashes("perigee-test", crash_reports(),
                   [](CrashText& text) { (text << "at work on tick ").number(77); });
  }
  std::filesystem::path crash_reports() const { return folder / "crash_reports" / "0"; }
  std::string files() const {
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(crash_reports())) {
      EXPECT_TRUE(entry.path().filename().string().starts_with("perigee-test-"));
      EXPECT_EQ(entry.path().extension(), crash_ending);
      std::ifstream file(entry.path());
      text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
  }
  std::filesystem::path folder;
  bool is_parent = false;
};

[[gnu::noinline]] void overflow(volatile char* above) {
  volatile char here[4'096];
  here[0] = *above;
  if (here[0] != 0) overflow(here);
  here[1] = 1;  // prevents a tail call, which would turn this into a loop
}

TEST_F(ACrash, LeavesALineAndAFileForEachSignal) {
  if (sanitized) GTEST_SKIP() << "sanitizers have a report of their own";
  const std::pair<int, const char*> all[] = {{SIGSEGV, "signal 11 .SIGSEGV."},
                                             {SIGBUS, "signal 7 .SIGBUS."},
                                             {SIGFPE, "signal 8 .SIGFPE."},
                                             {SIGILL, "signal 4 .SIGILL."}};
  for (const auto& [number, text] : all) {
    EXPECT_EXIT(
        {
          prepare();
          raise(number);
        },
        KilledBySignal(number), text);
    EXPECT_THAT(files(), HasSubstr("perigee-test: died of signal " + std::to_string(number)));
  }
  EXPECT_THAT(files(), HasSubstr("at work on tick 77\n"));
  EXPECT_THAT(files(), HasSubstr("unit_host_crash(+0x")) << "the stack";
}

TEST_F(ACrash, SaysWhichAssertionFailed) {
  EXPECT_EXIT(
      {
        prepare();
        PERIGEE_ASSERT(folder.empty(), "the world is whole");
      },
      KilledBySignal(SIGABRT),
      "SIGABRT.*\n.*assertion 'folder.empty..' failed: the world is whole");
  EXPECT_THAT(files(), HasSubstr("the world is whole\nat work on tick 77\n"));
}

TEST_F(ACrash, SaysWhichExceptionNothingCaught) {
  EXPECT_EXIT(
      {
        prepare();
        std::thread([] { throw std::out_of_range("no such door"); }).join();
      },
      KilledBySignal(SIGABRT), "uncaught exception: std::out_of_range: no such door");
}

TEST_F(ACrash, ByAStackThatOverflowsIsReported) {
  if (sanitized) GTEST_SKIP() << "sanitizers have a report of their own";
  EXPECT_EXIT(
      {
        prepare();
        volatile char first = 1;
        overflow(&first);
      },
      KilledBySignal(SIGSEGV), "SIGSEGV");
  EXPECT_THAT(files(), HasSubstr("SIGSEGV"));
}

TEST_F(ACrash, LetsEarlierLinesOfTheLogOutFirst) {
  EXPECT_EXIT(
      {
        prepare();
        for (int i = 0; i < 100; ++i) log_warning("an omen", {{"number", i}});
        std::abort();
      },
      KilledBySignal(SIGABRT), "number=99\n.*died of signal 6");
}

TEST_F(ACrash, KeepsTheNewestReportsOnly) {
  std::filesystem::create_directories(crash_reports());
  for (std::size_t i = 0; i < crash_files_max + 5; ++i) {
    std::ofstream(crash_reports() / ("perigee-test-" + std::to_string(i) + ".crash")) << "old\n";
  }
  std::ofstream(crash_reports() / "perigee-test-1.report") << "of a worker\n";
  EXPECT_EXIT(
      {
        prepare();
        std::abort();
      },
      KilledBySignal(SIGABRT), "died");
  const auto is_report = [](const auto& entry) { return entry.path().extension() == crash_ending; };
  const std::filesystem::directory_iterator entries(crash_reports());
  EXPECT_EQ(static_cast<std::size_t>(std::count_if(begin(entries), end(entries), is_report)),
            crash_files_max);
  EXPECT_TRUE(std::filesystem::exists(crash_reports() / "perigee-test-1.report"));
}

TEST(ACrashText, CutsWhatIsTooLong) {
  CrashText text;
  for (int i = 0; i < 1'000; ++i) (text << "tick ").number(18'446'744'073'709'551'615U).hex(255);
  EXPECT_TRUE(text.view().starts_with("tick 184467440737095516150xfftick "));
  EXPECT_EQ(text.view().size(), 2'048U);
}

}  // namespace
}  // namespace perigee::host
